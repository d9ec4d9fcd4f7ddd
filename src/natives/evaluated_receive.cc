// For embedded/prim_eval.erl, the receive of expressions that erl_eval evaluates.
#include "machine/machine.h"
#include "natives/families.h"
#include "values/lists.h"

namespace fathom::machine::evaluated_receive_natives {
namespace {

// fathom_eval:put_back(Messages): they are the first ones of the mailbox again, the last of the
// list first. In a check messages are known by their numbers, which they would lose.
Value put_back_1(Context& c, const Value* a) {
  const auto passed = proper_items(a[0]);
  if (!passed) return c.badarg();
  if (passed->empty()) return Value(atoms::ok);
  Machine& m = c.machine;
  Process& self = m.process();
  if (self.mailbox.is_numbered()) return c.unsupported("a receive that passes over messages");
  const std::vector<Value> behind(self.mailbox.messages().begin(), self.mailbox.messages().end());
  for (size_t i = behind.size(); i > 0; --i) self.mailbox.remove(m.journal(), i - 1);
  for (size_t i = passed->size(); i > 0; --i) m.deliver(self, (*passed)[i - 1]);
  for (const Value message : behind) m.deliver(self, message);
  return Value(atoms::ok);
}

constexpr NativeEntry kEntries[] = {
    {"fathom_eval", "put_back", 1, put_back_1, true},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::evaluated_receive_natives
