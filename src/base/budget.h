// What a computation may cost: time on the clock, memory of the process, and the patience of
// whoever may interrupt it.
//
// A budget is in force for a thread while there is a BudgetScope; whatever runs there meanwhile
// is held to it, however deep it is: reading, parse transforms, a run, a search, one native
// function. Each loop whose length comes from input calls spend(). When the budget has been
// spent, spend() throws BudgetSpent. Cancellation is the one error that is an exception: it can
// come from anywhere, and nobody on the way has anything to do about it. It is caught where
// the work was begun: the machine's step turns it into an outcome, the search into the end of
// the search, a command into a message.
//
// Cost: spend() is a subtraction. After every kWorkPerLook units the clock is read (25 ns), every
// few milliseconds the system is asked for the resident memory (2 µs). Memory is that of the
// whole process, as users see it: heap, journal, trace, trees, code and garbage alike.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace fathom {

struct BudgetSpent {
  std::string reason;  // see Budget::reason
};

class Budget {
 public:
  struct Limits {
    double seconds = 0;  // 0: any number
    size_t memory = 0;   // resident bytes; 0: any number
  };
  enum class Spent : uint8_t { No, Time, Memory, Interrupted };

  // Time counts from now.
  explicit Budget(Limits limits);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // Another allowance, from now on. An interruption stays one.
  void renew(Limits limits);
  Limits limits() const { return {seconds_, memory_}; }

  // May be called by any thread, and by the handler of a signal.
  void interrupt() noexcept { interrupted_ = true; }

  // Looks at everything. Once spent, it stays so until it is renewed.
  Spent look();
  bool is_spent() { return look() != Spent::No; }
  // As of the last look: "the time limit of 1 seconds is reached"; empty: it is not spent.
  std::string reason() const { return reason(spent_); }
  std::string reason(Spent spent) const;
  // Whether there is room for so many bytes more, as far as is known.
  bool has_room(size_t bytes) const;
  // Throws if there is none.
  void check_room(size_t bytes);

  // For another thread, which watches over one that may not look for a while: the limit that
  // has been left far after.
  Spent overrun() const;

  // That of this thread; null: none.
  static Budget* current();

 private:
  friend class BudgetScope;

  Spent look_at_memory(size_t more = 0);

  // Those that are atomic are read by other threads.
  std::atomic<double> seconds_ = 0;
  std::atomic<size_t> memory_ = 0;
  std::atomic<int64_t> deadline_ = 0;  // nanoseconds of the steady clock
  std::atomic<bool> interrupted_ = false;
  Spent spent_ = Spent::No;
  bool has_trimmed_ = false;
  int64_t next_memory_look_ = 0;
};

// The budget is that of this thread until the end of the scope.
class BudgetScope {
 public:
  explicit BudgetScope(Budget& budget);
  ~BudgetScope();
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

 private:
  Budget* before_;
};

// In bytes; 0 where the system does not tell.
struct ProcessMemory {
  size_t addresses = 0;  // that are in use, of those that `ulimit -v` limits
  size_t resident = 0;
};
ProcessMemory process_memory();
inline size_t resident_bytes() { return process_memory().resident; }

namespace detail {
inline constexpr int64_t kWorkPerLook = 4096;
inline constexpr size_t kLargeAllocation = size_t{1} << 20;
inline thread_local int64_t work_until_look = kWorkPerLook;
void look_at_budget();
}  // namespace detail

// `work`: in units of about 10 ns.
inline void spend(int64_t work = 1) {
  detail::work_until_look -= work;
  if (detail::work_until_look < 0) [[unlikely]]
    detail::look_at_budget();
}

// To be called before an allocation that may be large.
inline void spend_memory(size_t bytes) {
  if (bytes < detail::kLargeAllocation) return;
  if (Budget* budget = Budget::current()) budget->check_room(bytes);
}

}  // namespace fathom
