// Why there is an edge in the graph: the chain of flows that makes it.
//
// A call through a fun is there because the fun, made somewhere, comes to the variable that is
// called; a message because a process, started somewhere, comes to the variable that it is sent
// to; an exception because of the calls between the handler and what raises. The chain is a
// shortest one of ValueSteps, or of calls.
#pragma once

#include <string>
#include <vector>

#include "flow/value_steps.h"

namespace fathom::flow {

struct WhyStep {
  core::GlobalNodeId node{};
  std::string text;
};

struct Explanation {
  GraphEdge edge;
  std::vector<WhyStep> steps;
};

// Of all edges of calls, starts, messages and exceptions from one of the nodes to one of the
// others, in the order of the graph; at most so many.
std::vector<Explanation> explain_edges(const Analysis& analysis, const Graph& graph,
                                       const ValueSteps& steps, const std::vector<bool>& from,
                                       const std::vector<bool>& to, size_t most);

}  // namespace fathom::flow
