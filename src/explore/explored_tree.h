// The tree of the executions that a search has explored, for a picture of it.
//
// Executions come depth first, so each one shares a path from the root with the one before it, and
// only its fresh events are new nodes.
//
// Limits: from 20,000 nodes on no further executions are added, and the tree says that it was cut.
#pragma once

#include <vector>

#include "explore/ended_execution.h"
#include "explore/findings.h"

namespace fathom::explore {

class ExploredTree {
 public:
  void add(const EndedExecution& e, bool has_finding);

  std::vector<TreeNode> take() { return std::move(nodes_); }
  bool is_cut() const { return is_cut_; }
  // The search restarts.
  void clear();

 private:
  std::vector<TreeNode> nodes_;
  std::vector<size_t> path_;  // the nodes of the last execution that was added, by depth
  bool is_cut_ = false;
};

}  // namespace fathom::explore
