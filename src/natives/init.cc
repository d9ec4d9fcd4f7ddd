// What the process `init` is asked for: the arguments that the emulator was started
// with, and its end. There are the arguments that no emulator is without; init is a
// service that does not understand messages (services.cc).
#include "machine/machine.h"
#include "natives/families.h"
#include "values/lists.h"

namespace fathom::machine::init_natives {
namespace {

struct Argument {
  std::string_view flag;
  std::string value;
};

std::vector<Argument> arguments(Context& c) {
  const char* home = std::getenv("HOME");
  return {
      {"root", c.machine.source().root_dir()}, {"progname", "erl"}, {"home", home ? home : "/"}};
}

Value text_list(Context& c, const std::string& text) {
  const Value string = c.heap.string_utf8(text);
  return c.heap.list({&string, 1});
}

Value get_arguments_0(Context& c, const Value*) {
  std::vector<Value> items;
  for (const Argument& argument : arguments(c)) {
    items.push_back(c.heap.tuple({atom(argument.flag), text_list(c, argument.value)}));
  }
  return c.heap.list(items);
}

Value get_argument_1(Context& c, const Value* a) {
  for (const Argument& argument : arguments(c)) {
    if (a[0] != atom(argument.flag)) continue;
    const Value values = text_list(c, argument.value);
    return c.heap.tuple({Value(atoms::ok), c.heap.list({&values, 1})});
  }
  return Value(atoms::error);
}

Value get_plain_arguments_0(Context&, const Value*) { return Value::nil(); }

Value get_status_0(Context& c, const Value*) {
  static const Atom started = Atom::intern("started");
  return c.heap.tuple({Value(started), Value(started)});
}

// Of the boot script.
Value script_id_0(Context& c, const Value*) {
  return c.heap.tuple({c.heap.string("Erlang/OTP"), c.heap.string("25")});
}

// Applications are not stopped first.
Value stop_0(Context& c, const Value*) {
  return c.tail_call(atoms::erlang, Atom::intern("halt"), {});
}
Value stop_1(Context& c, const Value* a) {
  return c.tail_call(atoms::erlang, Atom::intern("halt"), {a, 1});
}

constexpr NativeEntry kEntries[] = {
    {"init", "get_arguments", 0, get_arguments_0},
    {"init", "get_plain_arguments", 0, get_plain_arguments_0},
    {"init", "get_argument", 1, get_argument_1},
    {"init", "get_status", 0, get_status_0},
    {"init", "script_id", 0, script_id_0},
    {"init", "stop", 0, stop_0, true},
    {"init", "stop", 1, stop_1, true},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::init_natives
