// Raising: from an exception that is pending to its handler.
//
// A handler is found by the place of the instruction that raised, then by those of
// the calls on the stack, from the innermost outwards; a try itself costs nothing.
//
// A trace is kept raw until somebody looks at it: a tuple of the frame above the
// raising function (or []), the arguments of that function if they belong into the
// trace (or an atom), what else belongs into its frame (a list), and then pairs of an
// address in the code and a node, as integers.
// As in OTP at most kTraceDepth frames are kept, and of equal ones in a row one.
#include <fmt/format.h>

#include <cassert>

#include "code/places.h"
#include "core/places.h"
#include "core/raise.h"
#include "machine/interpreter.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

// The parts of a raw trace.
constexpr size_t kTop = 0;
constexpr size_t kArguments = 1;
constexpr size_t kExtra = 2;
constexpr size_t kFrames = 3;

Value small_of(const void* pointer) {
  return Value::small(static_cast<int64_t>(reinterpret_cast<uint64_t>(pointer)));
}

// Whose errors OTP explains in which module; none for what are NIFs there.
std::string_view explaining_module(std::string_view module) {
  for (const std::string_view name :
       {"erlang", "atomics", "counters", "erts_internal", "persistent_term", "unicode_util"}) {
    if (module == name) return "erl_erts_errors";
  }
  if (module == "zlib") return "";
  if (module == "os" || module == "prim_file" || module == "file") return "erl_kernel_errors";
  return "erl_stdlib_errors";
}

const uint64_t* call_site(const Value* fp) {
  return reinterpret_cast<const uint64_t*>(fp[-1].raw());
}

}  // namespace

Value Machine::error_info(Atom module) {
  static const Atom info = Atom::intern("error_info");
  static const Atom cause = Atom::intern("cause");
  const std::string_view where = explaining_module(module.text());
  if (where.empty()) return Value::nil();
  Value map = map_put(heap_, empty_map(heap_), Value(atoms::module), Value(Atom::intern(where)));
  if (!state.pending.cause.is_none()) map = map_put(heap_, map, Value(cause), state.pending.cause);
  const Value item = heap_.tuple({Value(info), map});
  return heap_.list({&item, 1});
}

Value Machine::capture_trace(const uint64_t* pc, core::NodeId node, const Value* fp,
                             size_t frames) {
  std::vector<Value> parts;
  parts.push_back(state.pending.top.is_none() ? Value::nil() : state.pending.top);
  parts.push_back(state.pending.arguments.is_none() ? Value(atoms::undefined)
                                                    : state.pending.arguments);
  parts.push_back(state.pending.extra);
  const auto frame = [&](const uint64_t* at, core::NodeId who) {
    parts.push_back(small_of(at));
    parts.push_back(Value::small(static_cast<int64_t>(who)));
  };
  if (!state.pending.replaces_frame) frame(pc, node);
  const size_t depth = frames - (state.pending.top.is_none() ? 0 : 1);
  const uint64_t* previous = nullptr;
  while (parts.size() < kFrames + 2 * depth) {
    const uint64_t* site = call_site(fp);
    if (site == kBaseSite) break;
    fp -= op_a(site);
    if (site == previous) continue;
    previous = site;
    frame(site, core::NodeId{static_cast<uint32_t>(site[3])});
  }
  return heap_.tuple(parts);
}

std::string Machine::called_from(const Value* fp) {
  const uint64_t* site = call_site(fp);
  if (site == kBaseSite) return "";
  return called_from(site, core::NodeId{static_cast<uint32_t>(site[3])});
}

std::string Machine::called_from(const uint64_t* pc, core::NodeId node) {
  const Function* f = code_.function_at(pc);
  if (!f) return "";
  return fmt::format("; called from {}:{}/{} ({})", f->module.text(), f->name.text(), f->arity,
                     place_text(f, node));
}

void Machine::name_unsupported(const Export& callee, const uint64_t* pc, core::NodeId node,
                               const Value* fp) {
  if (!std::exchange(state.pending.unsupported, false)) return;
  const std::string what = std::exchange(outcome->message, {});
  // The stub of a native function is not there, as far as anybody can see.
  const bool in_stub = Instruction(*pc).op() == Op::NativeStub;
  outcome->message = fmt::format("{}:{}/{} is not modelled{}{}{}", callee.module.text(),
                                 callee.name.text(), callee.arity, what.empty() ? "" : ": ", what,
                                 in_stub ? called_from(fp) : called_from(pc, node));
  // Deep enough to reach the program through OTP's libraries.
  constexpr size_t kFramesShown = 24;
  outcome->trace = stacktrace(capture_trace(pc, node, fp, kFramesShown));
  if (in_stub) outcome->trace = outcome->trace.tail();
}

