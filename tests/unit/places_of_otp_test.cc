// A property of every node of OTP's standard library, as read from source: its place
// lies within its parent's place, the parts of a node stand one after the other, and
// a name's place holds the name.
//
// Excluded, and why:
// - -file attributes that another -file precedes: they have a line and no text.
// - The order of two parts as far as they share a use of a macro. A macro may put its
//   arguments in any order, or twice; what its body adds stands, for the author, in
//   the whole use; and the body need not be a node: with -define(D(C), C > 1, C < 9)
//   the use ?D(X) holds one guard and the beginning, or all, of the next.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "read_text.h"
#include "syntax/otp.h"
#include "syntax/paths.h"
#include "syntax/project.h"

namespace fathom::places_of_otp_test {
namespace {

// Whether one use of a macro in the author's text covers it.
bool in_one_use(const Unit& unit, Span span) {
  return std::any_of(unit.expansions.begin(), unit.expansions.end(), [&](const Expansion& e) {
    return e.outermost.begin <= span.begin && span.end <= e.outermost.end;
  });
}

bool is_plain(const Node& n) { return n.begin.is_text() && n.end.is_text(); }

// What is wrong with the place of a leaf that no macro had a part in.
std::string leaf_fault(const Unit& unit, NodeId id, Span span) {
  const Node& n = unit.ast[id];
  if (!is_plain(n) || (n.kind != NodeKind::Var && n.kind != NodeKind::Atom)) return "";
  const std::string_view text = unit.sources().slice(span);
  if (n.kind == NodeKind::Atom && text.starts_with('\'')) return "";
  // A handler without a class or a stack has an atom and a variable of the parser's.
  const std::string_view name = Atom(unit.ast.slot(id, 0)).text();
  return text.empty() || text == name ? "" : fmt::format("is {} and not {}", text, name);
}

// What is wrong with a node's place, empty if nothing.
std::string fault(const Unit& unit, NodeId id) {
  const Node& n = unit.ast[id];
  const std::optional<Span> span = unit.used_span(id);
  if (!span) return n.begin.kind() == Loc::Kind::Position ? "" : "has no place";
  if (span->end < span->begin) return "ends before it begins";
  std::string wrong = leaf_fault(unit, id, *span);
  std::optional<Span> last;
  unit.ast.for_each_child(id, [&](NodeId child) {
    const std::optional<Span> inner = unit.used_span(child);
    if (!inner) return;
    if (inner->begin < span->begin || span->end < inner->end) {
      wrong = fmt::format("has a part outside of it, {}", shown(unit.sources(), *inner));
    } else if (last && inner->begin < last->end && !in_one_use(unit, {inner->begin, last->end})) {
      wrong = fmt::format("has a part, {}, that does not stand behind the one before it",
                          shown(unit.sources(), *inner));
    }
    last = inner;
  });
  return wrong;
}

TEST(PlacesOfOtp, LieWithinEachOther) {
  Project project(ProjectOptions::from_environment());
  if (!project.otp().found()) GTEST_SKIP() << project.otp().problem();
  Diagnostics diagnostics;
  for (const AppDir& app : project.otp().libraries()) {
    if (app.name == "stdlib" && is_directory(app.dir + "/src"))
      project.add(app.dir + "/src", diagnostics);
  }
  if (project.modules().empty()) GTEST_SKIP() << "the sources of stdlib are not installed";
  Reader reader;
  Unit unit = reader.make_unit();
  size_t nodes = 0;
  for (const SourceModule& module : project.modules()) {
    Diagnostics errors;
    ASSERT_TRUE(reader.read(module.path, *module.options, unit, errors));
    for (uint32_t i = 0; i < unit.ast.size(); ++i) {
      const std::string wrong = fault(unit, NodeId{i});
      EXPECT_EQ(wrong, "") << module.path << " "
                           << shown(reader.sources(), unit.used_span(NodeId{i}).value_or(Span{}));
    }
    nodes += unit.ast.size();
  }
  EXPECT_GT(nodes, 100'000u);
}

}  // namespace
}  // namespace fathom::places_of_otp_test
