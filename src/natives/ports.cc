// Ports, drivers and the distribution, of which there are none: what OTP says where none is open,
// no driver can be loaded, and the node is not alive.
//
// To os_mon open_port/2 is refused as by a system that lets nobody start programs, for it goes on
// without; a verdict names it (Input::Ports). To anybody else ports are not modelled, and the run
// ends.
#include <algorithm>

#include "machine/interpreter.h"
#include "machine/machine.h"
#include "machine/signals.h"
#include "natives/families.h"
#include "natives/options.h"
#include "values/identifiers.h"
#include "values/lists.h"

namespace fathom::machine::port_natives {
namespace {

Value no_ports_0(Context&, const Value*) { return Value::nil(); }
Value badarg_always(Context& c, const Value*) { return c.badarg(); }
Value notsup_always(Context& c, const Value*) { return c.error(atom("notsup")); }
// The functions of erts_internal return the reason, and their callers in erlang.erl raise it.
Value badarg_as_value(Context&, const Value*) { return atom("badarg"); }

// ---- Opening ----------------------------------------------------------------

constexpr std::string_view kPortWords[] = {
    "stream",        "use_stdio", "nouse_stdio", "hide",   "exit_status", "stderr_to_stdout",
    "overlapped_io", "in",        "out",         "binary", "eof"};
constexpr std::string_view kPortPairs[] = {
    "packet",          "line", "cd", "env", "args", "arg0", "parallelism", "busy_limits_port",
    "busy_limits_msgq"};

template <class Names>
bool is_name_in(Value value, const Names& names) {
  return value.is_atom() && std::ranges::find(names, value.atom().text()) != std::end(names);
}

bool are_port_options(Value list) {
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    const bool known = is_name_in(option, kPortWords) ||
                       (option.is_tuple(2) && is_name_in(option.element(0), kPortPairs)) ||
                       (option.is_tuple(3) && option.element(0) == atom("fd"));
    if (!known) return false;
  }
  return list.is_nil();
}

// {spawn, Command}, {spawn_executable, File}, {fd, In, Out}, or a device.
bool is_port_name(Value name) {
  if (name.is_atom() || latin1_text(name)) return true;
  if (name.is_tuple(3)) return name.element(0) == atom("fd");
  if (!name.is_tuple(2)) return false;
  const Value command = name.element(1);
  const bool is_text = command.is_atom() || command.is_binary() || latin1_text(command);
  return is_text &&
         (name.element(0) == atom("spawn") || name.element(0) == atom("spawn_executable"));
}

// Who has called erlang:open_port/2, which has called this.
const Function* port_opener(Context& c) {
  const auto* site = reinterpret_cast<const uint64_t*>(c.call.frame[-1].raw());
  return site == kBaseSite ? nullptr : c.machine.code().function_at(site);
}

Value open_port_2(Context& c, const Value* a) {
  if (!are_port_options(a[1])) return atom("badopt");
  if (!is_port_name(a[0])) return atom("badarg");
  const Function* opener = port_opener(c);
  const bool is_os_mon = opener && opener->owner->unit->path.find("/os_mon-") != std::string::npos;
  if (!is_os_mon) return c.unsupported("ports");
  c.machine.inputs().look_at(Input::Ports);
  return atom("eacces");
}

Value port_command_3(Context&, const Value* a) {
  Value list = a[2];
  while (list.is_cons() && (list.head() == atom("force") || list.head() == atom("nosuspend"))) {
    list = list.tail();
  }
  return atom(list.is_nil() ? "badarg" : "badopt");
}

// ---- What there is to know of a port that is closed --------------------------

Value port_info_1(Context&, const Value* a) {
  return a[0].is_port() || a[0].is_atom() ? Value(atoms::undefined) : atom("badarg");
}
Value port_info_2(Context&, const Value* a) {
  return a[0].is_port() || a[0].is_atom() ? Value(atoms::undefined) : atom("badtype");
}

// ---- Drivers ----------------------------------------------------------------

// Those that BEAM is linked with.
Value loaded_drivers_0(Context& c, const Value*) {
  std::vector<Value> names;
  for (const std::string_view name : {"tcp_inet", "udp_inet", "ram_file_drv", "tty_sl"}) {
    names.push_back(c.heap.string(name));
  }
  return c.heap.tuple({Value(atoms::ok), c.heap.list(names)});
}

Value error_pair(Context& c, Value reason) { return c.heap.tuple({Value(atoms::error), reason}); }

bool is_driver_name(Value value) { return value.is_atom() || latin1_text(value).has_value(); }

Value try_load_3(Context& c, const Value* a) {
  constexpr int kOpenError = -10;
  if (!is_driver_name(a[0]) || !is_driver_name(a[1]) || !proper_length(a[2])) return c.badarg();
  return error_pair(c, c.heap.tuple({atom("open_error"), Value::small(kOpenError)}));
}
Value try_unload_2(Context& c, const Value* a) {
  if (!is_driver_name(a[0]) || !proper_length(a[1])) return c.badarg();
  return error_pair(c, atom("not_loaded"));
}
Value demonitor_driver_1(Context& c, const Value* a) {
  return a[0].is_reference() ? Value::boolean(true) : c.badarg();
}

// ---- Distribution -----------------------------------------------------------

Value monitor_node(Context& c, const Value* a) {
  if (a[0].is_atom() && a[0] != Value(local_node())) return c.error(atom("notalive"));
  return a[0].is_atom() && a[1].is_boolean() ? Value::boolean(true) : c.badarg();
}
Value monitor_node_3(Context& c, const Value* a) {
  Value list = a[2];
  while (list.is_cons() && list.head() == atom("allow_passive_connect")) list = list.tail();
  if (!list.is_nil()) return bad_option(c, "monitor_node", {a, 3});
  return monitor_node(c, a);
}

Value get_creation_0(Context&, const Value*) { return Value(atoms::undefined); }

// What OTP 25 says of the capabilities that it would tell another node of.
Value get_dflags_0(Context& c, const Value*) {
  return c.heap.tuple({atom("erts_dflags"), c.heap.integer(int64_t{55966662588}),
                       Value::small(17239956), c.heap.integer(int64_t{55966662588}),
                       Value::small(8396866), Value::small(8192)});
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "ports", 0, no_ports_0},
    {"erlang", "port_get_data", 1, badarg_always},
    {"erlang", "port_set_data", 2, badarg_always},
    {"erts_internal", "open_port", 2, open_port_2, true,
     "os_mon is refused, for others there are no ports"},
    {"erts_internal", "port_call", 3, badarg_as_value},
    {"erts_internal", "port_close", 1, badarg_as_value},
    {"erts_internal", "port_command", 3, port_command_3},
    {"erts_internal", "port_connect", 2, badarg_as_value},
    {"erts_internal", "port_control", 3, badarg_as_value},
    {"erts_internal", "port_info", 1, port_info_1},
    {"erts_internal", "port_info", 2, port_info_2},
    {"erl_ddll", "demonitor", 1, demonitor_driver_1},
    {"erl_ddll", "info", 2, badarg_always, false, "drivers that BEAM is linked with"},
    {"erl_ddll", "loaded_drivers", 0, loaded_drivers_0},
    {"erl_ddll", "try_load", 3, try_load_3, false, "no driver can be loaded"},
    {"erl_ddll", "try_unload", 2, try_unload_2},
    {"erlang", "dist_ctrl_get_data", 1, notsup_always},
    {"erlang", "dist_ctrl_get_data_notification", 1, notsup_always},
    {"erlang", "dist_ctrl_get_opt", 2, notsup_always},
    {"erlang", "dist_ctrl_input_handler", 2, notsup_always},
    {"erlang", "dist_ctrl_put_data", 2, badarg_always},
    {"erlang", "dist_ctrl_set_opt", 3, notsup_always},
    {"erlang", "dist_get_stat", 1, badarg_always},
    {"erlang", "monitor_node", 2, monitor_node},
    {"erlang", "monitor_node", 3, monitor_node_3},
    {"erts_internal", "abort_pending_connection", 2, badarg_always},
    {"erts_internal", "get_creation", 0, get_creation_0},
    {"erts_internal", "get_dflags", 0, get_dflags_0},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::port_natives
