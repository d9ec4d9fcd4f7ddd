#include "machine/native.h"

#include "machine/machine.h"

namespace fathom::machine {

Value Context::raise(Atom exception_class, Value reason) {
  machine.state.pending.exception = {Value(exception_class), reason, Value::nil(), kNoLabel,
                                     kNoLabel};
  return Value::none();
}

Value Context::error(Value reason) { return raise(atoms::error, reason); }

Value Context::badarg() {
  static const Atom badarg = Atom::intern("badarg");
  return error(Value(badarg));
}

Value Context::badarg_because(Atom cause) {
  machine.state.pending.cause = Value(cause);
  return badarg();
}

Value Context::badarith() {
  static const Atom badarith = Atom::intern("badarith");
  return error(Value(badarith));
}

Value Context::system_limit() {
  static const Atom system_limit = Atom::intern("system_limit");
  return error(Value(system_limit));
}

Value Context::raise_in_caller(Atom exception_class, Value reason, Value arguments, Value extra) {
  raise(exception_class, reason);
  machine.state.pending.exception.reason_label = labels.of(0);
  machine.state.pending.in_caller = true;
  machine.state.pending.arguments = arguments;
  machine.state.pending.extra = extra;
  return Value::none();
}

Value Context::raise_with_trace(Atom exception_class, Value reason, Value trace) {
  raise(exception_class, reason);
  machine.state.pending.exception.class_label = labels.of(0);
  machine.state.pending.exception.reason_label = labels.of(1);
  machine.state.pending.exception.trace = trace;
  machine.state.pending.has_trace = true;
  return Value::none();
}

Value Context::unsupported(std::string_view what) {
  machine.stop(Outcome::Kind::Unsupported, std::string(what));
  machine.state.pending.unsupported = true;
  return Value::none();
}

Value Context::tail_call(Atom module, Atom name, std::span<const Value> arguments) {
  machine.state.pending.call =
      machine.code().find_export(module, name, static_cast<uint32_t>(arguments.size()));
  machine.state.pending.call_arguments.assign(arguments.begin(), arguments.end());
  return Value::none();
}

}  // namespace fathom::machine
