// The native functions that the machine does not have, each with what it would need.
// They are listed so that a program that calls one is told which, instead of failing
// in OTP's stub for it. A family that comes later in families.def and has the function
// replaces the entry. What OTP's applications write in C beside its own functions
// (NIFs) is found by the stubs' calls of nif_error/1, see compile_calls.cc.
#include "natives/families.h"

namespace fathom::machine::unmodelled_natives {
namespace {

constexpr std::string_view kProcesses = "other processes";
constexpr std::string_view kCode = "loading of code";
constexpr std::string_view kDistribution = "distribution";
constexpr std::string_view kDrivers = "drivers";
constexpr std::string_view kShape = "the shape of terms in BEAM";
constexpr std::string_view kSchedulers = "schedulers of BEAM";
constexpr std::string_view kInternals = "internals of BEAM";
constexpr std::string_view kAllocators = "allocators of BEAM";
constexpr std::string_view kSockets = "sockets";

consteval NativeEntry missing(std::string_view module, std::string_view name, uint32_t arity,
                              std::string_view why) {
  return {module, name, arity, nullptr, false, why};
}

constexpr NativeEntry kEntries[] = {
    missing("erlang", "call_on_load_function", 1, kCode),
    missing("erlang", "finish_after_on_load", 2, kCode),
    missing("erlang", "setnode", 2, kDistribution),
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
    missing("erl_ddll", "format_error_int", 1, kDrivers),
    missing("erl_ddll", "monitor", 2, kDrivers),
    missing("erts_debug", "breakpoint", 2, kInternals),
    missing("erts_debug", "dist_ext_to_term", 2, kShape),
    missing("erts_debug", "size_shared", 1, kShape),
    missing("erts_internal", "create_dist_channel", 3, kDistribution),
    missing("erts_internal", "dirty_process_handle_signals", 1, kProcesses),
    missing("erts_internal", "gather_alloc_histograms", 1, kAllocators),
    missing("erts_internal", "gather_carrier_info", 1, kAllocators),
    missing("erts_internal", "map_hashmap_children", 1, kShape),
    missing("erts_internal", "new_connection", 1, kDistribution),
    missing("erts_internal", "purge_module", 2, kCode),
    missing("erts_internal", "request_system_task", 4, kProcesses),
    missing("erts_internal", "system_check", 1, kSchedulers),
    missing("erts_literal_area_collector", "release_area_switch", 0, kCode),
    missing("erts_literal_area_collector", "send_copy_request", 3, kCode),
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::unmodelled_natives
