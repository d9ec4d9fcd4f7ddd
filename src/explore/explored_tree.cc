#include "explore/explored_tree.h"

#include <algorithm>

#include "explore/execution_report.h"

namespace fathom::explore {

void ExploredTree::add(const EndedExecution& e, bool has_finding) {
  constexpr size_t kMost = 20'000;
  if (nodes_.size() > kMost) {
    is_cut_ = true;
    return;
  }
  const ExecutionReport report(e.execution);
  path_.resize(std::min<size_t>(path_.size(), number(e.fresh_from)));
  for (EventIndex i{static_cast<uint32_t>(path_.size())}; i < e.trace().end(); ++i) {
    const size_t parent = path_.empty() ? kNoStep : path_.back();
    path_.push_back(nodes_.size());
    nodes_.push_back({.parent = parent, .label = short_text(report.step(i))});
  }
  if (path_.empty()) return;
  TreeNode& last = nodes_[path_.back()];
  last.is_end = true;
  last.is_finding = has_finding;
  last.is_cut = e.ending == Ending::Cut || e.ending == Ending::Blocked;
}

void ExploredTree::clear() {
  nodes_.clear();
  path_.clear();
  is_cut_ = false;
}

}  // namespace fathom::explore
