#include "machine/stack_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/places.h"
#include "core/places.h"
#include "machine/interpreter.h"
#include "machine/tracing.h"
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
  for (const std::string_view name : {"zlib", "erts_debug", "erl_ddll", "net_kernel"}) {
    if (module == name) return "";
  }
  if (module == "os" || module == "prim_file" || module == "file") return "erl_kernel_errors";
  return "erl_stdlib_errors";
}

const uint64_t* call_site(const Value* fp) {
  return reinterpret_cast<const uint64_t*>(fp[-1].raw());
}

Value error_info(Machine& m, Atom module) {
  static const Atom info = Atom::intern("error_info");
  static const Atom cause = Atom::intern("cause");
  const std::string_view where = explaining_module(module.text());
  if (where.empty()) return Value::nil();
  Heap& heap = m.heap();
  const Value why = m.state.pending.cause;
  Value map = map_put(heap, empty_map(heap), Value(atoms::module), Value(Atom::intern(where)));
  if (!why.is_none()) map = map_put(heap, map, Value(cause), why);
  const Value item = heap.tuple({Value(info), map});
  return heap.list({&item, 1});
}

// A place, followed by what else is said of the frame.
Value with_extra(Heap& heap, Value where, Value extra) {
  if (extra.is_nil()) return where;
  std::vector<Value> items;
  for (; where.is_cons(); where = where.tail()) items.push_back(where.head());
  return heap.list(items, extra);
}

// Whether OTP would have put the function's body in place of the call at that address.
bool is_inlined_by(const Function& function, Value site) {
  const auto* pc = reinterpret_cast<const uint64_t*>(site.small());
  return function.is_inlined && Instruction(*pc).op() == Op::Call &&
         pointer_at<const Function>(pc + 1) == &function;
}

// What erlang:system_flag(backtrace_depth, _) was given; the frame that raises is always there.
size_t backtrace_depth(Machine& m) {
  const Value flags = m.shared().system_flags.map;
  if (flags.is_none()) return kTraceDepth;
  static const Atom depth = Atom::intern("backtrace_depth");
  const Value given = map_get(flags, Value(depth));
  return given.is_none() ? kTraceDepth : static_cast<size_t>(std::max<int64_t>(given.small(), 1));
}

std::string called_from(Machine& m, const uint64_t* pc, core::NodeId node) {
  const Function* f = m.code().function_at(pc);
  if (!f) return "";
  return fmt::format("; called from {}:{}/{} ({})", f->module.text(), f->name.text(), f->arity,
                     place_text(f, node));
}

}  // namespace

Value capture_trace(Machine& m, const uint64_t* pc, core::NodeId node, const Value* fp,
                    size_t frames) {
  if (frames == kTraceDepth) frames = backtrace_depth(m);
  const Pending& pending = m.state.pending;
  std::vector<Value> parts;
  parts.push_back(pending.top.is_none() ? Value::nil() : pending.top);
  parts.push_back(pending.arguments.is_none() ? Value(atoms::undefined) : pending.arguments);
  parts.push_back(pending.extra);
  const auto frame = [&](const uint64_t* at, core::NodeId who) {
    parts.push_back(small_of(at));
    parts.push_back(Value::small(static_cast<int64_t>(who)));
  };
  if (!pending.replaces_frame) frame(pc, node);
  const size_t depth = frames - (pending.top.is_none() ? 0 : 1);
  const uint64_t* previous = nullptr;
  while (parts.size() < kFrames + 2 * depth) {
    const uint64_t* site = call_site(fp);
    if (site == kBaseSite) break;
    fp -= op_a(site);
    if (site == previous) continue;
    previous = site;
    frame(site, core::NodeId{static_cast<uint32_t>(site[3])});
  }
  return m.heap().tuple(parts);
}

bool is_caught(Machine& m, const uint64_t* pc, const Value* fp) {
  while (true) {
    const Function* function = m.code().function_at(pc);
    if (function && handler_at(*function, pc)) return true;
    pc = call_site(fp);
    if (pc == kBaseSite) return false;
    spend();
    fp -= op_a(pc);
  }
}

std::string called_from(Machine& m, const Value* fp) {
  const uint64_t* site = call_site(fp);
  if (site == kBaseSite) return "";
  return called_from(m, site, core::NodeId{static_cast<uint32_t>(site[3])});
}

