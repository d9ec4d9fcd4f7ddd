#include "machine/timers.h"

#include <bit>

namespace fathom::machine {

void Timers::insert(Key key, const Timer& timer) {
  by_time_.emplace(key, timer);
  times_.emplace(key.second, key.first);
}

Timer Timers::erase(Key key) {
  const auto it = by_time_.find(key);
  const Timer timer = it->second;
  by_time_.erase(it);
  times_.erase(key.second);
  return timer;
}

// Words: the table, time, number; then the timer.
void Timers::undo_add(std::span<const uint64_t> words) {
  reinterpret_cast<Timers*>(words[0])->erase({static_cast<int64_t>(words[1]), words[2]});
}

void Timers::undo_remove(std::span<const uint64_t> words) {
  reinterpret_cast<Timers*>(words[0])->insert(
      {static_cast<int64_t>(words[1]), words[2]},
      {Value::from_raw(words[3]), Value::from_raw(words[4]), Value::from_raw(words[5]), words[6],
       static_cast<int64_t>(words[7]), words[8] != 0, std::bit_cast<MessageLabels>(words[9])});
}

void Timers::add(Journal& journal, uint64_t number, int64_t time, const Timer& timer) {
  insert({time, number}, timer);
  journal.record(&undo_add,
                 {reinterpret_cast<uint64_t>(this), static_cast<uint64_t>(time), number});
}

std::optional<int64_t> Timers::remove(Journal& journal, uint64_t number) {
  const std::optional<int64_t> time = time_of(number);
  if (!time) return std::nullopt;
  const Timer timer = erase({*time, number});
  journal.record(&undo_remove,
                 {reinterpret_cast<uint64_t>(this), static_cast<uint64_t>(*time), number,
                  timer.destination.raw(), timer.message.raw(), timer.setter.raw(), timer.ordinal,
                  static_cast<uint64_t>(timer.duration), uint64_t{timer.is_absolute},
                  std::bit_cast<uint64_t>(timer.labels)});
  return time;
}

std::optional<int64_t> Timers::time_of(uint64_t number) const {
  const auto it = times_.find(number);
  if (it == times_.end()) return std::nullopt;
  return it->second;
}

const Timer& Timers::get(uint64_t number) const { return by_time_.at({times_.at(number), number}); }

}  // namespace fathom::machine
