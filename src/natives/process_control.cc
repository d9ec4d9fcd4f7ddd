// What one process does to another beside signals: suspending, and requests that BEAM
// leaves to the other one to carry out. Here they are carried out at once.
#include "machine/services.h"
#include "machine/signals.h"
#include "natives/families.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

Process* other_process(Context& c, Value pid) {
  Process* p = ask(c.machine, pid);
  return p == &c.machine.process() ? nullptr : p;
}

// ---- Suspending -------------------------------------------------------------

// true, false (it was suspended already), badopt or badarg; erlang.erl raises.
Value suspend_process_2(Context& c, const Value* a) {
  const Value badopt = atom("badopt");
  bool unless_suspending = false;
  bool is_asynchronous = false;
  Value tag = Value::none();
  Value list = a[1];
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (option == atom("unless_suspending")) {
      unless_suspending = true;
    } else if (option == atom("asynchronous")) {
      is_asynchronous = true;
    } else if (option.is_tuple(2) && option.element(0) == atom("asynchronous")) {
      is_asynchronous = true;
      tag = option.element(1);
    } else {
      return badopt;
    }
  }
  if (!list.is_nil()) return badopt;
  Machine& m = c.machine;
  Process* to = other_process(c, a[0]);
  const bool is_gone = !to && a[0].is_local_pid() && a[0] != m.process().pid;
  if (!to && !(is_gone && is_asynchronous)) return atom("badarg");
  const bool is_new = to && (!unless_suspending || map_get(m.process().suspending, a[0]).is_none());
  if (is_new) suspend(m, m.process(), *to);
  if (!tag.is_none()) {
    m.deliver(m.process(), c.heap.tuple({tag, atom(to ? "suspended" : "exited")}));
  }
  return Value::boolean(is_new || is_gone);
}

Value resume_process_1(Context& c, const Value* a) {
  return resume(c.machine, c.machine.process(), a[0]) ? Value::boolean(true) : c.badarg();
}

// ---- Requests ---------------------------------------------------------------

// {check_process_code | garbage_collect, Tag, _}: code is never replaced, and collection
// is the machine's own affair.
Value request_system_task_3(Context& c, const Value* a) {
  const Value request = a[2];
  if (!a[0].is_local_pid() || !request.is_tuple(3)) return c.badarg();
  const Value what = request.element(0);
  const bool is_check = what == atom("check_process_code");
  if (!is_check && what != atom("garbage_collect")) return c.unsupported("this request");
  const bool is_done = !is_check && ask(c.machine, a[0]);
  c.machine.deliver(c.machine.process(),
                    c.heap.tuple({what, request.element(1), Value::boolean(is_done)}));
  return Value(atoms::ok);
}

Value check_process_code_1(Context& c, const Value* a) {
  return a[0].is_atom() ? Value::boolean(false) : c.badarg();
}

Value is_system_process_1(Context& c, const Value* a) {
  if (!a[0].is_local_pid()) return c.badarg();
  const Process* p = ask(c.machine, a[0]);
  return Value::boolean(is_answering_service(a[0]) || (p && p->is_system));
}

// true, badarg, or badopt: erlang.erl raises.
Value process_display_2(Context& c, const Value* a) {
  if (a[1] != atom("backtrace")) return atom("badopt");
  if (!ask(c.machine, a[0])) return atom("badarg");
  return c.unsupported("backtrace");
}

constexpr NativeEntry kEntries[] = {
    {"erts_internal", "suspend_process", 2, suspend_process_2},
    {"erlang", "resume_process", 1, resume_process_1},
    {"erts_internal", "request_system_task", 3, request_system_task_3, false,
     "moving literals, system tasks"},
    {"erts_internal", "check_process_code", 1, check_process_code_1},
    {"erts_internal", "is_system_process", 1, is_system_process_1},
    {"erts_internal", "process_display", 2, process_display_2, false, "backtrace"},
};

}  // namespace

std::span<const NativeEntry> process_control_natives() { return kEntries; }

}  // namespace fathom::machine
