// The native functions that the machine does not have, each with what it would need.
// They are listed so that a program that calls one is told which, instead of failing
// in OTP's stub for it. A family that comes later in families.def and has the function
// replaces the entry. What OTP's applications write in C beside its own functions
// (NIFs) is found by the stubs' calls of nif_error/1, see compile_calls.cc.
#include "natives/families.h"

namespace fathom::machine {
namespace {

constexpr std::string_view kProcesses = "other processes";
constexpr std::string_view kCode = "loading of code";
constexpr std::string_view kPorts = "ports";
constexpr std::string_view kDistribution = "distribution";
constexpr std::string_view kMonitoring = "monitoring of the system";
constexpr std::string_view kTracing = "tracing";
constexpr std::string_view kDrivers = "drivers";
constexpr std::string_view kShape = "the shape of terms in BEAM";
constexpr std::string_view kLocks = "locks of BEAM";
constexpr std::string_view kSchedulers = "schedulers of BEAM";
constexpr std::string_view kInternals = "internals of BEAM";
constexpr std::string_view kAllocators = "allocators of BEAM";
constexpr std::string_view kTables = "ETS";
constexpr std::string_view kSockets = "sockets";

consteval NativeEntry missing(std::string_view module, std::string_view name, uint32_t arity,
                              std::string_view why) {
  return {module, name, arity, nullptr, false, why};
}

constexpr NativeEntry kEntries[] = {
    missing("erlang", "call_on_load_function", 1, kCode),
    missing("erlang", "finish_after_on_load", 2, kCode),
    missing("erlang", "finish_loading", 1, kCode),
    missing("erlang", "has_prepared_code_on_load", 1, kCode),
    missing("erlang", "port_get_data", 1, kPorts),
    missing("erlang", "port_set_data", 2, kPorts),
    missing("erlang", "ports", 0, kPorts),
    missing("erlang", "dist_ctrl_get_data", 1, kDistribution),
    missing("erlang", "dist_ctrl_get_data_notification", 1, kDistribution),
    missing("erlang", "dist_ctrl_get_opt", 2, kDistribution),
    missing("erlang", "dist_ctrl_input_handler", 2, kDistribution),
    missing("erlang", "dist_ctrl_put_data", 2, kDistribution),
    missing("erlang", "dist_ctrl_set_opt", 3, kDistribution),
    missing("erlang", "dist_get_stat", 1, kDistribution),
    missing("erlang", "monitor_node", 2, kDistribution),
    missing("erlang", "monitor_node", 3, kDistribution),
    missing("erlang", "setnode", 2, kDistribution),
    missing("erlang", "system_monitor", 0, kMonitoring),
    missing("erlang", "system_monitor", 1, kMonitoring),
    missing("erlang", "system_monitor", 2, kMonitoring),
    missing("erlang", "system_profile", 0, kMonitoring),
    missing("erlang", "system_profile", 2, kMonitoring),
    missing("erlang", "trace_delivered", 1, kTracing),
    missing("erlang", "trace_info", 2, kTracing),
    // Erlang in OTP; but what they need first is the state of inet_db, which is not there either.
    missing("gen_sctp", "open", 0, kSockets),
    missing("gen_sctp", "open", 1, kSockets),
    missing("gen_sctp", "open", 2, kSockets),
    missing("gen_tcp", "connect", 2, kSockets),
    missing("gen_tcp", "connect", 3, kSockets),
    missing("gen_tcp", "connect", 4, kSockets),
    missing("gen_tcp", "listen", 2, kSockets),
    missing("gen_udp", "open", 1, kSockets),
    missing("gen_udp", "open", 2, kSockets),
    missing("erl_ddll", "demonitor", 1, kDrivers),
    missing("erl_ddll", "format_error_int", 1, kDrivers),
    missing("erl_ddll", "info", 2, kDrivers),
    missing("erl_ddll", "loaded_drivers", 0, kDrivers),
    missing("erl_ddll", "monitor", 2, kDrivers),
    missing("erl_ddll", "try_load", 3, kDrivers),
    missing("erl_ddll", "try_unload", 2, kDrivers),
    missing("erts_debug", "breakpoint", 2, kInternals),
    missing("erts_debug", "copy_shared", 2, kShape),
    missing("erts_debug", "dirty", 3, kSchedulers),
    missing("erts_debug", "dirty_cpu", 2, kSchedulers),
    missing("erts_debug", "dirty_io", 2, kSchedulers),
    missing("erts_debug", "disassemble", 1, kInternals),
    missing("erts_debug", "display", 1, kInternals),
    missing("erts_debug", "dist_ext_to_term", 2, kShape),
    missing("erts_debug", "instructions", 0, kInternals),
    missing("erts_debug", "interpreter_size", 0, kInternals),
    missing("erts_debug", "lcnt_clear", 0, kLocks),
    missing("erts_debug", "lcnt_collect", 0, kLocks),
    missing("erts_debug", "lcnt_control", 1, kLocks),
    missing("erts_debug", "lcnt_control", 2, kLocks),
    missing("erts_debug", "map_info", 1, kShape),
    missing("erts_debug", "size_shared", 1, kShape),
    missing("erts_internal", "abort_pending_connection", 2, kDistribution),
    missing("erts_internal", "beamfile_chunk", 2, kCode),
    missing("erts_internal", "beamfile_module_md5", 1, kCode),
    missing("erts_internal", "check_dirty_process_code", 2, kCode),
    missing("erts_internal", "create_dist_channel", 3, kDistribution),
    missing("erts_internal", "dirty_process_handle_signals", 1, kProcesses),
    missing("erts_internal", "dist_spawn_request", 4, kDistribution),
    missing("erts_internal", "ets_lookup_binary_info", 2, kTables),
    missing("erts_internal", "ets_raw_first", 1, kTables),
    missing("erts_internal", "ets_raw_next", 2, kTables),
    missing("erts_internal", "ets_super_user", 1, kTables),
    missing("erts_internal", "gather_alloc_histograms", 1, kAllocators),
    missing("erts_internal", "gather_carrier_info", 1, kAllocators),
    missing("erts_internal", "get_creation", 0, kDistribution),
    missing("erts_internal", "get_dflags", 0, kDistribution),
    missing("erts_internal", "group_leader", 2, kProcesses),
    missing("erts_internal", "group_leader", 3, kProcesses),
    missing("erts_internal", "is_process_executing_dirty", 1, kProcesses),
    missing("erts_internal", "map_hashmap_children", 1, kShape),
    missing("erts_internal", "new_connection", 1, kDistribution),
    missing("erts_internal", "no_aux_work_threads", 0, kSchedulers),
    missing("erts_internal", "open_port", 2, kPorts),
    missing("erts_internal", "port_call", 3, kPorts),
    missing("erts_internal", "port_close", 1, kPorts),
    missing("erts_internal", "port_command", 3, kPorts),
    missing("erts_internal", "port_connect", 2, kPorts),
    missing("erts_internal", "port_control", 3, kPorts),
    missing("erts_internal", "port_info", 1, kPorts),
    missing("erts_internal", "port_info", 2, kPorts),
    missing("erts_internal", "prepare_loading", 2, kCode),
    missing("erts_internal", "process_flag", 3, kProcesses),
    missing("erts_internal", "purge_module", 2, kCode),
    missing("erts_internal", "request_system_task", 4, kProcesses),
    missing("erts_internal", "scheduler_wall_time", 1, kSchedulers),
    missing("erts_internal", "spawn_system_process", 3, kProcesses),
    missing("erts_internal", "system_check", 1, kSchedulers),
    missing("erts_internal", "trace", 3, kTracing),
    missing("erts_internal", "trace_pattern", 3, kTracing),
    missing("erts_literal_area_collector", "release_area_switch", 0, kCode),
    missing("erts_literal_area_collector", "send_copy_request", 3, kCode),
};

}  // namespace

std::span<const NativeEntry> unmodelled_natives() { return kEntries; }

}  // namespace fathom::machine
