// Time. The machine has a virtual clock (Machine::read_clock); it begins at a fixed
// instant, and its zone is UTC without daylight saving.
#include "natives/clock.h"

#include <array>
#include <chrono>

#include "machine/machine.h"
#include "natives/families.h"
#include "values/arithmetic.h"
#include "values/lists.h"

namespace fathom::machine {

Value timestamp(Heap& heap, int64_t clock) {
  const int64_t microseconds = (kSystemStart + clock) / 1000;
  return heap.tuple({Value::small(microseconds / 1'000'000'000'000),
                     Value::small(microseconds / 1'000'000 % 1'000'000),
                     Value::small(microseconds % 1'000'000)});
}

}  // namespace fathom::machine

namespace fathom::machine::clock_natives {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kOffset = kSystemStart - kMonotonicStart;

int64_t system_ns(Context& c) { return kSystemStart + c.machine.clock().read(c.machine.process()); }
int64_t monotonic_ns(Context& c) {
  return kMonotonicStart + c.machine.clock().read(c.machine.process());
}

// How many of the unit make a second; an integer value, or none().
Value parts_per_second(Value unit) {
  struct Unit {
    Atom name;
    int64_t parts;
  };
  static const std::array<Unit, 10> units = {{
      {Atom::intern("second"), 1},
      {Atom::intern("seconds"), 1},
      {Atom::intern("millisecond"), 1'000},
      {Atom::intern("milli_seconds"), 1'000},
      {Atom::intern("microsecond"), 1'000'000},
      {Atom::intern("micro_seconds"), 1'000'000},
      {Atom::intern("nanosecond"), kSecond},
      {Atom::intern("nano_seconds"), kSecond},
      {Atom::intern("native"), kSecond},
      {Atom::intern("perf_counter"), kSecond},
  }};
  if (unit.is_integer()) return sign(unit) > 0 ? unit : Value::none();
  for (const Unit& u : units) {
    if (unit.is_atom(u.name)) return Value::small(u.parts);
  }
  return Value::none();
}

// Nanoseconds in a unit, rounded down.
Value in_unit(Context& c, int64_t ns, Value unit) {
  const Value parts = parts_per_second(unit);
  if (parts.is_none()) return c.badarg();
  const Value product = multiply(c.heap, c.heap.integer(ns), parts);
  if (product == limit()) return c.system_limit();
  const Value second = Value::small(kSecond);
  const Value quotient = integer_divide(c.heap, product, second);
  const bool exact = sign(remainder(c.heap, product, second)) == 0;
  return exact || sign(product) >= 0 ? quotient : subtract(c.heap, quotient, Value::small(1));
}

Value monotonic_time_0(Context& c, const Value*) { return c.heap.integer(monotonic_ns(c)); }
Value monotonic_time_1(Context& c, const Value* a) { return in_unit(c, monotonic_ns(c), a[0]); }
// This is how rand makes a seed.
Value system_time_0(Context& c, const Value*) {
  static const Atom kRand = Atom::intern("rand");
  const Function* caller = c.machine.code().function_at(c.call.site);
  if (!caller || caller->module != kRand) return c.heap.integer(system_ns(c));
  c.machine.inputs().look_at(Input::Random);
  return c.heap.integer(kSystemStart + c.machine.clock().of(c.machine.process()));
}
Value system_time_1(Context& c, const Value* a) { return in_unit(c, system_ns(c), a[0]); }
Value time_offset_0(Context& c, const Value*) { return c.heap.integer(kOffset); }
Value time_offset_1(Context& c, const Value* a) { return in_unit(c, kOffset, a[0]); }
Value time_unit_0(Context&, const Value*) { return Value::small(kSecond); }

Value timestamp_0(Context& c, const Value*) {
  return timestamp(c.heap, c.machine.clock().read(c.machine.process()));
}

// Later than all before.
Value now_0(Context& c, const Value*) {
  constexpr int64_t kMicrosecond = 1'000;
  Machine& m = c.machine;
  int64_t& last = m.shared().last_now;
  m.events().access(SharedObject::Unique, AccessMode::Write, 0);
  m.journal().set(last, std::max(m.clock().read(m.process()), last + kMicrosecond));
  return timestamp(c.heap, last);
}

// ---- Calendar ---------------------------------------------------------------

constexpr int64_t kDay = 24 * 60 * 60;

struct DateTime {
  int64_t year;
  unsigned month;
  unsigned day;
  int64_t second;  // of the day
};

int64_t days_of(int64_t year, unsigned month, unsigned day) {
  return std::chrono::sys_days(std::chrono::year(static_cast<int>(year)) /
                               std::chrono::month(month) / std::chrono::day(day))
      .time_since_epoch()
      .count();
}

// Days since 1970-01-01 to a date, for any year: by eras of 400 years.
DateTime civil(int64_t seconds) {
  constexpr int64_t kEra = 146097;
  int64_t days = seconds / kDay;
  int64_t second = seconds % kDay;
  if (second < 0) {
    second += kDay;
    --days;
  }
  int64_t era = days / kEra;
  if (days % kEra < 0) --era;
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(days - era * kEra))};
  return {static_cast<int>(date.year()) + era * 400, static_cast<unsigned>(date.month()),
          static_cast<unsigned>(date.day()), second};
}

Value date_value(Context& c, const DateTime& t) {
  return c.heap.tuple({Value::small(t.year), Value::small(t.month), Value::small(t.day)});
}
Value time_value(Context& c, const DateTime& t) {
  return c.heap.tuple({Value::small(t.second / 3600), Value::small(t.second / 60 % 60),
                       Value::small(t.second % 60)});
}
Value date_time_value(Context& c, int64_t seconds) {
  const DateTime t = civil(seconds);
  return c.heap.tuple({date_value(c, t), time_value(c, t)});
}

// {{Year, Month, Day}, {Hour, Minute, Second}} as seconds since 1970.
std::optional<int64_t> seconds_of(Value value, int64_t first_year) {
  constexpr int64_t kLastYear = 32'000;  // std::chrono's last one is 32767
  if (!value.is_tuple(2)) return std::nullopt;
  const Value date = value.element(0);
  const Value time = value.element(1);
  if (!date.is_tuple(3) || !time.is_tuple(3)) return std::nullopt;
  const auto year = small_in(date.element(0), first_year, kLastYear);
  const auto month = small_in(date.element(1), 1, 12);
  const auto day = small_in(date.element(2), 1, 31);
  const auto hour = small_in(time.element(0), 0, 23);
  const auto minute = small_in(time.element(1), 0, 59);
  const auto second = small_in(time.element(2), 0, 59);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day checked(std::chrono::year(static_cast<int>(*year)),
                                            std::chrono::month(static_cast<unsigned>(*month)),
                                            std::chrono::day(static_cast<unsigned>(*day)));
  if (!checked.ok()) return std::nullopt;
  const int64_t days = days_of(*year, static_cast<unsigned>(*month), static_cast<unsigned>(*day));
  return days * kDay + *hour * 3600 + *minute * 60 + *second;
}

// The first years that OTP converts.
constexpr int64_t kFirstPosixYear = 1600;
constexpr int64_t kFirstLocalYear = 1902;

Value date_0(Context& c, const Value*) { return date_value(c, civil(system_ns(c) / kSecond)); }
Value time_0(Context& c, const Value*) { return time_value(c, civil(system_ns(c) / kSecond)); }
Value universaltime_0(Context& c, const Value*) {
  return date_time_value(c, system_ns(c) / kSecond);
}

Value posixtime_to_universaltime_1(Context& c, const Value* a) {
  const auto seconds = to_int64(a[0]);
  return a[0].is_integer() && seconds ? date_time_value(c, *seconds) : c.badarg();
}

Value universaltime_to_posixtime_1(Context& c, const Value* a) {
  const auto seconds = seconds_of(a[0], kFirstPosixYear);
  return seconds ? c.heap.integer(*seconds) : c.badarg();
}

Value universaltime_to_localtime_1(Context& c, const Value* a) {
  return seconds_of(a[0], kFirstLocalYear) ? a[0] : c.badarg();
}

Value localtime_to_universaltime_1(Context& c, const Value* a) {
  return seconds_of(a[0], kFirstLocalYear) ? a[0] : c.badarg();
}

// A time that is said to be daylight saving time is an hour earlier.
Value localtime_to_universaltime_2(Context& c, const Value* a) {
  const auto seconds = seconds_of(a[0], kFirstLocalYear);
  if (!seconds || (!a[1].is_boolean() && !a[1].is_atom(atoms::undefined))) return c.badarg();
  return a[1].is_atom(atoms::true_) ? date_time_value(c, *seconds - 3600) : a[0];
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "monotonic_time", 0, monotonic_time_0},
    {"erlang", "monotonic_time", 1, monotonic_time_1},
    {"erlang", "system_time", 0, system_time_0, true},
    {"erlang", "system_time", 1, system_time_1},
    {"os", "system_time", 1, system_time_1},
    {"erlang", "time_offset", 0, time_offset_0},
    {"erlang", "time_offset", 1, time_offset_1},
    {"erts_internal", "time_unit", 0, time_unit_0},
    {"erts_internal", "perf_counter_unit", 0, time_unit_0},
    {"erlang", "timestamp", 0, timestamp_0},
    {"erlang", "now", 0, now_0},
    {"erlang", "date", 0, date_0},
    {"erlang", "time", 0, time_0},
    {"erlang", "universaltime", 0, universaltime_0},
    {"erlang", "localtime", 0, universaltime_0},
    {"erlang", "posixtime_to_universaltime", 1, posixtime_to_universaltime_1},
    {"erlang", "universaltime_to_posixtime", 1, universaltime_to_posixtime_1},
    {"erlang", "universaltime_to_localtime", 1, universaltime_to_localtime_1},
    {"erlang", "localtime_to_universaltime", 1, localtime_to_universaltime_1},
    {"erlang", "localtime_to_universaltime", 2, localtime_to_universaltime_2},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::clock_natives
