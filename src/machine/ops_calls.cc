// Calls and returns.
#include <fmt/format.h>

#include <algorithm>

#include "machine/interpreter.h"
#include "machine/label_moves.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "machine/stack_trace.h"
#include "machine/tracing.h"

namespace fathom::machine::FATHOM_INTERPRETER {
namespace {

// The rest of a call whose frame is at fp, where the quick way is closed.
__attribute__((noinline)) void slow_enter(STEP, Function* function) {
  m.heap().set_top(hp);
  if (!function->entry) fp = trace_call(m, pc, fp, *function);
  fp = m.prepare_call(function, fp, function->arity);
  hp = m.heap().top();
  if (m.state.stopped) return;
  DISPATCH(function->start());
}

#define ENTER(function)                                                                        \
  do {                                                                                         \
    Function* const f_ = (function);                                                           \
    if (--m.state.fuel < 0 || hp > m.state.heap_limit || fp + f_->frame > m.state.stack_end || \
        !f_->entry) [[unlikely]] {                                                             \
      return slow_enter(m, pc, fp, hp, f_);                                                    \
    }                                                                                          \
    DISPATCH(f_->entry);                                                                       \
  } while (false)

// With the arguments at fp[a]: a new frame there. Those of a tail call lie where the
// caller's own frame begins.
#define ENTER_WINDOW(function)                                  \
  do {                                                          \
    if (!is_tail_call(pc)) {                                    \
      fp += op_a(pc);                                           \
      fp[-1] = Value::from_raw(reinterpret_cast<uint64_t>(pc)); \
    }                                                           \
    ENTER(function);                                            \
  } while (false)

// The call at pc, made from the frame at fp, has a result.
__attribute__((noinline)) void return_below_watermark(STEP, Value result,
                                                      [[maybe_unused]] Label label) {
  m.reenter(fp);
  fp[op_c(pc)] = result;
  set_label(m, fp + op_c(pc), label);
  NEXT(4);
}

void give_result(STEP, Value result, Label label) {
  if (is_tail_call(pc)) {
    pc = reinterpret_cast<const uint64_t*>(fp[-1].raw());
    fp -= op_a(pc);
    if (fp < m.state.watermark) [[unlikely]]
      return return_below_watermark(m, pc, fp, hp, result, label);
  }
  fp[op_c(pc)] = result;
  set_label(m, fp + op_c(pc), label);
  NEXT(4);
}

// What is called was computed.
[[maybe_unused]] bool computes_callee(const uint64_t* pc) {
  const Op op = Instruction(*pc).op();
  return op != Op::CallExport && op != Op::TailCallExport;
}

// Who is called in place of a function that is not there: '$handle_undefined_function'/2 of its
// module, which is what OTP's error_handler does, or undefined_function/3 of another module that
// the process has named as its error handler. Null: nobody.
Export* undefined_handler(Machine& m, const Export& target) {
  static const Atom flag = Atom::intern("error_handler");
  static const Atom by_process = Atom::intern("undefined_function");
  static const Atom by_module = Atom::intern("$handle_undefined_function");
  const Value named = map_get(m.process().flags, Value(flag));
  const bool is_own = named.is_none() || named.is_atom(flag);
  if (is_own && target.name == by_module) return nullptr;
  Export* handler = is_own ? m.code().find_export(target.module, by_module, 2)
                           : m.code().find_export(named.atom(), by_process, 3);
  if (handler == &target || (is_own && !m.code().find_module(target.module))) return nullptr;
  return handler->function || handler->native || m.resolve(handler) ? handler : nullptr;
}

void enter_export(STEP, Export* target, uint32_t count);

__attribute__((noinline)) void call_undefined_handler(STEP, Export* handler, const Export* target,
                                                      uint32_t count) {
  fp = m.ensure_stack(fp, op_a(pc) + 3);
  Value* arguments = fp + op_a(pc);
  const Value list = m.heap().list({arguments, count});
  const uint32_t n = handler->arity;
  arguments[0] = Value(target->module);
  arguments[n - 2] = Value(target->name);
  arguments[n - 1] = list;
  for (uint32_t i = 0; kLabelled && i < n; ++i) set_label(m, arguments + i, own_label(pc));
  return enter_export(m, pc, fp, m.heap().top(), handler, n);
}

// Any export, with `count` arguments at fp[a].
__attribute__((noinline)) void enter_export(STEP, Export* target, uint32_t count) {
  m.heap().set_top(hp);
  if (!target->function && !target->native && !m.resolve(target)) {
    if (m.state.stopped) return;
    if (Export* handler = undefined_handler(m, *target)) {
      return call_undefined_handler(m, pc, fp, m.heap().top(), handler, target, count);
    }
    const Value* arguments = fp + op_a(pc);
    m.context.error(Value(atoms::undef));
    m.state.pending.top = m.heap().tuple({Value(target->module), Value(target->name),
                                          m.heap().list({arguments, count}), Value::nil()});
    m.state.pending.replaces_frame = is_tail_call(pc);
    return raise_pending(m, pc, fp, m.heap().top(), site_of(pc));
  }
  hp = m.heap().top();
  if (target->native) return call_native(m, pc, fp, hp, target, count);
  if (kLabelled && computes_callee(pc)) note_callee(m, pc, target->function);
  ENTER_WINDOW(target->function);
}

// The caller of a native function that fails is in the trace even if it called last,
// unless it did so by a fun or a name that it was given. As in OTP error/1 and the
// like, called by name, count as raised by the caller all the same. A stub is not
// shown.
void leave_caller(Pending& pending, Op op) {
  if (op == Op::NativeStub) {
    pending.replaces_frame = true;
    return;
  }
  const bool by_fun = op == Op::TailCallFun || op == Op::TailCallFunList;
  const bool by_name = op == Op::TailCallDynamic || op == Op::TailCallList;
  if (!by_fun && (!by_name || pending.in_caller)) return;
  pending.replaces_frame = true;
  pending.arguments = Value::none();
}

// Of a machine that is observed. Output is not an event, though it is sent; what a process does to
// itself is one if others look at it.
bool is_event(Machine& m, const Export* target, const Value* arguments) {
  static const Atom process_count = Atom::intern("process_count");
  if (target->access == NativeAccess::CountProcesses && !arguments[0].is_atom(process_count)) {
    return false;
  }
  switch (target->event) {
    case EventKind::None:
      return false;
    case EventKind::Send:
      return answering_service(m, arguments[0]).is_none();
    case EventKind::Leader:
      return m.events().watched().leaders;
    case EventKind::Dictionary:
      return m.events().watched().dictionaries;
    default:
      return true;
  }
}

// What a service accesses is accessed by the event in which it acts.
bool is_recorded_for_service(Machine& m, const Export* target) {
  return m.mode().is_observed && target->event != EventKind::None && m.in_service() &&
         m.events().is_recording();
}

// erlang:spawn/1 and its like call the native function for their caller: that is the place of
// the event.
void name_caller(Machine& m, const Value* fp) {
  Event& event = m.events().current();
  while (event.place && event.place->module == atoms::erlang) {
    const auto* site = reinterpret_cast<const uint64_t*>(fp[-1].raw());
    if (site == kBaseSite) return;
    fp -= op_a(site);
    event.place = m.code().function_at(site);
    event.node = site_of(site);
  }
}

// False: the process has paused.
__attribute__((noinline)) bool begin_event(Machine& m, const uint64_t* pc, Value* fp,
                                           const Export* target) {
  if (!m.performs(target->event, pc, site_of(pc), fp)) {
    m.pause_before_call(pc, fp, target);
    return false;
  }
  const std::span<const Value> arguments{fp + op_a(pc), target->arity};
  name_caller(m, fp);
  m.events().current().native = target;
  m.events().current().arguments.assign(arguments.begin(), arguments.end());
  access_arguments(m, target->access, arguments);
  return true;
}

// Of what the native function makes: a stub makes it for who has called that.
Label label_of_call(const uint64_t* pc, const Value* fp) {
  if (!kLabelled || Instruction(*pc).op() != Op::NativeStub) return own_label(pc);
  const auto* site = reinterpret_cast<const uint64_t*>(fp[-1].raw());
  return site == kBaseSite ? kNoLabel : own_label(site);
}

// Of an observed machine: the call is an event, or belongs to one, and what it does is recorded.
Value call_recorded(Machine& m, const Export* target, const Value* arguments, uint32_t count,
                    bool is_told) {
  Event& event = m.events().current();
  const size_t accesses = is_told ? 0 : event.accesses.size();
  if (!is_told) access_for_service(m, target->access, {arguments, count});
  const size_t changes = m.journal().words();
  const Value result = target->native(m.context, arguments);
  if (is_told) event.result = result;
  if (m.journal().active() && m.journal().words() == changes) {
    if (is_told) event.changes_nothing = true;
    downgrade_to_read(event, accesses);
  }
  if (m.events().watched().changes) complete_changes(m, event);
  return result;
}

}  // namespace

void call_native(STEP, Export* target, uint32_t count) {
  const Value* arguments = fp + op_a(pc);
  const bool is_told = m.stops_at_events() && is_event(m, target, arguments);
  if (is_told && !begin_event(m, pc, fp, target)) return;
  m.context.call = {target, pc, site_of(pc), fp};
  pass_labels(m, pc, arguments, count);
  const bool is_recorded = is_told || is_recorded_for_service(m, target);
  const Value result = is_recorded ? call_recorded(m, target, arguments, count, is_told)
                                   : target->native(m.context, arguments);
  const Label label = label_of_result(m, label_of_call(pc, fp), hp);
  if (m.state.stopped) return name_unsupported(m, *target, pc, site_of(pc), fp);
  hp = m.heap().top();
  if (!result.is_none()) return give_result(m, pc, fp, hp, result, label);
  if (!m.state.pending.call) {
    m.state.pending.top = native_frame(m, target, {arguments, count});
    leave_caller(m.state.pending, Instruction(*pc).op());
    return raise_pending(m, pc, fp, m.heap().top(), site_of(pc));
  }
  auto* next = const_cast<Export*>(std::exchange(m.state.pending.call, nullptr));
  const size_t values = m.state.pending.call_arguments.size();
  fp = m.ensure_stack(fp, op_a(pc) + values);
  std::copy_n(m.state.pending.call_arguments.begin(), values, fp + op_a(pc));
  for (size_t i = 0; kLabelled && i < values; ++i) set_label(m, fp + op_a(pc) + i, own_label(pc));
  m.state.pending.call_arguments.clear();
  return enter_export(m, pc, fp, hp, next, static_cast<uint32_t>(values));
}

namespace {

// What is called is not a function, or not one of so many arguments.
__attribute__((noinline)) void bad_fun(STEP, Value fun, uint32_t count) {
  m.heap().set_top(hp);
  Heap& heap = m.heap();
  static const Atom badfun = Atom::intern("badfun");
  static const Atom badarity = Atom::intern("badarity");
  if (fun.is_fun()) {
    const Value call = heap.tuple({fun, heap.list({fp + op_a(pc), count})});
    m.context.error(heap.tuple({Value(badarity), call}));
  } else {
    const Value reason = heap.tuple({Value(badfun), fun});
    m.context.error(reason);
    if constexpr (kLabelled) {
      // That of apply/2 has made room for its arguments.
      const bool is_there =
          Instruction(*pc).op() == Op::CallFun || Instruction(*pc).op() == Op::TailCallFun;
      if (is_there) store_label(m, fp + op_a(pc) + count, reason.words() + 2);
    }
  }
  label_new(m, pc, hp);
  return raise_pending(m, pc, fp, heap.top(), site_of(pc));
}

// How many arguments the list has; -1 if it is not a list.
int64_t arguments_in(Value list) {
  int64_t count = 0;
  for (; list.is_cons(); list = list.tail()) ++count;
  return list.is_nil() ? count : -1;
}

// Whether what apply/2 or apply/3 was given before the arguments could be called.
bool is_callee(std::initializer_list<Value> arguments) {
  const Value* a = arguments.begin();
  return arguments.size() == 2 || (a[0].is_atom() && a[1].is_atom());
}

// apply(erlang, apply, [M, F, A]) is apply(M, F, A), however often: the parts take the place of
// the three.
void unwrap_apply(Value& module, Value& name, Value& list) {
  static const Atom apply = Atom::intern("apply");
  while (module.is_atom(atoms::erlang) && name.is_atom(apply) && arguments_in(list) == 3) {
    module = list.head();
    name = list.tail().head();
    list = list.tail().tail().head();
  }
}

void call_fun(STEP, Value fun, uint32_t count) {
  Value* arguments = fp + op_a(pc);
  if (fun.is_box(BoxKind::Fun)) {
    auto* function = function_of(fun);
    if (function->arity != count + function->captures) return bad_fun(m, pc, fp, hp, fun, count);
    // They are few: a call of memmove would cost more.
    const std::span<const Value> captures = fun.captures();
    for (size_t i = 0; i < captures.size(); ++i) {
      arguments[count + i] = captures[i];
      load_label(m, &captures[i], arguments + count + i);
    }
    ENTER_WINDOW(function);
  }
  if (!fun.is_box(BoxKind::ExternalFun) || fun.external()->arity != count) {
    return bad_fun(m, pc, fp, hp, fun, count);
  }
  return enter_export(m, pc, fp, hp, export_of(fun), count);
}

// How many arguments apply/3 takes; apply/2 takes one less.
constexpr int64_t kMostArguments = 1023;

// The last argument is not a list, or the list is too long.
__attribute__((noinline)) void bad_apply(STEP, std::initializer_list<Value> arguments) {
  m.heap().set_top(hp);
  const bool is_limit = arguments_in(arguments.end()[-1]) > 0 && is_callee(arguments);
  is_limit ? m.context.system_limit() : m.context.badarg();
  static const Atom apply = Atom::intern("apply");
  const auto count = static_cast<uint32_t>(arguments.size());
  m.state.pending.top = native_frame(m, m.code().find_export(atoms::erlang, apply, count),
                                     {arguments.begin(), count});
  return raise_pending(m, pc, fp, m.heap().top(), site_of(pc));
}

__attribute__((noinline)) void bad_apply_dynamic(STEP) {
  const Value* arguments = fp + op_a(pc);
  const uint32_t n = op_b(pc);
  m.heap().set_top(hp);
  const Value list = m.heap().list({arguments, n});
  return bad_apply(m, pc, fp, m.heap().top(), {arguments[n], arguments[n + 1], list});
}
__attribute__((noinline)) void bad_apply_list(STEP) {
  const Value* arguments = fp + op_a(pc);
  return bad_apply(m, pc, fp, hp, {arguments[0], arguments[1], arguments[2]});
}
__attribute__((noinline)) void bad_apply_fun_list(STEP) {
  const Value* arguments = fp + op_a(pc);
  return bad_apply(m, pc, fp, hp, {arguments[0], arguments[1]});
}

void spread([[maybe_unused]] Machine& m, Value list, Value* to) {
  for (; list.is_cons(); list = list.tail(), ++to) {
    *to = list.head();
    load_label(m, list.words(), to);
  }
}

}  // namespace

// ---- Calls ------------------------------------------------------------------

void op_Call(STEP) {
  fp += op_a(pc);
  fp[-1] = Value::from_raw(reinterpret_cast<uint64_t>(pc));
  ENTER(pointer_at<Function>(pc + 1));
}

void op_TailCall(STEP) { ENTER(pointer_at<Function>(pc + 1)); }

void op_CallExport(STEP) {
  auto* target = pointer_at<Export>(pc + 1);
  if (!target->function || target->native) return enter_export(m, pc, fp, hp, target, op_b(pc));
  fp += op_a(pc);
  fp[-1] = Value::from_raw(reinterpret_cast<uint64_t>(pc));
  ENTER(target->function);
}

void op_TailCallExport(STEP) {
  auto* target = pointer_at<Export>(pc + 1);
  if (!target->function || target->native) return enter_export(m, pc, fp, hp, target, op_b(pc));
  ENTER(target->function);
}

void op_CallFun(STEP) {
  const Value* const fun = fp + op_a(pc) + op_b(pc);
  if (kLabelled && fun->is_fun()) note_use(m, pc, fun);
  return call_fun(m, pc, fp, hp, *fun, op_b(pc));
}
void op_TailCallFun(STEP) { return op_CallFun(m, pc, fp, hp); }

void op_CallDynamic(STEP) {
  const uint32_t n = op_b(pc);
  const Value module = fp[op_a(pc) + n];
  const Value name = fp[op_a(pc) + n + 1];
  if (!module.is_atom() || !name.is_atom()) return bad_apply_dynamic(m, pc, fp, hp);
  static const Atom apply = Atom::intern("apply");
  if (n == 3 && module.is_atom(atoms::erlang) && name.is_atom(apply)) [[unlikely]] {
    return op_CallList(m, pc, fp, hp);
  }
  return enter_export(m, pc, fp, hp, m.code().find_export(module.atom(), name.atom(), n), n);
}
void op_TailCallDynamic(STEP) { return op_CallDynamic(m, pc, fp, hp); }

void op_CallList(STEP) {
  const uint32_t at = op_a(pc);
  unwrap_apply(fp[at], fp[at + 1], fp[at + 2]);
  const Value module = fp[at];
  const Value name = fp[at + 1];
  const Value list = fp[at + 2];
  const int64_t count = arguments_in(list);
  if (count < 0 || count > kMostArguments || !module.is_atom() || !name.is_atom()) {
    return bad_apply_list(m, pc, fp, hp);
  }
  const auto n = static_cast<uint32_t>(count);
  fp = m.ensure_stack(fp, at + n);
  spread(m, list, fp + at);
  return enter_export(m, pc, fp, hp, m.code().find_export(module.atom(), name.atom(), n), n);
}
void op_TailCallList(STEP) { return op_CallList(m, pc, fp, hp); }

void op_CallFunList(STEP) {
  const uint32_t at = op_a(pc);
  const Value fun = fp[at];
  const Value list = fp[at + 1];
  const int64_t count = arguments_in(list);
  if (count < 0 || count >= kMostArguments) return bad_apply_fun_list(m, pc, fp, hp);
  if (kLabelled && fun.is_fun()) note_use(m, pc, fp + at);
  // Room for what the fun has captured.
  const size_t more = fun.is_box(BoxKind::Fun) ? fun.captures().size() : 0;
  fp = m.ensure_stack(fp, at + static_cast<size_t>(count) + more);
  spread(m, list, fp + at);
  return call_fun(m, pc, fp, hp, fun, static_cast<uint32_t>(count));
}
void op_TailCallFunList(STEP) { return op_CallFunList(m, pc, fp, hp); }

#define RETURN(value, label)                                         \
  do {                                                               \
    const Value result_ = (value);                                   \
    const Label label_ = (label);                                    \
    pc = reinterpret_cast<const uint64_t*>(fp[-1].raw());            \
    fp -= op_a(pc);                                                  \
    if (fp < m.state.watermark) [[unlikely]]                         \
      return return_below_watermark(m, pc, fp, hp, result_, label_); \
    fp[op_c(pc)] = result_;                                          \
    set_label(m, fp + op_c(pc), label_);                             \
    NEXT(4);                                                         \
  } while (false)

void op_Return(STEP) { RETURN(fp[op_a(pc)], get_label(m, fp + op_a(pc))); }
void op_TraceReturn(STEP) {
  m.heap().set_top(hp);
  trace_return(m, fp[0], fp[op_a(pc)]);
  return op_Return(m, pc, fp, m.heap().top());
}
void op_ReturnCons(STEP) {
  hp[0] = fp[op_b(pc)].raw();
  hp[1] = fp[op_c(pc)].raw();
  label_cons(m, pc, hp, fp + op_b(pc), fp + op_c(pc));
  hp += 2;
  RETURN(Value::cons_at(hp - 2), kNoLabel);
}
void op_ReturnLiteral(STEP) { RETURN(Value::from_raw(pc[1]), own_label(pc)); }

void op_ReportCall(STEP) {
  const auto* site = reinterpret_cast<const uint64_t*>(fp[-1].raw());
  m.calls().add({.site = site == kBaseSite ? nullptr : site,
                 .callee = pointer_at<Function>(pc + 1),
                 .process = m.process().pid.local_number(),
                 .is_return = op_a(pc) == 1});
  NEXT(2);
}

void op_Count(STEP) {
  ++*reinterpret_cast<uint64_t*>(pc[1]);
  NEXT(2);
}

void op_NativeStub(STEP) {
  m.heap().set_top(hp);
  return call_native(m, pc, fp, hp, pointer_at<Export>(pc + 1), op_b(pc));
}

void op_Unsupported(STEP) {
  m.heap().set_top(hp);
  const Function* f = m.code().function_at(pc);
  m.stop(Outcome::Kind::Unsupported,
         fmt::format("{}:{}/{} is not modelled: it is native code{}", f->module.text(),
                     f->name.text(), f->arity, called_from(m, fp)));
  // Without the stub itself.
  const core::NodeId node{static_cast<uint32_t>(pc[1])};
  m.outcome->trace = stack_trace(m, capture_trace(m, pc, node, fp)).tail();
}

// ---- Native functions -------------------------------------------------------

namespace {

// Of one that does not call: a native function whose calls are traced must know which it is.
Value apply_native(Machine& m, const Export* target, const Value* arguments) {
  m.context.call.callee = target;
  m.context.call.frame = nullptr;
  return target->native(m.context, arguments);
}

}  // namespace

void op_Native1(STEP) {
  const auto* target = pointer_at<Export>(pc + 1);
  m.heap().set_top(hp);
  pass_labels(m, pc, fp + op_b(pc), target->arity);
  const Value result = apply_native(m, target, fp + op_b(pc));
  const Label label = label_of_result(m, own_label(pc), hp);
  hp = m.heap().top();
  if (result.is_none()) [[unlikely]]
    return native_failed(m, pc, fp, hp, 2, target, fp + op_b(pc));
  fp[op_a(pc)] = result;
  set_label(m, fp + op_a(pc), label);
  NEXT(3);
}

namespace {

__attribute__((noinline)) void native2_failed(STEP) {
  const Value arguments[] = {fp[op_b(pc)], fp[op_c(pc)]};
  return native_failed(m, pc, fp, hp, 2, pointer_at<Export>(pc + 1), arguments);
}

Value call_native2(Machine& m, const Export* target, Value x, Value y) {
  const Value arguments[] = {x, y};
  return apply_native(m, target, arguments);
}

}  // namespace

void op_Native2(STEP) {
  m.heap().set_top(hp);
  pass_two_labels(m, pc, fp + op_b(pc), fp + op_c(pc));
  const Value result = call_native2(m, pointer_at<Export>(pc + 1), fp[op_b(pc)], fp[op_c(pc)]);
  const Label label = label_of_result(m, own_label(pc), hp);
  hp = m.heap().top();
  if (result.is_none()) [[unlikely]]
    return native2_failed(m, pc, fp, hp);
  fp[op_a(pc)] = result;
  set_label(m, fp + op_a(pc), label);
  NEXT(3);
}

void op_Head(STEP) {
  const Value list = fp[op_b(pc)];
  if (!list.is_cons()) [[unlikely]]
    return op_Native1(m, pc, fp, hp);
  fp[op_a(pc)] = list.head();
  load_label(m, list.words(), fp + op_a(pc));
  NEXT(3);
}

void op_Tail(STEP) {
  const Value list = fp[op_b(pc)];
  if (!list.is_cons()) [[unlikely]]
    return op_Native1(m, pc, fp, hp);
  fp[op_a(pc)] = list.tail();
  load_label(m, list.words() + 1, fp + op_a(pc));
  NEXT(3);
}

void op_ElementOf(STEP) {
  const Value index = fp[op_b(pc)];
  const Value tuple = fp[op_c(pc)];
  if (!index.is_small() || !tuple.is_tuple() ||
      static_cast<uint64_t>(index.small()) - 1 >= tuple.arity()) [[unlikely]] {
    return op_Native2(m, pc, fp, hp);
  }
  fp[op_a(pc)] = tuple.element(static_cast<size_t>(index.small()) - 1);
  load_label(m, tuple.words() + index.small(), fp + op_a(pc));
  NEXT(3);
}

// The arguments lie in a row, so it is all the same how many there are.
void op_NativeN(STEP) { return op_Native1(m, pc, fp, hp); }

}  // namespace fathom::machine::FATHOM_INTERPRETER
