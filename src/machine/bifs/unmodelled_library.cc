// Functions outside of module erlang that OTP writes in C and Fathom does not model:
// a call says so, instead of running into the stub that OTP's own module has. A
// family that does model one of them comes later in families.def, and replaces it.
#include "machine/bifs/families.h"

namespace fathom::machine {
namespace {

template <size_t N>
struct Text {
  char text[N];
  constexpr Text(const char (&from)[N]) {
    for (size_t i = 0; i < N; ++i) text[i] = from[i];
  }
};

template <Text Message>
Value unmodelled(Context& c, const Value*) {
  return c.unsupported(Message.text);
}

#define UNMODELLED(module, name, arity) \
  { module, name, arity, unmodelled<module ":" name "/" #arity " is not modelled"> }

constexpr NativeEntry kEntries[] = {
    UNMODELLED("erl_ddll", "demonitor", 1),
    UNMODELLED("erl_ddll", "format_error_int", 1),
    UNMODELLED("erl_ddll", "info", 2),
    UNMODELLED("erl_ddll", "loaded_drivers", 0),
    UNMODELLED("erl_ddll", "monitor", 2),
    UNMODELLED("erl_ddll", "try_load", 3),
    UNMODELLED("erl_ddll", "try_unload", 2),
    UNMODELLED("erts_debug", "breakpoint", 2),
    UNMODELLED("erts_debug", "copy_shared", 2),
    UNMODELLED("erts_debug", "dirty", 3),
    UNMODELLED("erts_debug", "dirty_cpu", 2),
    UNMODELLED("erts_debug", "dirty_io", 2),
    UNMODELLED("erts_debug", "disassemble", 1),
    UNMODELLED("erts_debug", "display", 1),
    UNMODELLED("erts_debug", "dist_ext_to_term", 2),
    UNMODELLED("erts_debug", "get_internal_state", 1),
    UNMODELLED("erts_debug", "instructions", 0),
    UNMODELLED("erts_debug", "interpreter_size", 0),
    UNMODELLED("erts_debug", "lcnt_clear", 0),
    UNMODELLED("erts_debug", "lcnt_collect", 0),
    UNMODELLED("erts_debug", "lcnt_control", 1),
    UNMODELLED("erts_debug", "lcnt_control", 2),
    UNMODELLED("erts_debug", "map_info", 1),
    UNMODELLED("erts_debug", "set_internal_state", 2),
    UNMODELLED("erts_debug", "size_shared", 1),
    UNMODELLED("erts_internal", "abort_pending_connection", 2),
    UNMODELLED("erts_internal", "beamfile_chunk", 2),
    UNMODELLED("erts_internal", "beamfile_module_md5", 1),
    UNMODELLED("erts_internal", "check_dirty_process_code", 2),
    UNMODELLED("erts_internal", "check_process_code", 1),
    UNMODELLED("erts_internal", "create_dist_channel", 3),
    UNMODELLED("erts_internal", "dirty_process_handle_signals", 1),
    UNMODELLED("erts_internal", "dist_spawn_request", 4),
    UNMODELLED("erts_internal", "ets_lookup_binary_info", 2),
    UNMODELLED("erts_internal", "ets_raw_first", 1),
    UNMODELLED("erts_internal", "ets_raw_next", 2),
    UNMODELLED("erts_internal", "ets_super_user", 1),
    UNMODELLED("erts_internal", "garbage_collect", 1),
    UNMODELLED("erts_internal", "gather_alloc_histograms", 1),
    UNMODELLED("erts_internal", "gather_carrier_info", 1),
    UNMODELLED("erts_internal", "get_creation", 0),
    UNMODELLED("erts_internal", "get_dflags", 0),
    UNMODELLED("erts_internal", "group_leader", 2),
    UNMODELLED("erts_internal", "group_leader", 3),
    UNMODELLED("erts_internal", "is_process_alive", 2),
    UNMODELLED("erts_internal", "is_process_executing_dirty", 1),
    UNMODELLED("erts_internal", "is_system_process", 1),
    UNMODELLED("erts_internal", "map_hashmap_children", 1),
    UNMODELLED("erts_internal", "new_connection", 1),
    UNMODELLED("erts_internal", "no_aux_work_threads", 0),
    UNMODELLED("erts_internal", "open_port", 2),
    UNMODELLED("erts_internal", "port_call", 3),
    UNMODELLED("erts_internal", "port_close", 1),
    UNMODELLED("erts_internal", "port_command", 3),
    UNMODELLED("erts_internal", "port_connect", 2),
    UNMODELLED("erts_internal", "port_control", 3),
    UNMODELLED("erts_internal", "port_info", 1),
    UNMODELLED("erts_internal", "port_info", 2),
    UNMODELLED("erts_internal", "prepare_loading", 2),
    UNMODELLED("erts_internal", "process_display", 2),
    UNMODELLED("erts_internal", "process_flag", 3),
    UNMODELLED("erts_internal", "purge_module", 2),
    UNMODELLED("erts_internal", "request_system_task", 3),
    UNMODELLED("erts_internal", "request_system_task", 4),
    UNMODELLED("erts_internal", "scheduler_wall_time", 1),
    UNMODELLED("erts_internal", "spawn_request", 4),
    UNMODELLED("erts_internal", "spawn_system_process", 3),
    UNMODELLED("erts_internal", "suspend_process", 2),
    UNMODELLED("erts_internal", "system_check", 1),
    UNMODELLED("erts_internal", "trace", 3),
    UNMODELLED("erts_internal", "trace_pattern", 3),
    UNMODELLED("erts_literal_area_collector", "release_area_switch", 0),
    UNMODELLED("erts_literal_area_collector", "send_copy_request", 3),
    UNMODELLED("prim_file", "internal_name2native", 1),
    UNMODELLED("prim_file", "internal_native2name", 1),
    UNMODELLED("prim_file", "internal_normalize_utf8", 1),
    UNMODELLED("prim_file", "is_translatable", 1),
};

}  // namespace

std::span<const NativeEntry> unmodelled_library_natives() { return kEntries; }

}  // namespace fathom::machine
