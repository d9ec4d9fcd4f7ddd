// What a machine is seen to do, against what the flow analysis has predicted.
//
// A run in the labelled mode that also reports calls shows: calls, returns, starts of processes,
// messages and the clauses that take them, exceptions from the node that raises to the one that
// catches, and from which node to which pattern or application a value flows. Each must be an edge
// of the graph, or, from what calls the outside to what the outside may call, two of them. And each
// message that is received and the reason of each exit must be a value that the analysis allows
// there.
//
// Not compared: what happens in library functions that code which is only modelled has called in
// that run too, or that are a part of it (docs/architecture.md says why). Processes that services
// have started, and what services do inside the steps of others, are the outside of the analysis:
// what they themselves do is not compared, what they call of the author's code is.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flow/graph.h"
#include "session/program_code.h"

namespace fathom::flow {

// Of the edges of one kind that are to be measured: how many were seen.
struct Share {
  size_t seen = 0;
  size_t all = 0;
};

struct Observed {
  size_t calls = 0;
  size_t returns = 0;
  size_t starts = 0;
  size_t messages = 0;
  size_t throws = 0;
  size_t flows = 0;       // of values, from where they were built to where they were used
  size_t values = 0;      // messages and reasons that were looked at
  size_t by_outside = 0;  // of all these: by what the analysis could not follow, and says so
  std::map<GraphEdgeKind, Share> shares = {};
  std::vector<std::string> unseen = {};   // those of funs and messages
  std::vector<std::string> missing = {};  // what was seen and not predicted

  Observed& operator+=(const Observed& other);
  // The counts, for people.
  std::string text() const;
};

// Runs the function of the module `test`, without arguments, in so many orders, of which the first
// lets each process run in turn, and compares with the analysis, for which it is the only entry.
// `own`: the author's modules.
Observed observe(session::Library& library, const std::vector<Atom>& own,
                 const machine::ModuleSource::Found& test, std::string_view function = "test",
                 uint64_t orders = 1);

std::string text_of(const std::vector<std::string>& lines);

}  // namespace fathom::flow
