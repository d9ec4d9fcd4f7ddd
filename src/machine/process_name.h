// Logical names of processes: P is the first one, P.1 the first that it started, P.1.2
// the second that P.1 started. They are the same in every execution, whatever the pids
// are. A process that nobody started, beside the first one, is P#2, P#3, …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/process.h"
#include "values/heap.h"

namespace fathom::machine {

// The lineage of a new process: a list of ordinals, its own first. `parent`: has counted
// it already; null: nobody started it, and it is the `orphan`-th such one, whose number
// is the tail of the list unless it is the first.
Value lineage(Heap& heap, const Process* parent, uint64_t orphan);

std::string lineage_name(Value lineage);
inline std::string process_name(const Process& p) { return lineage_name(p.lineage); }

// For ProcessTable::find_descendant; empty: that is not a name of a process.
std::optional<std::vector<uint64_t>> parse_process_name(std::string_view name);

}  // namespace fathom::machine
