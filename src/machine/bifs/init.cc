// What the process `init` is asked for: the arguments that the emulator was started
// with. Here there are none, and no such process.
#include "machine/bifs/families.h"

namespace fathom::machine {
namespace {

Value get_arguments_0(Context&, const Value*) { return Value::nil(); }
Value get_argument_1(Context&, const Value*) { return Value(atoms::error); }

Value get_status_0(Context& c, const Value*) {
  static const Atom started = Atom::intern("started");
  return c.heap.tuple({Value(started), Value(started)});
}

constexpr NativeEntry kEntries[] = {
    {"init", "get_arguments", 0, get_arguments_0},
    {"init", "get_plain_arguments", 0, get_arguments_0},
    {"init", "get_argument", 1, get_argument_1},
    {"init", "get_status", 0, get_status_0},
};

}  // namespace

std::span<const NativeEntry> init_natives() { return kEntries; }

}  // namespace fathom::machine