void name_unsupported(Machine& m, const Export& callee, const uint64_t* pc, core::NodeId node,
                      const Value* fp) {
  if (!std::exchange(m.state.pending.unsupported, false)) return;
  const std::string what = std::exchange(m.outcome->message, {});
  // The stub of a native function is not shown.
  const bool in_stub = Instruction(*pc).op() == Op::NativeStub;
  m.outcome->message = fmt::format("{}:{}/{} is not modelled{}{}{}", callee.module.text(),
                                   callee.name.text(), callee.arity, what.empty() ? "" : ": ", what,
                                   in_stub ? called_from(m, fp) : called_from(m, pc, node));
  // Deep enough to reach the program through OTP's libraries.
  constexpr size_t kFramesShown = 24;
  m.outcome->trace = stack_trace(m, capture_trace(m, pc, node, fp, kFramesShown));
  if (in_stub) m.outcome->trace = m.outcome->trace.tail();
}

Value location(Machine& m, const Function& function, core::NodeId node) {
  const auto at = core::file_line(*function.owner->core, node);
  if (!at) return Value::nil();
  static const Atom line = Atom::intern("line");
  const Value items[] = {m.heap().tuple({Value(atoms::file), m.heap().string_utf8(at->file)}),
                         m.heap().tuple({Value(line), Value::small(at->line)})};
  return m.heap().list(items);
}

Value stack_trace(Machine& m, Value raw) {
  if (!raw.is_tuple()) return raw;
  const std::span<const Value> parts = raw.elements();
  std::vector<Value> frames;
  if (!parts[kTop].is_nil()) frames.push_back(parts[kTop]);
  Value where = Value::none();  // of an inlined function whose frame is that of its caller
  bool is_first = true;
  for (size_t i = kFrames; i + 1 < parts.size(); i += 2) {
    const auto* pc = reinterpret_cast<const uint64_t*>(parts[i].small());
    const Function* f = m.code().function_at(pc);
    if (!f) continue;
    if (where.is_none()) {
      where = location(m, *f, core::NodeId{static_cast<uint32_t>(parts[i + 1].small())});
      if (i == kFrames) where = with_extra(m.heap(), where, parts[kExtra]);
    }
    if (i + 3 < parts.size() && is_inlined_by(*f, parts[i + 2])) continue;
    const bool with_arguments = is_first && parts[kArguments].is_list();
    frames.push_back(
        m.heap().tuple({Value(f->module), Value(f->name),
                        with_arguments ? parts[kArguments] : Value::small(f->arity), where}));
    where = Value::none();
    is_first = false;
  }
  return m.heap().list(frames);
}

namespace {

// Whether the frames from there on are those of calls. They are not if a limit has ended an
// instruction half-way (base/budget.h): then what is known of the process is what it was before.
bool has_frames(Machine& m, const Process& p, const Value* fp) {
  for (size_t i = 0; i < kTraceDepth; ++i) {
    if (fp <= p.stack.data()) return false;
    const uint64_t* site = call_site(fp);
    if (site == kBaseSite) return true;
    if (site != kTraceSite && !m.code().function_at(site)) return false;
    fp -= op_a(site);
  }
  return true;
}

}  // namespace

Value stack_trace(Machine& m, const Process& p) {
  const Value* fp = p.stack.data() + p.frame;
  const Function* f = m.code().function_at(p.pc);
  if (!f) {
    // At its beginning, or back there.
    static const Atom hibernate = Atom::intern("hibernate");
    const bool waits = p.status == Process::Status::Waiting;
    int64_t arity = 0;
    for (Value rest = fp[2]; rest.is_cons(); rest = rest.tail()) ++arity;
    const Value frame = waits ? m.heap().tuple({Value(atoms::erlang), Value(hibernate),
                                                Value::small(3), Value::nil()})
                              : m.heap().tuple({fp[0], fp[1], Value::small(arity), Value::nil()});
    return m.heap().list({&frame, 1});
  }
  if (!has_frames(m, p, fp)) {
    const Value frame =
        m.heap().tuple({Value(f->module), Value(f->name), Value::small(f->arity), Value::nil()});
    return m.heap().list({&frame, 1});
  }
  const core::Module& core = *f->owner->core;
  const bool receives = Instruction(*p.pc).op() == Op::ReceivePeek;
  const core::NodeId node = receives ? fail_word(p.pc[1]).node : core.nodes(core[f->id].body)[0];
  return stack_trace(m, capture_trace(m, p.pc, node, fp));
}

Value native_frame(Machine& m, const Export* target, std::span<const Value> arguments) {
  if (m.state.pending.in_caller || !m.state.pending.top.is_none()) return m.state.pending.top;
  return m.heap().tuple({Value(target->module), Value(target->name), m.heap().list(arguments),
                         error_info(m, target->module)});
}

}  // namespace fathom::machine
