// The concurrent flow graph (M. Widera, "Concurrent Erlang Flow Graphs", 2005) of a program that
// was analysed: its nodes and edges as plain data.
//
// A node of the graph is a node of Core, so an operation of the program, with the kind that the
// paper's Definition 2 gives it. Core's Entry is the import node; if the function is a fun that
// captures variables, its context node is one more. Patterns and guards are not nodes but labels
// of the branch or receive that they belong to. Edges are those of Definition 3:
//
//   neighbor  control goes from one to the other; from a branch or receive: by that clause
//   call      to the import node of a function; first order (by name) or higher order
//   spawn     to the import node of the function that a new process begins with
//   throw     from a node that raises to the node that catches; where very many nodes raise below
//             one call, there is one edge from the call instead (throw_through)
//   message   from a send to a receive, and the clause that takes the message
//
// Where it is not known what is called, or by whom: OutsideEdges.
//
// Copies of library functions in several contexts are one function here.
//
// Cost: linear in the program and its edges; for throw edges, for each call inside a catch at most
// kMostThrows functions.
#pragma once

#include <optional>
#include <vector>

#include "flow/message_index.h"

namespace fathom::flow {

enum class GraphNodeKind : uint8_t {
#define NODE(Id, Word) Id,
#include "flow/graph_kinds.def"
};
enum class GraphEdgeKind : uint8_t {
#define EDGE(Id, Word) Id,
#include "flow/graph_kinds.def"
};
std::string_view word_of(GraphNodeKind kind);
std::string_view word_of(GraphEdgeKind kind);

enum class GraphNodeId : uint32_t {};
enum class GraphFunctionId : uint32_t {};

struct GraphNode {
  GraphNodeKind kind{};
  core::GlobalNodeId core{};
  GraphFunctionId function{};
  bool is_reached = false;  // control may come to it
};

struct GraphEdge {
  GraphNodeId from{};
  GraphNodeId to{};
  GraphEdgeKind kind{};
  std::optional<uint32_t> clause = {};  // from 1 on
  auto operator<=>(const GraphEdge&) const = default;
};

struct GraphFunction {
  FunctionName name;
  FunctionCode code;
  bool is_own = false;  // the author's
  bool is_reached = false;
  GraphNodeId import{};
};

// Edges by way of the outside, the code that is not analysed: from each node that calls or starts
// what is not known to each function that the outside may call. They are not multiplied out. An
// exception from there comes out of the node that calls.
struct OutsideEdges {
  std::vector<GraphNodeId> called_at;  // in ascending order, each once
  std::vector<GraphNodeId> callees;    // the import nodes; so too
};

struct Graph {
  std::vector<GraphFunction> functions;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;  // sorted, each once
  OutsideEdges outside;

  const GraphNode& operator[](GraphNodeId id) const { return nodes[static_cast<size_t>(id)]; }
  const GraphFunction& operator[](GraphFunctionId id) const {
    return functions[static_cast<size_t>(id)];
  }
};

// Of the functions that are reached, and of all of the author's.
// `most_throws`: nodes that raise below one call inside a catch, and functions that they are in,
// before throw edges come from the call instead.
inline constexpr size_t kMostThrows = 250;
Graph make_graph(const Analysis& analysis, const MessageIndex& messages, Code& code,
                 size_t most_throws = kMostThrows);

}  // namespace fathom::flow
