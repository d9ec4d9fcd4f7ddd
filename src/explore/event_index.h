// Places in the current execution: its events, and the states between them.
//
// Event i is performed in the state of depth i and leads to the state of depth i + 1:
//
//   depth   0 ----> 1 ----> 2 ----> 3
//   event       0       1       2
//
// So the same number means an event in one place and a state in another, and the two are easily
// mixed up: "before event 2" is depth 2, "after event 2" is depth 3. Two types keep them apart;
// where one follows from the other, the functions below say which is meant.
//
// An index is valid as long as the event is part of the execution. What has to outlive that names
// an event by its EventId (record.h), which is the same in every execution of a class.
//
// Cost: none. Both are plain 32-bit numbers.
#pragma once

#include <concepts>
#include <cstdint>

namespace fathom::explore {

// Of an event in the current execution, from 0.
enum class EventIndex : uint32_t {};
// No event. It is greater than all others, so the least of some indices can start from it.
inline constexpr EventIndex kNoEvent{UINT32_MAX};
constexpr bool exists(EventIndex event) { return event != kNoEvent; }

// Of a state: the number of events before it.
enum class Depth : uint32_t {};

template <class T>
concept ExecutionPlace = std::same_as<T, EventIndex> || std::same_as<T, Depth>;

// To index an array with, or to print.
template <ExecutionPlace T>
constexpr uint32_t number(T place) {
  return static_cast<uint32_t>(place);
}
template <ExecutionPlace T>
constexpr T operator+(T place, uint32_t count) {
  return T{number(place) + count};
}
template <ExecutionPlace T>
constexpr T operator-(T place, uint32_t count) {
  return T{number(place) - count};
}
template <ExecutionPlace T>
constexpr uint32_t operator-(T to, T from) {
  return number(to) - number(from);
}
template <ExecutionPlace T>
constexpr T& operator++(T& place) {
  return place = place + 1;
}
template <ExecutionPlace T>
constexpr T& operator--(T& place) {
  return place = place - 1;
}

// The state in which the event is performed.
constexpr Depth state_before(EventIndex event) { return Depth{number(event)}; }
// The event that is performed in the state, as the execution goes on now.
constexpr EventIndex event_after(Depth depth) { return EventIndex{number(depth)}; }
// Whether the event comes before the state.
constexpr bool is_before(EventIndex event, Depth depth) { return number(event) < number(depth); }

}  // namespace fathom::explore
