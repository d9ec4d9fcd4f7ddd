#include "report/exploration_tree.h"

#include <fmt/format.h>

#include "base/subprocess.h"
#include "report/dot.h"
#include "report/text.h"

namespace fathom::report {

using explore::CheckResult;
using explore::TreeNode;

namespace {

constexpr size_t kMaxLabel = 60;  // columns
constexpr size_t kMaxLines = 14;  // of a box

// How a box ends.
std::string_view style_of(const TreeNode& last) {
  if (last.is_finding) return ", color=\"#c62828\", fillcolor=\"#fde7e7\"";
  if (last.is_cut) return ", color=\"#6b7280\", fillcolor=\"#f3f4f6\", style=\"filled,dashed\"";
  if (last.is_end) return ", color=\"#00704a\", fillcolor=\"#e0f5ec\"";
  return "";
}

class TreeDot {
 public:
  explicit TreeDot(const CheckResult& result) : result_(result), tree_(result.tree) {
    children_.assign(tree_.size(), 0);
    only_child_.assign(tree_.size(), explore::kNoStep);
    box_of_.assign(tree_.size(), explore::kNoStep);
    for (size_t i = 0; i < tree_.size(); ++i) {
      if (is_root(i)) continue;
      ++children_[tree_[i].parent];
      only_child_[tree_[i].parent] = i;
    }
  }

  std::string text() {
    const std::string title =
        fmt::format("{}: {}{}", result_.test, counted(result_.interleavings, "interleaving"),
                    result_.tree_is_cut ? "; only a part of the tree" : "");
    out_ = fmt::format(
        "digraph exploration {{\n"
        "  label={};\n"
        "  labelloc=t;\n"
        "  labeljust=l;\n"
        "  fontname=\"sans-serif\";\n"
        "  node [shape=box, style=\"filled,rounded\", fontname=\"monospace\", fontsize=10, "
        "color=\"#1f5fa8\", fillcolor=\"#ffffff\"];\n"
        "  edge [color=\"#6b7280\", arrowsize=0.6];\n",
        dot_lines({cut(title, 2 * kMaxLabel)}));
    for (size_t i = 0; i < tree_.size(); ++i) {
      if (is_head(i)) add_box(i);
    }
    for (size_t i = 0; i < tree_.size(); ++i) {
      if (is_head(i) && !is_root(i)) {
        out_ += fmt::format("  n{} -> n{};\n", box_of_[tree_[i].parent], i);
      }
    }
    return std::move(out_) + "}\n";
  }

 private:
  bool is_root(size_t node) const { return tree_[node].parent >= tree_.size(); }
  // Something is to be seen after it: a choice, or an end.
  bool is_tail(size_t node) const {
    const TreeNode& n = tree_[node];
    return children_[node] != 1 || n.is_end || n.is_finding || n.is_cut;
  }
  bool is_head(size_t node) const { return is_root(node) || is_tail(tree_[node].parent); }

  void add_box(size_t head) {
    std::vector<size_t> nodes = {head};
    while (!is_tail(nodes.back())) nodes.push_back(only_child_[nodes.back()]);
    for (const size_t node : nodes) box_of_[node] = head;
    std::vector<std::string> lines;
    lines.reserve(kMaxLines);
    const bool is_long = nodes.size() > kMaxLines;
    const size_t first = is_long ? kMaxLines / 2 : nodes.size();
    const size_t last = is_long ? nodes.size() - (kMaxLines - 1 - first) : nodes.size();
    for (size_t i = 0; i < first; ++i) lines.push_back(cut(tree_[nodes[i]].label, kMaxLabel));
    if (is_long) lines.push_back(fmt::format("… {} more", last - first));
    for (size_t i = last; i < nodes.size(); ++i) {
      lines.push_back(cut(tree_[nodes[i]].label, kMaxLabel));
    }
    out_ +=
        fmt::format("  n{} [label={}{}];\n", head, dot_lines(lines), style_of(tree_[nodes.back()]));
  }

  const CheckResult& result_;
  const std::vector<TreeNode>& tree_;
  std::vector<size_t> children_;    // how many
  std::vector<size_t> only_child_;  // if there is just one
  std::vector<size_t> box_of_;      // the first node of the box that it is in
  std::string out_;
};

}  // namespace

std::string exploration_dot(const CheckResult& result) { return TreeDot(result).text(); }

Result<std::string> dot_to_svg(std::string_view dot, const std::string& program) {
  const Result<SubprocessResult> drawn =
      run_subprocess({.command = {program, "-Tsvg"}, .input = dot});
  if (!drawn) {
    return Error{fmt::format(
        "SVG is drawn by the program \"{}\" of Graphviz, which could not be started ({}). "
        "Install Graphviz (on Debian: apt-get install graphviz), or ask for a .dot file",
        program, drawn.error().message)};
  }
  if (!drawn->ok()) {
    return Error{
        fmt::format("\"{}\" could not draw the tree: {}", program, cut(drawn->messages, 200))};
  }
  return drawn->output;
}

}  // namespace fathom::report
