// Raising: from an exception that is pending to its handler.
//
// A handler is found by the place of the instruction that raised, then by those of
// the calls on the stack, from the innermost outwards; a try itself costs nothing.
#include <cassert>

#include "core/raise.h"
#include "machine/interpreter.h"
#include "machine/label_moves.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "machine/stack_trace.h"
#include "machine/tracing.h"

namespace fathom::machine::FATHOM_INTERPRETER {
namespace {

const uint64_t* call_site(const Value* fp) {
  return reinterpret_cast<const uint64_t*>(fp[-1].raw());
}

// Where a process goes on that has not caught an exception.
const uint64_t kDie[] = {Instruction(Op::Die, 0, 0, 0).word};

}  // namespace

// What analyses rely on: only nodes that may raise do. A stub has no node.
[[maybe_unused]] static bool is_expected_to_raise(Machine& m, const uint64_t* pc,
                                                  core::NodeId node) {
  if (Instruction(*pc).op() == Op::NativeStub) return true;
  const Function* const f = m.code().function_at(pc);
  return !f || !f->owner || core::may_raise(*f->owner->core, node);
}

void raise_pending(STEP, core::NodeId node) {
  assert(is_expected_to_raise(m, pc, node));
  m.heap().set_top(hp);
  Pending& pending = m.state.pending;
  if (!pending.has_trace) pending.exception.trace = capture_trace(m, pc, node, fp);
  const Exception e = pending.exception;
  // What has no label comes from the instruction that raises.
  const Label own = own_label(pc);
  const Label class_label = e.class_label == kNoLabel ? own : e.class_label;
  const Label reason_label = e.reason_label == kNoLabel ? own : e.reason_label;
  pending = {};
  for (;;) {
    const Function* function = m.code().function_at(pc);
    if (const Handler* handler = function ? handler_at(*function, pc) : nullptr) {
      if (fp < m.state.watermark) m.reenter(fp);
      if constexpr (kLabelled) m.uses().add(own, handler->label);
      fp[handler->exception_class] = e.exception_class;
      fp[handler->reason] = e.reason;
      fp[handler->trace] = e.trace;
      set_label(m, fp + handler->exception_class, class_label);
      set_label(m, fp + handler->reason, reason_label);
      hp = m.heap().top();
      RESUME(function->code.data() + handler->target);
    }
    pc = call_site(fp);
    if (pc == kBaseSite) break;
    fp -= op_a(pc);
    if (pc == kTraceSite) trace_exception(m, fp[0], e.exception_class, e.reason);
  }
  fp = m.process().stack.data() + 1;
  if (fp < m.state.watermark) m.reenter(fp);
  fp[0] = e.exception_class;
  fp[1] = e.reason;
  fp[2] = stack_trace(m, e.trace);
  set_label(m, fp, class_label);
  set_label(m, fp + 1, reason_label);
  hp = m.heap().top();
  RESUME(kDie);
}

void fail_or_raise(STEP, size_t word) {
  const FailWord fail = fail_word(pc[word]);
  if (fail.offset != 0) {
    m.state.pending = {};
    RESUME(pc + fail.offset);
  }
  return raise_pending(m, pc, fp, hp, fail.node);
}

void native_failed(STEP, size_t word, const Export* target, const Value* arguments) {
  const FailWord fail = fail_word(pc[word]);
  if (m.state.stopped) return name_unsupported(m, *target, pc, fail.node, fp);
  if (fail.offset != 0) {
    m.state.pending = {};
    RESUME(pc + fail.offset);
  }
  m.heap().set_top(hp);
  m.state.pending.top = native_frame(m, target, {arguments, target->arity});
  return raise_pending(m, pc, fp, m.heap().top(), fail.node);
}

// ---- Instructions -----------------------------------------------------------

void op_Raise(STEP) {
  m.state.pending.exception = {fp[op_a(pc)], fp[op_b(pc)], fp[op_c(pc)],
                               get_label(m, fp + op_a(pc)), get_label(m, fp + op_b(pc))};
  m.state.pending.has_trace = true;
  return raise_pending(m, pc, fp, hp, core::NodeId{static_cast<uint32_t>(pc[1])});
}

void op_NoMatch(STEP) {
  m.heap().set_top(hp);
  Heap& heap = m.heap();
  const uint32_t n = op_a(pc);
  const Value error = Value::from_raw(pc[1]);
  const core::NodeId node{static_cast<uint32_t>(pc[2])};
  std::vector<Value> values;
  for (uint32_t i = 0; i < n; ++i) values.push_back(fp[packed_register(pc + 3, i)]);
  static const Atom function_clause = Atom::intern("function_clause");
  if (error.is_atom(function_clause)) {
    const Function* f = m.code().function_at(pc);
    m.context.error(error);
    // The frame of the function itself, with what it was called with.
    m.state.pending.top =
        heap.tuple({Value(f->module), Value(f->name), heap.list(values), location(m, *f, node)});
    m.state.pending.replaces_frame = true;
  } else {
    const Value reason = values.empty() ? error : heap.tuple({error, values[0]});
    m.context.error(reason);
    if (!values.empty()) store_label(m, fp + packed_register(pc + 3, 0), reason.words() + 2);
  }
  label_new(m, pc, hp);
  return raise_pending(m, pc, fp, heap.top(), node);
}

}  // namespace fathom::machine::FATHOM_INTERPRETER
