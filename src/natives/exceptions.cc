// error/1,2,3, exit/1, throw/1, raise/3.
#include "machine/machine.h"
#include "natives/families.h"
#include "values/lists.h"

namespace fathom::machine::exception_natives {
namespace {

Value error_1(Context& c, const Value* a) { return c.raise_in_caller(atoms::error, a[0]); }

Value error_2(Context& c, const Value* a) {
  return c.raise_in_caller(atoms::error, a[0], a[1].is_list() ? a[1] : Value::none());
}

// The only option is {error_info, Map}; with any other in the list there is none.
Value error_3(Context& c, const Value* a) {
  static const Atom error_info = Atom::intern("error_info");
  Value extra = Value::nil();
  Value list = a[2];
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (!option.is_tuple(2) || !option.element(0).is_atom(error_info)) break;
    if (!option.element(1).is_map()) break;
    extra = c.heap.list({&option, 1});
  }
  if (!list.is_nil()) extra = Value::nil();
  return c.raise_in_caller(atoms::error, a[0], a[1].is_list() ? a[1] : Value::none(), extra);
}

Value exit_1(Context& c, const Value* a) {
  static const Atom exit = Atom::intern("exit");
  return c.raise_in_caller(exit, a[0]);
}

Value throw_1(Context& c, const Value* a) { return c.raise_in_caller(atoms::throw_, a[0]); }

// A frame as raise/3 takes it: {M, F, Arity or arguments} or {Fun, Arguments}, and perhaps where; a
// list is added to one that does not say where. none(): it is not a frame.
Value whole_frame(Context& c, Value frame) {
  if (!frame.is_tuple() || frame.arity() < 2) return Value::none();
  const bool is_fun = frame.element(0).is_fun();
  const size_t named = is_fun ? 2 : 3;
  if (!is_fun &&
      (frame.arity() < 3 || !frame.element(0).is_atom() || !frame.element(1).is_atom())) {
    return Value::none();
  }
  if (frame.arity() == named + 1) {
    return proper_length(frame.element(named)) ? frame : Value::none();
  }
  if (frame.arity() != named) return Value::none();
  std::vector<Value> parts(frame.elements().begin(), frame.elements().end());
  parts.push_back(Value::nil());
  return c.heap.tuple(parts);
}

// What is not a class or not a trace is an error of the arguments: badarg is returned.
Value raise_3(Context& c, const Value* a) {
  static const Atom exit = Atom::intern("exit");
  static const Atom badarg = Atom::intern("badarg");
  const bool is_class =
      a[0].is_atom(atoms::error) || a[0].is_atom(exit) || a[0].is_atom(atoms::throw_);
  bool is_same = true;
  std::vector<Value> frames;
  Value rest = a[2];
  for (; rest.is_cons(); rest = rest.tail()) {
    spend();
    const Value frame = whole_frame(c, rest.head());
    if (frame.is_none()) break;
    is_same = is_same && frame == rest.head();
    frames.push_back(frame);
  }
  if (!is_class || !rest.is_nil()) return Value(badarg);
  return c.raise_with_trace(a[0].atom(), a[1], is_same ? a[2] : c.heap.list(frames));
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "error", 1, error_1}, {"erlang", "error", 2, error_2},
    {"erlang", "error", 3, error_3}, {"erlang", "exit", 1, exit_1},
    {"erlang", "throw", 1, throw_1}, {"erlang", "raise", 3, raise_3},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::exception_natives
