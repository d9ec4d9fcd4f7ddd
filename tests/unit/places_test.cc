// Where nodes stand: in the author's text, and in the definition of a macro.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "parsed.h"

namespace fathom::places_test {
namespace {

std::string place(const SourceMap& sources, std::optional<Span> span) {
  if (!span) return "none";
  const LineColumn begin = sources.line_column(span->begin);
  const LineColumn end = sources.line_column(span->end);
  return fmt::format("{}:{}-{}:{}", begin.line, begin.column, end.line, end.column);
}

// The first node of a kind, in the order in which nodes were finished.
NodeId first_of(const Unit& unit, NodeKind kind) {
  for (uint32_t i = 0; i < unit.ast.size(); ++i) {
    if (unit.ast.kind(NodeId{i}) == kind) return NodeId{i};
  }
  return kNoNode;
}

struct MacroRow {
  const char* text;
  NodeKind kind;
  const char* used;
  const char* written;
  int skipped = 0;  // so many nodes of the kind, finished before it
};

TEST(Places, OfMacros) {
  const MacroRow rows[] = {
      // The whole node from one macro.
      {"-define(M, {a, 1}).\nf() -> ?M.\n", NodeKind::Tuple, "2:8-2:10", "1:12-1:18"},
      {"-define(M(X), {X, 1}).\nf() -> ?M(b).\n", NodeKind::Tuple, "2:8-2:13", "1:15-1:21"},
      // A macro in a macro: used where the outer one is, written in the inner one.
      {"-define(A, 'in').\n-define(B, [?A]).\nf() -> ?B.\n", NodeKind::List, "3:8-3:10",
       "2:12-2:16"},
      {"-define(A, 1.5).\n-define(B, [?A]).\nf() -> ?B.\n", NodeKind::Float, "3:8-3:10",
       "1:12-1:15"},
      // An argument stands where the author wrote it.
      {"-define(M(X), {X}).\nf() -> ?M(\"s\").\n", NodeKind::String, "2:11-2:14", "none"},
      // Half out of a macro.
      {"-define(M, 1).\nf(X) -> X + ?M.\n", NodeKind::BinaryOp, "2:9-2:15", "none"},
      {"-define(M(X), X + 1).\nf(X) -> ?M(X).\n", NodeKind::BinaryOp, "2:9-2:14", "none"},
      // From the argument of one use to after it: all of the use.
      {"-define(M(X), X * 1).\nf(X) -> ?M(X) + 2.\n", NodeKind::BinaryOp, "2:9-2:18", "none", 1},
      {"-define(M(X), 1 * X).\nf(X) -> 2 + ?M(X).\n", NodeKind::BinaryOp, "2:9-2:18", "none", 1},
      {"-define(M(X), X * 1).\n-define(I(X), X).\nf(X) -> ?I(?M(X) + 2).\n", NodeKind::BinaryOp,
       "3:12-3:21", "none", 1},
      // A node that starts and ends with arguments does not know of the use around them.
      {"-define(M(X), X * X).\nf(X) -> ?M(X) + ?M(X).\n", NodeKind::BinaryOp, "2:12-2:21", "none",
       2},
      // Predefined ones are written nowhere.
      {"f() -> ?LINE.\n", NodeKind::Integer, "1:8-1:13", "none"},
      {"f() -> [?FUNCTION_NAME].\n", NodeKind::Atom, "1:9-1:23", "none"},
  };
  for (const MacroRow& row : rows) {
    const Parsed parsed = parse_text(row.text);
    ASSERT_EQ(parsed.errors, "") << row.text;
    // -file stands before all and has a string and an integer of its own.
    NodeId node = kNoNode;
    int left = row.skipped;
    for (uint32_t i = 3; i < parsed.unit.ast.size() && !exists(node); ++i) {
      if (parsed.unit.ast.kind(NodeId{i}) == row.kind && left-- == 0) node = NodeId{i};
    }
    ASSERT_TRUE(exists(node)) << row.text;
    const SourceMap& sources = parsed.reader->sources();
    EXPECT_EQ(place(sources, parsed.unit.used_span(node)), row.used) << row.text;
    EXPECT_EQ(place(sources, parsed.unit.written_span(node)), row.written) << row.text;
  }
}

TEST(Places, ParenthesesBelongToTheOperationAroundThem) {
  const Parsed parsed = parse_text("f(A, B) -> (A) + (B).\n");
  const NodeId op = first_of(parsed.unit, NodeKind::BinaryOp);
  EXPECT_EQ(place(parsed.reader->sources(), parsed.unit.used_span(op)), "1:12-1:21");
}

TEST(Places, ColumnsCountCharacters) {
  const Parsed parsed = parse_text("f() -> {\"äöü\", here}.\n");
  const NodeId tuple = first_of(parsed.unit, NodeKind::Tuple);
  EXPECT_EQ(place(parsed.reader->sources(), parsed.unit.used_span(tuple)), "1:8-1:21");
}

TEST(Places, CommentsAreKept) {
  const Parsed parsed = parse_text("%% one\nf() -> ok. % two\n");
  ASSERT_EQ(parsed.unit.comments.size(), 2u);
  EXPECT_EQ(parsed.reader->sources().slice(parsed.unit.comments[0]), "%% one");
  EXPECT_EQ(parsed.reader->sources().slice(parsed.unit.comments[1]), "% two");
}

}  // namespace
}  // namespace fathom::places_test
