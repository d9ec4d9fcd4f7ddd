// What the code of services (embedded/) needs of the machine.
#include "machine/services.h"

#include "machine/bifs/arguments.h"
#include "machine/bifs/families.h"

namespace fathom::machine {
namespace {

Value write_1(Context& c, const Value* a) {
  c.machine.write(BytesOf(a[0]).text());
  return Value(atoms::ok);
}

// A message to the process itself that is no event.
Value answer_1(Context& c, const Value* a) {
  std::vector<Touch>& touched = c.machine.current_event().touched;
  const size_t before = touched.size();
  c.machine.deliver(c.machine.process(), a[0]);
  touched.resize(before, {});
  return a[0];
}

constexpr NativeEntry kEntries[] = {{"fathom_io", "write", 1, write_1},
                                    {"fathom_io", "answer", 1, answer_1}};

}  // namespace

std::span<const NativeEntry> service_natives() { return kEntries; }

}  // namespace fathom::machine
