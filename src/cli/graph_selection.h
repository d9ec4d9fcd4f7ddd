// Nodes and functions of a flow graph, by what users call them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "report/graph_report.h"

namespace fathom {

// The nodes that are meant by m:f/1, or by FILE:LINE[:COLUMN]: those that begin on the line, or
// that have the column in them. An error if there are none.
Result<std::vector<bool>> select_nodes(const report::GraphResult& graph, const std::string& text);

// None: there is no such function.
std::optional<flow::GraphFunctionId> function_named(const flow::Graph& graph,
                                                    const std::string& name);

// The function, and what is at most so many calls, starts or messages away. Empty: all.
Result<std::vector<bool>> select_functions(const flow::Graph& graph, const std::string& focus,
                                           uint32_t depth);

}  // namespace fathom