namespace {

// With what reason a process ends that does not catch the exception.
Value exit_reason(Heap& heap, const Exception& e) {
  static const Atom exit = Atom::intern("exit");
  static const Atom nocatch = Atom::intern("nocatch");
  if (e.exception_class.is_atom(exit)) return e.reason;
  const bool is_error = e.exception_class.is_atom(atoms::error);
  return heap.tuple({is_error ? e.reason : heap.tuple({Value(nocatch), e.reason}), e.trace});
}

// Where a process goes on that has not caught an exception.
const uint64_t kDie[] = {Instruction(Op::Die, 0, 0, 0).word};

}  // namespace

// What analyses rely on: only nodes that may raise do.
[[maybe_unused]] static bool is_expected_to_raise(const Function* f, core::NodeId node) {
  return !f || !f->owner || core::may_raise(*f->owner->core, node);
}

void raise_pending(STEP, core::NodeId node) {
  assert(is_expected_to_raise(m.code().function_at(pc), node));
  m.heap().set_top(hp);
  Pending& pending = m.state.pending;
  if (!pending.has_trace) pending.exception.trace = m.capture_trace(pc, node, fp);
  const Exception e = pending.exception;
  pending = {};
  for (;;) {
    const Function* function = m.code().function_at(pc);
    const auto offset = function ? static_cast<uint32_t>(pc - function->code.data()) : 0;
    if (function) {
      for (const Handler& handler : function->handlers) {
        if (offset < handler.from || offset >= handler.to) continue;
        if (fp < m.state.watermark) m.reenter(fp);
        fp[handler.exception_class] = e.exception_class;
        fp[handler.reason] = e.reason;
        fp[handler.trace] = e.trace;
        hp = m.heap().top();
        RESUME(function->code.data() + handler.target);
      }
    }
    pc = call_site(fp);
    if (pc == kBaseSite) break;
    fp -= op_a(pc);
  }
  fp = m.process().stack.data() + 1;
  if (fp < m.state.watermark) m.reenter(fp);
  fp[0] = e.exception_class;
  fp[1] = e.reason;
  fp[2] = m.stacktrace(e.trace);
  hp = m.heap().top();
  RESUME(kDie);
}

void op_Die(STEP) {
  m.heap().set_top(hp);
  if (m.stops_at_events() && !m.performs(EventKind::Exit, pc, {})) {
    return m.pause_before_event(pc, fp, 3);
  }
  const Exception e{fp[0], fp[1], fp[2]};
  const Value reason = exit_reason(m.heap(), e);
  if (!e.exception_class.is_atom(Atom::intern("exit")) && !m.is_first(m.process()) &&
      !m.process().is_system) {
    log_crash(m, reason);
  }
  terminate(m, m.process(), reason,
            {.kind = Outcome::Kind::Exception,
             .value = e.reason,
             .exception_class = e.exception_class,
             .trace = e.trace,
             .message = {}});
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
  if (m.state.stopped) return m.name_unsupported(*target, pc, fail.node, fp);
  if (fail.offset != 0) {
    m.state.pending = {};
    RESUME(pc + fail.offset);
  }
  m.heap().set_top(hp);
  m.state.pending.top = m.native_frame(target, {arguments, target->arity});
  return raise_pending(m, pc, fp, m.heap().top(), fail.node);
}

// ---- Traces as terms --------------------------------------------------------

Value Machine::location(const Function& function, core::NodeId node) {
  const auto at = core::file_line(*function.owner->core, node);
  if (!at) return Value::nil();
  static const Atom line = Atom::intern("line");
  const Value items[] = {heap_.tuple({Value(atoms::file), heap_.string_utf8(at->file)}),
                         heap_.tuple({Value(line), Value::small(at->line)})};
  return heap_.list(items);
}

