#include "base/budget.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

namespace fathom {
namespace {

thread_local Budget* current_budget = nullptr;

// How many times the memory that a program needs is resident while it is examined.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif
constexpr size_t kOverhead = kIsSanitized ? 5 : 1;

constexpr int64_t kSecond = 1'000'000'000;  // nanoseconds

int64_t now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProcessMemory process_memory() {
  // "ADDRESSES RESIDENT …", in pages.
  static const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  static const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::array<char, 64> text;
  const ssize_t length = pread(file, text.data(), text.size() - 1, 0);
  if (length <= 0) return {};
  text[static_cast<size_t>(length)] = 0;
  char* rest = nullptr;
  const uint64_t addresses = std::strtoull(text.data(), &rest, 10);
  return {addresses * page, std::strtoull(rest, nullptr, 10) * page / kOverhead};
}

Budget::Budget(Limits limits) { renew(limits); }

void Budget::renew(Limits limits) {
  constexpr double kForever = 1e9;  // seconds; in nanoseconds it fits into 64 bits
  const double seconds = limits.seconds > 0 ? std::min(limits.seconds, kForever) : kForever;
  seconds_ = limits.seconds;
  memory_ = limits.memory;
  deadline_ = now() + static_cast<int64_t>(seconds * kSecond);
  spent_ = Spent::No;
  has_trimmed_ = false;
  next_memory_look_ = 0;
}

Budget::Spent Budget::look() {
  constexpr int64_t kBetweenMemoryLooks = kSecond / 500;
  if (spent_ != Spent::No) return spent_;
  if (interrupted_) return spent_ = Spent::Interrupted;
  const int64_t time = now();
  if (time >= deadline_) return spent_ = Spent::Time;
  if (memory_ == 0 || time < next_memory_look_) return Spent::No;
  next_memory_look_ = time + kBetweenMemoryLooks;
  return spent_ = look_at_memory();
}

// What the C library has been given back, and keeps, is not in use; but taking it away takes
// time, so that is tried once.
Budget::Spent Budget::look_at_memory(size_t more) {
  if (resident_bytes() + more <= memory_) return Spent::No;
  if (has_trimmed_) return Spent::Memory;
  has_trimmed_ = true;
  malloc_trim(0);
  return resident_bytes() + more <= memory_ ? Spent::No : Spent::Memory;
}

bool Budget::has_room(size_t bytes) const {
  return memory_ == 0 || resident_bytes() + bytes <= memory_;
}

void Budget::check_room(size_t bytes) {
  if (memory_ > 0 && spent_ == Spent::No) spent_ = look_at_memory(bytes);
  if (spent_ != Spent::No) throw BudgetSpent{reason()};
}

std::string Budget::reason(Spent spent) const {
  switch (spent) {
    case Spent::No:
      return "";
    case Spent::Interrupted:
      return "interrupted";
    case Spent::Time:
      return fmt::format("the time limit of {} seconds is reached", seconds_.load());
    case Spent::Memory:
      return fmt::format("the memory limit of {} MB is reached", memory_ >> 20);
  }
  return "";
}

Budget::Spent Budget::overrun() const {
  constexpr double kLeastGrace = 0.3;  // seconds
  constexpr size_t kLeastRoom = size_t{64} << 20;
  const double grace = std::max(kLeastGrace, seconds_ / 4);
  if (now() - deadline_ > static_cast<int64_t>(grace * kSecond)) return Spent::Time;
  const size_t room = std::max(kLeastRoom, memory_ / 6);
  return memory_ > 0 && resident_bytes() > memory_ + room ? Spent::Memory : Spent::No;
}

Budget* Budget::current() { return current_budget; }

BudgetScope::BudgetScope(Budget& budget) : before_(current_budget) { current_budget = &budget; }
BudgetScope::~BudgetScope() { current_budget = before_; }

void detail::look_at_budget() {
  work_until_look = kWorkPerLook;
  if (current_budget && current_budget->is_spent()) throw BudgetSpent{current_budget->reason()};
}

}  // namespace fathom
