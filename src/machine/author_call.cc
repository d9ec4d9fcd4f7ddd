#include "machine/author_call.h"

#include <algorithm>
#include <vector>

#include "code/instruction_layout.h"
#include "code/places.h"
#include "machine/interpreter.h"

namespace fathom::machine {

namespace {

// The function that a call instruction names; none: it is computed.
const Mfa* target_of(const uint64_t* pc) {
  switch (Instruction(*pc).op()) {
    case Op::Call:
    case Op::TailCall:
      return pointer_at<const Function>(pc + 1);
    case Op::CallExport:
    case Op::TailCallExport:
      return pointer_at<const Export>(pc + 1);
    default:
      return nullptr;
  }
}

// The code of the function that it names, if that is the author's.
const Function* author_target(const uint64_t* pc) {
  const Op op = Instruction(*pc).op();
  const bool is_export = op == Op::CallExport || op == Op::TailCallExport;
  const Mfa* target = target_of(pc);
  if (!target) return nullptr;
  const Function* function = is_export ? static_cast<const Export*>(target)->function
                                       : static_cast<const Function*>(target);
  return function && !is_library(*function) ? function : nullptr;
}

AuthorCall call_at(const Function& caller, const uint64_t* site, const Function& runs) {
  const core::NodeId node{static_cast<uint32_t>(site[3])};
  if (const Function* gone = author_target(site)) return {&caller, node, &runs, gone};
  const Mfa* named = target_of(site);
  return {&caller, node, named ? named : &runs, nullptr};
}

bool is_native(const uint64_t* pc) {
  return Instruction(*pc).op() == Op::TailCallExport && pointer_at<const Export>(pc + 1)->native;
}

}  // namespace

AuthorCall find_author_call(const CodeTable& code, const Function* function, const Value* fp) {
  constexpr size_t kMostFrames = 16;
  for (size_t depth = 0; function && is_library(*function) && depth < kMostFrames; ++depth) {
    const auto* site = reinterpret_cast<const uint64_t*>(fp[-1].raw());
    if (site == kBaseSite) break;
    fp -= op_a(site);
    const Function* caller = code.function_at(site);
    if (caller && !is_library(*caller)) return call_at(*caller, site, *function);
    function = caller;
  }
  return {};
}

AuthorCall follow_tail_calls(const Function& function) {
  std::vector<const Function*> functions = {&function};
  AuthorCall found;
  for (size_t i = 0; i < functions.size(); ++i) {
    const Function& f = *functions[i];
    if (!f.entry) continue;  // it was never called
    const uint64_t* end = f.code.data() + f.code.size();
    const auto in_front = static_cast<size_t>(f.entry - f.code.data());
    for (const uint64_t* pc = f.entry; pc < end; pc += instruction_words(pc) + in_front) {
      const Op op = Instruction(*pc).op();
      if (op < Op::TailCall || op > Op::TailCallFunList || is_native(pc)) continue;
      const Mfa* target = target_of(pc);
      if (!target) return {};
      if (const Function* next = author_target(pc)) {
        if (std::ranges::find(functions, next) == functions.end()) functions.push_back(next);
        continue;
      }
      if (found) return {};
      found = {&f, core::NodeId{static_cast<uint32_t>(pc[2])}, target, nullptr};
    }
  }
  return found;
}

}  // namespace fathom::machine
