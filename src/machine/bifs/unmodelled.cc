// The native functions of module erlang that the machine does not have. They are
// listed so that a program that needs one is told which, instead of failing in
// OTP's stub for it. (In other modules nif_error/1 tells, see system.cc.)
#include "machine/bifs/families.h"

namespace fathom::machine {
namespace {

#define UNMODELLED(name, arity, why)                                            \
  {                                                                             \
    "erlang", name, arity, [](Context& c, const Value*) -> Value {              \
      return c.unsupported("erlang:" name "/" #arity " is not modelled: " why); \
    }                                                                           \
  }

constexpr NativeEntry kEntries[] = {
    UNMODELLED("exit_signal", 2, "other processes"),
    UNMODELLED("hibernate", 3, "other processes"),
    UNMODELLED("resume_process", 1, "other processes"),
    UNMODELLED("spawn_request_abandon", 1, "other processes"),
    UNMODELLED("call_on_load_function", 1, "loading of code"),
    UNMODELLED("check_old_code", 1, "loading of code"),
    UNMODELLED("delete_module", 1, "loading of code"),
    UNMODELLED("finish_after_on_load", 2, "loading of code"),
    UNMODELLED("finish_loading", 1, "loading of code"),
    UNMODELLED("has_prepared_code_on_load", 1, "loading of code"),
    UNMODELLED("loaded", 0, "loading of code"),
    UNMODELLED("port_get_data", 1, "ports"),
    UNMODELLED("port_set_data", 2, "ports"),
    UNMODELLED("ports", 0, "ports"),
    UNMODELLED("dist_ctrl_get_data", 1, "distribution"),
    UNMODELLED("dist_ctrl_get_data_notification", 1, "distribution"),
    UNMODELLED("dist_ctrl_get_opt", 2, "distribution"),
    UNMODELLED("dist_ctrl_input_handler", 2, "distribution"),
    UNMODELLED("dist_ctrl_put_data", 2, "distribution"),
    UNMODELLED("dist_ctrl_set_opt", 3, "distribution"),
    UNMODELLED("dist_get_stat", 1, "distribution"),
    UNMODELLED("monitor_node", 2, "distribution"),
    UNMODELLED("monitor_node", 3, "distribution"),
    UNMODELLED("nodes", 2, "distribution"),
    UNMODELLED("setnode", 2, "distribution"),
    UNMODELLED("system_monitor", 0, "monitoring of the system"),
    UNMODELLED("system_monitor", 1, "monitoring of the system"),
    UNMODELLED("system_monitor", 2, "monitoring of the system"),
    UNMODELLED("system_profile", 0, "monitoring of the system"),
    UNMODELLED("system_profile", 2, "monitoring of the system"),
    UNMODELLED("trace_delivered", 1, "tracing"),
    UNMODELLED("trace_info", 2, "tracing"),
};

}  // namespace

std::span<const NativeEntry> unmodelled_natives() { return kEntries; }

}  // namespace fathom::machine
