#include "machine/tracing.h"

#include <algorithm>
#include <vector>

#include "machine/interpreter.h"
#include "machine/match_spec.h"
#include "values/maps.h"

namespace fathom::machine {

using namespace trace_flag;

namespace {

constexpr size_t kTraceFrame = 2;       // words: what was called, and the place of the call
constexpr uint64_t kKeepsFirst = 0b11;  // LiveMask of register 0

}  // namespace

const uint64_t kTraceSite[] = {Instruction(Op::Call, kTraceFrame, 0, 1).word, 0, kKeepsFirst, 0,
                               Instruction(Op::TraceReturn, 1, 0, 0).word};

namespace {

Value key_of(Heap& heap, const Mfa& f) {
  return heap.tuple({Value(f.module), Value(f.name), Value::small(f.arity)});
}

Value entry_of(Value map, Value key) { return map.is_none() ? map : map_get(map, key); }

std::optional<Traced> unpacked(Value entry) {
  if (entry.is_none()) return std::nullopt;
  return Traced{static_cast<uint32_t>(entry.element(0).small()), entry.element(1)};
}

void change(Machine& m, Value& map, Value key, Value value) {
  const Value before = map.is_none() ? empty_map(m.heap()) : map;
  m.journal().set(map, value.is_none() ? map_remove(m.heap(), before, key)
                                       : map_put(m.heap(), before, key, value));
}

Value moment(Machine& m, uint32_t flags) {
  const int64_t now = m.clock().read(m.process());
  Heap& heap = m.heap();
  if (flags & kTimestamp) {
    constexpr int64_t kMicro = 1'000'000;
    const int64_t micro = now / 1000;
    return heap.tuple({Value::small(micro / kMicro / kMicro), Value::small(micro / kMicro % kMicro),
                       Value::small(micro % kMicro)});
  }
  if (flags & kStrictlyMonotonic) {
    const auto number = static_cast<int64_t>(m.numbers().reference(m.process()));
    return heap.tuple({heap.integer(now), heap.integer(number)});
  }
  return flags & kMonotonic ? heap.integer(now) : Value::none();
}

// {trace, Pid, Part, …}, or {trace_ts, Pid, Part, …, Moment}. A tracer that is gone traces no more;
// nobody is told of what it does itself.
void tell(Machine& m, const Traced& how, Value pid, std::span<const Value> parts) {
  if (how.tracer == pid) return;
  Process* const tracer = m.processes().find(how.tracer);
  if (!tracer || tracer->is_exiting) return set_traced(m, pid, {});
  const Value when = moment(m, how.flags);
  std::vector<Value> message = {atom(when.is_none() ? "trace" : "trace_ts"), pid};
  message.insert(message.end(), parts.begin(), parts.end());
  if (!when.is_none()) message.push_back(when);
  m.deliver_untraced(*tracer, m.heap().tuple(message));
}

void tell(Machine& m, const Traced& how, Value pid, std::initializer_list<Value> parts) {
  tell(m, how, pid, std::span<const Value>(parts.begin(), parts.size()));
}

std::optional<Traced> traced_for(Machine& m, const Process& p, uint32_t flag) {
  if (m.shared().tracing.processes.is_none() || p.is_system) return std::nullopt;
  const auto how = traced(m, p.pid);
  return how && (how->flags & flag) ? how : std::nullopt;
}

// What a specification says of an object: none: it does not match.
std::optional<TraceActions> run_spec(Machine& m, Value spec, Value object, Value caller) {
  TraceActions actions;
  actions.caller = caller;
  if (!spec.is_cons()) return actions;
  auto compiled = MatchSpec::compile(m.context, spec, nullptr, MatchSpec::Dialect::Trace);
  if (!compiled) return std::nullopt;
  TraceActions* const outer = std::exchange(running_trace_actions(), &actions);
  const bool matches = !compiled->run(m.context, object).is_none();
  running_trace_actions() = outer;
  return matches ? std::optional(actions) : std::nullopt;
}

bool is_silenced(const TraceActions& actions) { return actions.message == Value::boolean(false); }

// With what {message, Extra} adds.
void tell_with(Machine& m, const Traced& how, Value pid, std::initializer_list<Value> parts,
               const TraceActions& actions) {
  if (is_silenced(actions)) return;
  std::vector<Value> all(parts);
  if (!actions.message.is_none() && actions.message != Value::boolean(true)) {
    all.push_back(actions.message);
  }
  tell(m, how, pid, all);
}

}  // namespace

TraceActions*& running_trace_actions() {
  thread_local TraceActions* running = nullptr;
  return running;
}

// ---- Who and what is traced -------------------------------------------------

bool is_tracing(Machine& m) { return !m.shared().tracing.processes.is_none(); }

std::optional<Traced> traced(Machine& m, Value pid) {
  return unpacked(entry_of(m.shared().tracing.processes, pid));
}

void set_traced(Machine& m, Value pid, const Traced& traced) {
  const Value entry = m.heap().tuple({Value::small(traced.flags), traced.tracer});
  change(m, m.shared().tracing.processes, pid, traced.flags == 0 ? Value::none() : entry);
}

std::optional<TracedFunction> traced_function(Machine& m, const Mfa& function) {
  const Value map = m.shared().tracing.functions;
  if (map.is_none()) return std::nullopt;
  const Value entry = map_get(map, key_of(m.heap(), function));
  if (entry.is_none()) return std::nullopt;
  const auto or_none = [&](size_t i) {
    return entry.element(i).is_nil() ? Value::none() : entry.element(i);
  };
  TracedFunction how;
  how.calls = static_cast<TracedFunction::Calls>(entry.element(0).small());
  how.spec = entry.element(1);
  how.meta = or_none(2);
  how.meta_spec = entry.element(3);
  how.count = or_none(4);
  how.is_paused = entry.element(5).is_atom(atoms::true_);
  return how;
}

void set_traced_function(Machine& m, const Mfa& function, const TracedFunction& how) {
  const auto or_nil = [](Value value) { return value.is_none() ? Value::nil() : value; };
  const Value entry =
      m.heap().tuple({Value::small(static_cast<int64_t>(how.calls)), how.spec, or_nil(how.meta),
                      how.meta_spec, or_nil(how.count), Value::boolean(how.is_paused)});
  change(m, m.shared().tracing.functions, key_of(m.heap(), function),
         how.is_empty() ? Value::none() : entry);
}

// ---- Processes and messages -------------------------------------------------

void trace_spawn(Machine& m, const Process& parent, const Process& child, Value call) {
  Tracing& tracing = m.shared().tracing;
  if (const auto how = traced(m, parent.pid)) {
    constexpr uint32_t kBoth = kSetOnSpawn | kSetOnFirstSpawn;
    if (how->flags & kProcesses) tell(m, *how, parent.pid, {atom("spawn"), child.pid, call});
    if (how->flags & kBoth) {
      const uint32_t passed = how->flags & ~(how->flags & kSetOnSpawn ? 0 : kSetOnFirstSpawn);
      set_traced(m, child.pid, {passed, how->tracer});
      if (!(how->flags & kSetOnSpawn)) set_traced(m, parent.pid, {passed, how->tracer});
    }
  }
  const auto created = unpacked(tracing.created);
  if (created && !traced(m, child.pid)) set_traced(m, child.pid, *created);
  const auto its = traced_for(m, child, kProcesses);
  if (its) tell(m, *its, child.pid, {atom("spawned"), parent.pid, call});
}

void trace_exit(Machine& m, const Process& p, Value reason) {
  const auto how = traced(m, p.pid);
  if (!how) return;
  if (how->flags & kProcesses) tell(m, *how, p.pid, {atom("exit"), reason});
  set_traced(m, p.pid, {});
}

void trace_process(Machine& m, const Process& p, std::string_view tag, Value whom) {
  if (const auto how = traced_for(m, p, kProcesses)) tell(m, *how, p.pid, {atom(tag), whom});
}

void trace_link(Machine& m, const Process& p, Value to) {
  const auto how = traced(m, p.pid);
  if (how && (how->flags & (kSetOnLink | kSetOnFirstLink)) && !traced(m, to)) {
    const uint32_t passed = how->flags & ~(how->flags & kSetOnLink ? 0 : kSetOnFirstLink);
    set_traced(m, to, {passed, how->tracer});
    if (!(how->flags & kSetOnLink)) set_traced(m, p.pid, {passed, how->tracer});
  }
  trace_process(m, p, "link", to);
  const Process* const other = m.processes().find(to);
  if (other) trace_process(m, *other, "getting_linked", p.pid);
}

void trace_send(Machine& m, const Process& from, Value destination, Value message, bool is_there) {
  const auto how = traced_for(m, from, kSend);
  if (!how || (how->flags & kSilent)) return;
  const Value object[] = {destination, message};
  const auto actions =
      run_spec(m, m.shared().tracing.sent, m.heap().list(object), Value(atoms::undefined));
  if (!actions) return;
  const Value tag = atom(is_there ? "send" : "send_to_non_existing_process");
  tell_with(m, *how, from.pid, {tag, message, destination}, *actions);
}

void trace_receive(Machine& m, const Process& to, Value message) {
  const auto how = traced_for(m, to, kReceive);
  if (!how || (how->flags & kSilent)) return;
  const Value sender = m.process().pid;
  const Value object[] = {atom("nonode@nohost"), sender, message};
  const auto actions =
      run_spec(m, m.shared().tracing.received, m.heap().list(object), Value(atoms::undefined));
  if (actions) tell_with(m, *how, to.pid, {atom("receive"), message}, *actions);
}

// ---- Calls ------------------------------------------------------------------

namespace {

const uint64_t* site_below(const Value* fp) {
  return reinterpret_cast<const uint64_t*>(fp[-1].raw());
}

// The function that has called, or undefined: at the place of the call, or of a tail call below.
Value caller_of(Machine& m, const uint64_t* pc, const Value* fp) {
  if (!fp) return Value(atoms::undefined);  // a native function that does not call does not know
  const Function* f = is_tail_call(pc) ? nullptr : m.code().function_at(pc);
  for (const uint64_t* site = site_below(fp); !f && site != kBaseSite; site = site_below(fp)) {
    f = m.code().function_at(site);
    fp -= op_a(site);
  }
  return f ? key_of(m.heap(), {f->module, f->name, f->arity}) : Value(atoms::undefined);
}

Value call_shown(Machine& m, const Mfa& f, std::span<const Value> arguments, uint32_t flags) {
  Heap& heap = m.heap();
  if (flags & kArity) return key_of(heap, f);
  return heap.tuple({Value(f.module), Value(f.name), heap.list(arguments)});
}

Mfa mfa_of(const Function& f) { return {f.module, f.name, f.arity - f.captures}; }

struct Told {
  Traced traced;
  TraceActions actions;
};

// Tells of the call what is to be told. None: its return is nobody's concern.
std::optional<Told> tell_call(Machine& m, const Mfa& f, TracedFunction how, bool is_local,
                              std::span<const Value> arguments, Value caller) {
  if (!how.count.is_none() && !how.is_paused) {
    how.count = m.heap().integer(how.count.small() + 1);
    set_traced_function(m, f, how);
  }
  const Value list = m.heap().list(arguments);
  const Value self = m.process().pid;
  if (!how.meta.is_none()) {
    const Traced meta{kTimestamp, how.meta};
    const auto actions = run_spec(m, how.meta_spec, list, caller);
    if (actions) tell_with(m, meta, self, {atom("call"), call_shown(m, f, arguments, 0)}, *actions);
  }
  using Calls = TracedFunction::Calls;
  if (how.calls == Calls::None || (how.calls == Calls::Global && is_local)) return std::nullopt;
  const auto mine = traced_for(m, m.process(), kCall);
  if (!mine) return std::nullopt;
  const auto actions = run_spec(m, how.spec, list, caller);
  if (!actions) return std::nullopt;
  const auto now = traced(m, self);  // an action may have changed it
  if (!now) return std::nullopt;
  const bool is_silent = (now->flags & kSilent) != 0;
  if (!is_silent) {
    tell_with(m, *now, self, {atom("call"), call_shown(m, f, arguments, now->flags)}, *actions);
  }
  const bool is_told = !is_silent && (actions->returns || actions->exceptions);
  return is_told ? std::optional(Told{*now, *actions}) : std::nullopt;
}

}  // namespace

void hide_if_traced(Machine& m, Function& function) {
  if (m.shared().tracing.functions.is_none() || !function.entry) return;
  if (traced_function(m, mfa_of(function))) {
    m.journal().set(function.entry, static_cast<const uint64_t*>(nullptr));
  }
}

Value* trace_call(Machine& m, const uint64_t* pc, Value* fp, Function& function) {
  const Mfa f = mfa_of(function);
  const auto how = traced_function(m, f);
  if (!how) {
    if (!function.code.empty()) {
      m.journal().set(function.entry, static_cast<const uint64_t*>(function.code.data()));
    }
    return fp;
  }
  const Op op = Instruction(*pc).op();
  const bool is_local = op == Op::Call || op == Op::TailCall;
  const auto told = tell_call(m, f, *how, is_local, {fp, f.arity}, caller_of(m, pc, fp));
  if (!told) return fp;
  const Value call = m.heap().tuple({Value(f.module), Value(f.name), Value::small(f.arity),
                                     Value::boolean(told->actions.exceptions)});
  fp = m.ensure_stack(fp, function.arity + kTraceFrame);
  std::copy_backward(fp, fp + function.arity, fp + function.arity + kTraceFrame);
  fp[0] = call;
  fp[1] = Value::from_raw(reinterpret_cast<uint64_t>(kTraceSite));
  return fp + kTraceFrame;
}

namespace {

Value called(Machine& m, Value call) {
  return m.heap().tuple({call.element(0), call.element(1), call.element(2)});
}

}  // namespace

void trace_return(Machine& m, Value call, Value result) {
  const auto how = traced_for(m, m.process(), kCall);
  if (how) tell(m, *how, m.process().pid, {atom("return_from"), called(m, call), result});
}

void trace_exception(Machine& m, Value call, Value exception_class, Value reason) {
  const auto how = traced_for(m, m.process(), kCall);
  if (!how || !call.element(3).is_atom(atoms::true_)) return;
  const Value what = m.heap().tuple({exception_class, reason});
  tell(m, *how, m.process().pid, {atom("exception_from"), called(m, call), what});
}

std::optional<Traced> trace_native_call(Machine& m, const Export& function,
                                        std::span<const Value> arguments) {
  const auto how = traced_function(m, function);
  if (!how) return std::nullopt;
  const Context::Call& call = m.context.call;
  const auto told =
      tell_call(m, function, *how, false, arguments, caller_of(m, call.site, call.frame));
  return told ? std::optional(told->traced) : std::nullopt;
}

void trace_native_return(Machine& m, const Traced& traced, const Export& function, Value result) {
  const Value what = key_of(m.heap(), function);
  const Value self = m.process().pid;
  if (!result.is_none()) return tell(m, traced, self, {atom("return_from"), what, result});
  if (m.state.pending.call) return;  // it goes on as another function
  const Exception& e = m.state.pending.exception;
  const Value raised = m.heap().tuple({e.exception_class, e.reason});
  tell(m, traced, self, {atom("exception_from"), what, raised});
}

}  // namespace fathom::machine
