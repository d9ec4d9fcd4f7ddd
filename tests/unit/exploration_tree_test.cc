// Tests of the picture of a search.
#include "report/exploration_tree.h"

#include <gtest/gtest.h>

#include "check_results.h"

namespace fathom::report::exploration_tree_test {
namespace {

explore::TreeNode node(size_t parent, std::string label) {
  explore::TreeNode node;
  node.parent = parent;
  node.label = std::move(label);
  return node;
}

explore::CheckResult small_tree() {
  explore::CheckResult result = result_of(Verdict::Bug);
  result.tree = {node(explore::kNoStep, "P spawn"),
                 node(0, "P ! \"a\\b\""),
                 node(1, "P.1 x"),
                 node(1, "P.2 y"),
                 node(2, "P.2 y"),
                 node(3, "P.1 x")};
  result.tree[4].is_end = true;
  result.tree[5].is_end = result.tree[5].is_finding = true;
  return result;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(ExplorationTree, FoldsWhatDoesNotBranch) {
  const std::string dot = exploration_dot(small_tree());
  EXPECT_TRUE(has(dot, "label=\"counter:test(): 3 interleavings\\l\"")) << dot;
  EXPECT_TRUE(has(dot, "  n0 [label=\"P spawn\\lP ! \\\"a\\\\b\\\"\\l\"];\n")) << dot;
  EXPECT_TRUE(has(dot, "  n2 [label=\"P.1 x\\lP.2 y\\l\", color=\"#00704a\"")) << dot;
  EXPECT_TRUE(has(dot, "  n3 [label=\"P.2 y\\lP.1 x\\l\", color=\"#c62828\"")) << dot;
  EXPECT_TRUE(has(dot, "  n0 -> n2;\n  n0 -> n3;\n}\n")) << dot;
}

TEST(ExplorationTree, ALongChainIsOneBoxOfAFewLines) {
  explore::CheckResult result = result_of(Verdict::Clean);
  result.tree_is_cut = true;
  for (size_t i = 0; i < 100'000; ++i) {
    result.tree.push_back(node(i == 0 ? explore::kNoStep : i - 1, "P ! x"));
  }
  const std::string dot = exploration_dot(result);
  EXPECT_TRUE(has(dot, "\\l… 99987 more\\l")) << dot;
  EXPECT_TRUE(has(dot, "only a part of the tree")) << dot;
  EXPECT_FALSE(has(dot, "->")) << dot;
}

TEST(ExplorationTree, AnEmptyTreeIsAPictureToo) {
  EXPECT_TRUE(exploration_dot(result_of(Verdict::Clean)).ends_with("}\n"));
}

TEST(DotToSvg, IsDrawnByGraphviz) {
  const auto svg = dot_to_svg(exploration_dot(small_tree()));
  ASSERT_TRUE(svg.ok()) << svg.error().message;
  EXPECT_TRUE(has(*svg, "<svg ")) << *svg;
  EXPECT_TRUE(has(*svg, "P ! &quot;a\\b&quot;")) << *svg;
}

TEST(DotToSvg, SaysWhatToInstall) {
  const auto svg = dot_to_svg("digraph {}", "no-such-program");
  ASSERT_FALSE(svg.ok());
  EXPECT_TRUE(has(svg.error().message, "apt-get install graphviz")) << svg.error().message;
}

TEST(DotToSvg, HandsOnWhatDotSays) {
  const auto svg = dot_to_svg("no graph");
  ASSERT_FALSE(svg.ok());
  EXPECT_TRUE(has(svg.error().message, "syntax error")) << svg.error().message;
}

}  // namespace
}  // namespace fathom::report::exploration_tree_test
