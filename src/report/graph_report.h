// The concurrent flow graph for people and programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/source.h"
#include "core/program.h"
#include "flow/data_flows.h"
#include "flow/def_use.h"
#include "flow/findings.h"
#include "flow/why.h"

namespace fathom::report {

enum class GraphView : uint8_t { Nodes, Functions, Processes };

// All that there is to show; what it refers to must outlive it.
struct GraphResult {
  const core::Program& program;
  const SourceMap& sources;
  const flow::Analysis& analysis;
  const flow::Graph& graph;
  const std::vector<flow::ProcessInView>& processes;
  std::vector<std::string> entries = {};  // what the user calls them; empty: exported functions
  double seconds = 0;
  // Functions that are shown; the others are left out. Empty: all of the author's.
  std::vector<bool> is_shown = {};
  std::optional<flow::GraphFunctionId> focus = {};
  const flow::Findings* findings = nullptr;  // if they are asked for
  const flow::DefUse* def_use = nullptr;
  const flow::BuiltUses* data_flows = nullptr;

  bool shows(flow::GraphFunctionId id) const {
    return is_shown.empty() ? graph[id].is_own : is_shown[static_cast<size_t>(id)];
  }
};

std::string graph_text(const GraphResult& result);
std::string graph_json(const GraphResult& result);
// What is wrong, and nothing else.
std::string findings_text(const GraphResult& result, bool has_color);
std::string findings_sarif(const GraphResult& result, std::string_view version);
void write_findings(JsonWriter& json, const GraphResult& result);
// Why there are these edges.
std::string why_text(const GraphResult& result, const std::vector<flow::Explanation>& all);
// Definitions and uses: a summary, and all of them.
std::string def_use_text(const GraphResult& result);
void write_def_use(JsonWriter& json, const GraphResult& result);
std::string graph_dot(const GraphResult& result, GraphView view);

// What the reports have in common.
std::string function_text(const flow::FunctionName& name);
// Of a fun: where it is.
std::string function_text(const GraphResult& result, flow::GraphFunctionId id);
// The text of a node in the source, on one line and cut to the width.
std::string node_text(const GraphResult& result, core::GlobalNodeId node, size_t width);
std::string node_place(const GraphResult& result, core::GlobalNodeId node);
// A short name for the process: what it is registered as, else what it begins with.
std::string process_text(const GraphResult& result, size_t process);

}  // namespace fathom::report
