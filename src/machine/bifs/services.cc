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

constexpr NativeEntry kEntries[] = {{"fathom_io", "write", 1, write_1}};

}  // namespace

std::span<const NativeEntry> service_natives() { return kEntries; }

}  // namespace fathom::machine
