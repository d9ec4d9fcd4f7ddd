// What happens at a certain time of the virtual clock: time-outs of receives, and
// messages that a process has asked for. Of those of one moment, the one with the lower number
// comes first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "machine/journal.h"
#include "values/labels.h"
#include "values/value.h"

namespace fathom::machine {

struct Timer {
  Value destination;              // a pid, or a name
  Value message = Value::none();  // none: a receive of that process is over
  // Of a message: who asked for it (Process::lineage), and which of its timers this is.
  Value setter = Value::nil();
  uint64_t ordinal = 0;
  int64_t duration = 0;  // how long it was to take, in nanoseconds
  bool is_absolute =
      false;  // it was set to a moment, and its duration is what the clock made of it
  MessageLabels labels = {};
};

class Timers {
 public:
  // `number`: of the reference by which it is known, or any other that is not in use.
  void add(Journal& journal, uint64_t number, int64_t time, const Timer& timer);
  // When it would have happened; none if there is no such timer (any more).
  std::optional<int64_t> remove(Journal& journal, uint64_t number);
  std::optional<int64_t> time_of(uint64_t number) const;

  bool empty() const { return by_time_.empty(); }
  // The number of the one that comes first.
  uint64_t first() const { return by_time_.begin()->first.second; }
  // One that there is.
  const Timer& get(uint64_t number) const;
  template <class F>
  void for_each(F&& f) const {
    for (const auto& [key, timer] : by_time_) f(key.second, timer);
  }

  template <class Visitor>
  void visit_values(Visitor&& visit) {
    for (auto& [key, timer] : by_time_) {
      visit(timer.message);
      visit(timer.setter);
    }
  }

 private:
  using Key = std::pair<int64_t, uint64_t>;  // time, number

  void insert(Key key, const Timer& timer);
  Timer erase(Key key);
  static void undo_add(std::span<const uint64_t> words);
  static void undo_remove(std::span<const uint64_t> words);

  std::map<Key, Timer> by_time_;
  std::unordered_map<uint64_t, int64_t> times_;  // by number
};

}  // namespace fathom::machine
