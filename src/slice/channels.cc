// Which functions without code read or change state that is not in values.
#include <algorithm>
#include <array>
#include <string_view>

#include "slice/model.h"

namespace fathom::slice {
namespace {

struct AccessRow {
  std::string_view name;
  Access access;
};

constexpr Access kReadsDictionary{kDictionary, 0};
constexpr Access kWritesDictionary{kDictionary, kDictionary};
constexpr Access kReadsProcesses{kProcesses, 0};
constexpr Access kWritesProcesses{0, kProcesses};
constexpr Access kSends{0, kMessages};
constexpr Access kBothProcesses{kProcesses, kProcesses};

// Of module erlang; what is not here computes a value and nothing else.
constexpr AccessRow kErlang[] = {
    {"get", kReadsDictionary},
    {"get_keys", kReadsDictionary},
    {"put", kWritesDictionary},
    {"erase", kWritesDictionary},
    {"!", kSends},
    {"send", kSends},
    {"send_nosuspend", kSends},
    {"send_after", kSends},
    {"start_timer", kSends},
    {"cancel_timer", {kProcesses, kProcesses | kMessages}},
    {"read_timer", kReadsProcesses},
    {"spawn", kWritesProcesses},
    {"spawn_link", kWritesProcesses},
    {"spawn_monitor", kWritesProcesses},
    {"spawn_opt", kWritesProcesses},
    {"spawn_request", kWritesProcesses},
    {"link", kWritesProcesses},
    {"unlink", kWritesProcesses},
    {"monitor", kWritesProcesses},
    {"demonitor", kWritesProcesses},
    {"register", kWritesProcesses},
    {"unregister", kWritesProcesses},
    {"alias", kWritesProcesses},
    {"unalias", kWritesProcesses},
    {"process_flag", kBothProcesses},
    {"whereis", kReadsProcesses},
    {"registered", kReadsProcesses},
    {"is_process_alive", kReadsProcesses},
    {"process_info", kReadsProcesses},
    {"processes", kReadsProcesses},
    {"group_leader", kBothProcesses},
    {"suspend_process", kBothProcesses},
    {"resume_process", kBothProcesses},
    {"hibernate", kBothProcesses},
    {"halt", kBothProcesses},
};

// Modules whose functions without code have no effect on values elsewhere.
constexpr std::string_view kPure[] = {
    "erlang", "lists",  "maps",       "binary",        "math",         "unicode",  "string",
    "re",     "base64", "io",         "io_lib",        "error_logger", "logger",   "erts_internal",
    "crypto", "zlib",   "erts_debug", "error_handler", "prim_eval",    "proplists"};

constexpr std::string_view kTableReads[] = {
    "lookup", "lookup_element", "member", "tab2list", "match",         "match_object", "select",
    "foldl",  "foldr",          "first",  "next",     "last",          "prev",         "info",
    "slot",   "select_count",   "all",    "whereis",  "select_reverse"};

template <class Range>
bool contains(const Range& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

Access access_of(const flow::FunctionName& name) {
  const std::string_view module = name.module.text();
  const std::string_view function = name.name.text();
  if (module == "ets" || module == "dets") {
    if (contains(kTableReads, function)) return {kTables, 0};
    return {kTables, kTables};
  }
  if (!contains(kPure, module)) return {kAllChannels, kAllChannels};
  if (module != "erlang") return {};
  // exit/1 raises; exit/2 is a signal.
  if (function == "exit" && name.arity == 2) return kBothProcesses;
  const auto* const row = std::find_if(std::begin(kErlang), std::end(kErlang),
                                       [&](const AccessRow& r) { return r.name == function; });
  return row == std::end(kErlang) ? Access{} : row->access;
}

}  // namespace fathom::slice
