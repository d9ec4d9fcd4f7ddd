// Timers: messages that arrive later.
#include <optional>

#include "machine/machine.h"
#include "natives/families.h"
#include "natives/options.h"
#include "values/lists.h"

namespace fathom::machine::timer_natives {
namespace {

constexpr int64_t kMillisecond = 1'000'000;                 // nanoseconds
constexpr int64_t kMaxTime = INT64_MAX / kMillisecond / 4;  // beyond that OTP's clock ends too

// [{Name, Boolean}], each of the two given names; none: there is something else in it.
struct Flags {
  bool first = false;
  bool second = false;
};
std::optional<Flags> flags(Value list, std::string_view first, std::string_view second, Flags set) {
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (!option.is_tuple(2) || !option.element(1).is_boolean()) return std::nullopt;
    const bool value = option.element(1).is_atom(atoms::true_);
    if (option.element(0) == atom(first)) {
      set.first = value;
    } else if (option.element(0) == atom(second)) {
      set.second = value;
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return set;
}

// ---- Setting ----------------------------------------------------------------

// `wraps`: the message is {timeout, Reference, Message}.
Value set_timer(Context& c, const Value* a, size_t arity, bool wraps) {
  const std::string_view name = wraps ? "start_timer" : "send_after";
  const auto options = flags(arity == 4 ? a[3] : Value::nil(), "abs", "abs", {});
  if (!options) return bad_option(c, name, {a, arity});
  const bool is_absolute = options->first;
  const auto time = small_in(a[0], is_absolute ? -kMaxTime : 0, kMaxTime);
  if (!time) return bad_option(c, name, {a, arity}, "time");
  if (!a[1].is_local_pid() && !a[1].is_atom()) return c.badarg();
  Machine& m = c.machine;
  const uint64_t number = m.numbers().reference(m.process());
  const Value reference = c.heap.reference(number);
  const Value message = wraps ? c.heap.tuple({atom("timeout"), reference, a[2]}) : a[2];
  if (wraps) c.carry_label(2, message.words() + 3);
  const int64_t now = m.clock().of(m.process());
  const int64_t when =
      is_absolute ? *time * kMillisecond - kMonotonicStart : now + *time * kMillisecond;
  Process& self = m.process();
  m.journal().set(self.timers, self.timers + 1);
  m.events().access(SharedObject::Timer, AccessMode::Write, number);
  m.shared().timers.add(
      m.journal(), number, when,
      {a[1], message, self.lineage, self.timers, when - now, is_absolute, c.labels.of_message(2)});
  return reference;
}

Value send_after_3(Context& c, const Value* a) { return set_timer(c, a, 3, false); }
Value send_after_4(Context& c, const Value* a) { return set_timer(c, a, 4, false); }
Value start_timer_3(Context& c, const Value* a) { return set_timer(c, a, 3, true); }
Value start_timer_4(Context& c, const Value* a) { return set_timer(c, a, 4, true); }

// ---- Asking and cancelling --------------------------------------------------

// Milliseconds that were left, or false.
Value left(Context& c, std::optional<int64_t> time) {
  if (!time) return Value::boolean(false);
  const int64_t nanoseconds =
      std::max<int64_t>(*time - c.machine.clock().of(c.machine.process()), 0);
  return Value::small((nanoseconds + kMillisecond - 1) / kMillisecond);
}

// `cancels`: with options async and info.
Value ask_timer(Context& c, const Value* a, size_t arity, bool cancels) {
  if (!a[0].is_reference()) return c.badarg();
  const auto options =
      flags(arity == 2 ? a[1] : Value::nil(), "async", cancels ? "info" : "async", {false, true});
  if (!options) return c.badarg();
  Machine& m = c.machine;
  Timers& timers = m.shared().timers;
  std::optional<int64_t> time;
  if (a[0].is_box(BoxKind::Reference)) {
    const uint64_t number = a[0].reference_number();
    time = cancels ? timers.remove(m.journal(), number) : timers.time_of(number);
  }
  const Value result = left(c, time);
  if (cancels && !options->second) return Value(atoms::ok);
  if (!options->first) return result;
  m.deliver(m.process(),
            c.heap.tuple({atom(cancels ? "cancel_timer" : "read_timer"), a[0], result}));
  return Value(atoms::ok);
}

Value cancel_timer_1(Context& c, const Value* a) { return ask_timer(c, a, 1, true); }
Value cancel_timer_2(Context& c, const Value* a) { return ask_timer(c, a, 2, true); }
Value read_timer_1(Context& c, const Value* a) { return ask_timer(c, a, 1, false); }
Value read_timer_2(Context& c, const Value* a) { return ask_timer(c, a, 2, false); }

constexpr NativeEntry kEntries[] = {
    {"erlang", "send_after", 3, send_after_3},     {"erlang", "send_after", 4, send_after_4},
    {"erlang", "start_timer", 3, start_timer_3},   {"erlang", "start_timer", 4, start_timer_4},
    {"erlang", "cancel_timer", 1, cancel_timer_1}, {"erlang", "cancel_timer", 2, cancel_timer_2},
    {"erlang", "read_timer", 1, read_timer_1},     {"erlang", "read_timer", 2, read_timer_2},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::timer_natives
