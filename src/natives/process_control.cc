// What one process does to another beside signals: suspending, and requests that BEAM
// leaves to the other one to carry out. Here they are carried out at once.
#include <optional>

#include "machine/services.h"
#include "machine/signals.h"
#include "machine/stack_trace.h"
#include "natives/dump_texts.h"
#include "natives/families.h"
#include "natives/old_code.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::process_control_natives {
namespace {

Process* other_process(Context& c, Value pid) {
  Process* p = ask(c.machine, pid);
  return p == &c.machine.process() ? nullptr : p;
}

// ---- Suspending -------------------------------------------------------------

struct SuspendOptions {
  bool unless_suspending = false;
  bool is_asynchronous = false;
  Value tag = Value::none();  // asynchronous: of the message that says what came of it
};

std::optional<SuspendOptions> suspend_options(Value list) {
  SuspendOptions options;
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (option == atom("unless_suspending")) {
      options.unless_suspending = true;
    } else if (option == atom("asynchronous")) {
      options.is_asynchronous = true;
    } else if (option.is_tuple(2) && option.element(0) == atom("asynchronous")) {
      options.is_asynchronous = true;
      options.tag = option.element(1);
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

// Where that takes time. What is to be returned: the reference of the answer that erlang.erl waits
// for; none: it does not take time.
Value request_suspension(Context& c, Value pid, const SuspendOptions& options) {
  Machine& m = c.machine;
  Value answer = Value::nil();
  Value result = Value::boolean(true);
  if (!options.is_asynchronous) {
    result = c.heap.reference(m.numbers().reference(m.process()));
    answer = c.heap.tuple({result, Value::boolean(true)});
  } else if (!options.tag.is_none()) {
    answer = c.heap.tuple({options.tag, atom("suspended")});
  }
  return suspend_by_signal(m, m.process(), pid, answer) ? result : Value::none();
}

// true, false (it was suspended already), badopt or badarg, or a reference: erlang.erl raises, or
// waits for the answer.
Value suspend_process_2(Context& c, const Value* a) {
  const auto options = suspend_options(a[1]);
  if (!options) return atom("badopt");
  Machine& m = c.machine;
  const auto is_suspending = [&] { return !map_get(m.process().suspending, a[0]).is_none(); };
  const bool is_other = a[0].is_local_pid() && a[0] != m.process().pid;
  const bool was_there = is_other && m.processes().find(a[0]);
  if (!options->unless_suspending || !is_suspending()) {
    const Value requested = request_suspension(c, a[0], *options);
    if (!requested.is_none()) return requested;
  }
  Process* to = other_process(c, a[0]);
  const bool is_gone = !to && is_other;
  if (!to && !(is_gone && options->is_asynchronous)) return atom("badarg");
  const bool is_new = to && (!options->unless_suspending || !is_suspending());
  if (is_new) suspend(m, m.process(), *to);
  if (!options->tag.is_none()) {
    const Value result = atom(to ? "suspended" : was_there ? "exited" : "badarg");
    m.deliver(m.process(), c.heap.tuple({options->tag, result}));
  }
  return Value::boolean(is_new || is_gone);
}

// A suspension that is still on its way is there first.
Value resume_process_1(Context& c, const Value* a) {
  Machine& m = c.machine;
  if (resume(m, m.process(), a[0])) return Value::boolean(true);
  const bool may_come =
      a[0].is_local_pid() && m.shared().transit.has(m.heap(), m.process().pid, a[0]);
  const bool is_resumed = may_come && reach(m, a[0]) && resume(m, m.process(), a[0]);
  return is_resumed ? Value::boolean(true) : c.badarg();
}

// ---- Requests ---------------------------------------------------------------

// {check_process_code, Tag, Module}, {garbage_collect, Tag, _}: collection is the machine's own
// affair.
Value request_system_task_3(Context& c, const Value* a) {
  const Value request = a[2];
  if (!a[0].is_local_pid() || !request.is_tuple(3)) return c.badarg();
  const Value what = request.element(0);
  const bool is_check = what == atom("check_process_code");
  if (!is_check && what != atom("garbage_collect")) return c.unsupported("this request");
  const Process* p = ask_living(c.machine, a[0]);
  const Value module = request.element(2);
  if (is_check && !module.is_atom()) return c.badarg();
  const bool is_done = p && (!is_check || runs_old_code(c, *p, module.atom()));
  c.machine.deliver(c.machine.process(),
                    c.heap.tuple({what, request.element(1), Value::boolean(is_done)}));
  return Value(atoms::ok);
}

Value check_process_code_1(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  return Value::boolean(runs_old_code(c, c.machine.process(), a[0].atom()));
}

Value is_system_process_1(Context& c, const Value* a) {
  if (!a[0].is_local_pid()) return c.badarg();
  const Process* p = ask(c.machine, a[0]);
  return Value::boolean(is_answering_service(a[0]) || (p && p->is_system));
}

// true, badarg, or badopt: erlang.erl raises.
Value process_display_2(Context& c, const Value* a) {
  if (a[1] != atom("backtrace")) return atom("badopt");
  const Process* p = ask(c.machine, a[0]);
  if (!p) return atom("badarg");
  const bool is_self = p == &c.machine.process();
  const Value trace =
      is_self
          ? stack_trace(c.machine, capture_trace(c.machine, c.call.site, c.call.node, c.call.frame))
          : stack_trace(c.machine, *p);
  c.machine.output().write(backtrace_text(trace));
  return Value::boolean(true);
}

constexpr NativeEntry kEntries[] = {
    {"erts_internal", "suspend_process", 2, suspend_process_2},
    {"erlang", "resume_process", 1, resume_process_1},
    {"erts_internal", "request_system_task", 3, request_system_task_3, true,
     "moving literals, system tasks"},
    {"erts_internal", "check_process_code", 1, check_process_code_1, true},
    {"erts_internal", "is_system_process", 1, is_system_process_1},
    {"erts_internal", "process_display", 2, process_display_2, true},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::process_control_natives
