// What the code of services (embedded/) needs of the machine.
#include "machine/services.h"

#include "natives/families.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::service_natives {
namespace {

Value write_1(Context& c, const Value* a) {
  c.machine.output().write(BytesOf(a[0]).text());
  return Value(atoms::ok);
}

// A message to the process itself that is not an event.
Value answer_1(Context& c, const Value* a) {
  Event& event = c.machine.events().current();
  const size_t accesses = event.accesses.size();
  const size_t sent = event.sent.size();
  c.machine.deliver(c.machine.process(), a[0]);
  event.accesses.resize(accesses, {});
  event.sent.resize(sent, {});
  return a[0];
}

// A program that has had to do with the logger may have a handler of its own.
bool runs_logger(Machine& m) {
  const Value names = m.shared().names.map;
  return !names.is_none() && !map_get(names, atom("logger")).is_none();
}

Value allow_none(Context& c, const Value*) {
  if (runs_logger(c.machine)) c.machine.inputs().look_at(Input::DroppedLog);
  return Value::boolean(false);
}

constexpr NativeEntry kEntries[] = {{"fathom_io", "write", 1, write_1},
                                    {"fathom_io", "answer", 1, answer_1}};

// What everything that logs asks first.
constexpr NativeEntry kSilent[] = {{"logger_config", "allow", 1, allow_none},
                                   {"logger_config", "allow", 2, allow_none}};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }
std::span<const NativeEntry> silent() { return kSilent; }

}  // namespace fathom::machine::service_natives