Value Machine::stacktrace(Value raw) {
  if (!raw.is_tuple()) return raw;
  const std::span<const Value> parts = raw.elements();
  std::vector<Value> frames;
  if (!parts[kTop].is_nil()) frames.push_back(parts[kTop]);
  for (size_t i = kFrames; i + 1 < parts.size(); i += 2) {
    const auto* pc = reinterpret_cast<const uint64_t*>(parts[i].small());
    const Function* f = code_.function_at(pc);
    if (!f) continue;
    Value where = location(*f, core::NodeId{static_cast<uint32_t>(parts[i + 1].small())});
    if (i == kFrames && !parts[kExtra].is_nil()) {
      std::vector<Value> items;
      for (; where.is_cons(); where = where.tail()) items.push_back(where.head());
      where = heap_.list(items, parts[kExtra]);
    }
    const bool with_arguments = i == kFrames && parts[kArguments].is_list();
    frames.push_back(
        heap_.tuple({Value(f->module), Value(f->name),
                     with_arguments ? parts[kArguments] : Value::small(f->arity), where}));
  }
  return heap_.list(frames);
}

Value Machine::stacktrace(const Process& p) {
  const Value* fp = p.stack.data() + p.frame;
  const Function* f = code_.function_at(p.pc);
  if (!f) {
    // At its beginning, or back there.
    static const Atom hibernate = Atom::intern("hibernate");
    const bool waits = p.status == Process::Status::Waiting;
    int64_t arity = 0;
    for (Value rest = fp[2]; rest.is_cons(); rest = rest.tail()) ++arity;
    const Value frame =
        waits ? heap_.tuple({Value(atoms::erlang), Value(hibernate), Value::small(3), Value::nil()})
              : heap_.tuple({fp[0], fp[1], Value::small(arity), Value::nil()});
    return heap_.list({&frame, 1});
  }
  const core::Module& core = *f->owner->core;
  const bool receives = Instruction(*p.pc).op() == Op::ReceivePeek;
  const core::NodeId node =
      receives ? fail_word(p.pc[1]).node : core.nodes(core[core::FunctionId{f->index}].body)[0];
  return stacktrace(capture_trace(p.pc, node, fp));
}

// ---- Instructions -----------------------------------------------------------

void op_Raise(STEP) {
  m.state.pending.exception = {fp[op_a(pc)], fp[op_b(pc)], fp[op_c(pc)]};
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
        heap.tuple({Value(f->module), Value(f->name), heap.list(values), m.location(*f, node)});
    m.state.pending.replaces_frame = true;
  } else {
    m.context.error(values.empty() ? error : heap.tuple({error, values[0]}));
  }
  return raise_pending(m, pc, fp, heap.top(), node);
}

// ---- For native functions ---------------------------------------------------

Value Context::raise(Atom exception_class, Value reason) {
  machine.state.pending.exception = {Value(exception_class), reason, Value::nil()};
  return Value::none();
}

Value Context::error(Value reason) { return raise(atoms::error, reason); }

Value Context::badarg() {
  static const Atom badarg = Atom::intern("badarg");
  return error(Value(badarg));
}

Value Context::badarg_because(Atom cause) {
  machine.state.pending.cause = Value(cause);
  return badarg();
}

Value Context::badarith() {
  static const Atom badarith = Atom::intern("badarith");
  return error(Value(badarith));
}

Value Context::system_limit() {
  static const Atom system_limit = Atom::intern("system_limit");
  return error(Value(system_limit));
}

Value Context::raise_in_caller(Atom exception_class, Value reason, Value arguments, Value extra) {
  raise(exception_class, reason);
  machine.state.pending.in_caller = true;
  machine.state.pending.arguments = arguments;
  machine.state.pending.extra = extra;
  return Value::none();
}

Value Context::raise_with_trace(Atom exception_class, Value reason, Value trace) {
  raise(exception_class, reason);
  machine.state.pending.exception.trace = trace;
  machine.state.pending.has_trace = true;
  return Value::none();
}

Value Context::unsupported(std::string_view what) {
  machine.stop(Outcome::Kind::Unsupported, std::string(what));
  machine.state.pending.unsupported = true;
  return Value::none();
}

Value Context::tail_call(Atom module, Atom name, std::span<const Value> arguments) {
  machine.state.pending.call =
      machine.code().find_export(module, name, static_cast<uint32_t>(arguments.size()));
  machine.state.pending.call_arguments.assign(arguments.begin(), arguments.end());
  return Value::none();
}

}  // namespace fathom::machine
