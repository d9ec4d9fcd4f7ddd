// Nodes of Core: what they read and define, where they stand, whose they are, the parts of
// constant data, and the numbering of a program.
#include <gtest/gtest.h>

#include <deque>
#include <thread>

#include "core/constant_parts.h"
#include "core/origin_index.h"
#include "core/places.h"
#include "lowered.h"
#include "syntax/line_place.h"

namespace fathom::core::core_nodes_test {
namespace {

// ---- Uses and definitions -------------------------------------------------------

struct Flow {
  std::string_view body;  // of f(A, B, C)
  Kind kind;              // the last node of that kind
  std::string_view uses;  // names of the source; _ for variables that have none
  std::string_view definitions;
};

constexpr Flow kFlows[] = {
    {"{A, B}", Kind::Tuple, "A B", "_"},
    {"[A | B]", Kind::Cons, "A B", "_"},
    {"A#{B => C}", Kind::MapPut, "A B C", "_"},
    {"f(C, A, B)", Kind::Call, "C A B", "_"},
    {"A:B(C)", Kind::CallDynamic, "A B C", "_"},
    {"X = A, X", Kind::Bind, "A", "X"},
    {"case A of [_ | T] -> T end", Kind::MatchCons, "A", "_"},
    {"case A of [H | T] -> {H, T} end", Kind::MatchCons, "A", "_ _"},
    {"case A of {_, X, B} -> X end", Kind::MatchTuple, "A", "_ _"},
    {"case A of B -> C end", Kind::MatchEqual, "A B", ""},
    {"receive A -> B after C -> A end", Kind::Receive, "C", "_ _"},
    {"case A of B when C -> A end", Kind::Clause, "", ""},
    {"try A of B -> C catch _ -> A end", Kind::Try, "", "_ _ _ _ _"},
};

TEST(CoreWalk, WhatANodeReadsAndDefines) {
  for (const Flow& flow : kFlows) {
    const Lowered t(fmt::format("f(A, B, C) -> {}.", flow.body));
    const Function& function = (*t)[*t->find(Atom::intern("f"), 3)];
    const auto add = [&](std::string& names, VarId v) {
      const Atom name = function.variables[static_cast<size_t>(v)];
      if (!names.empty()) names += ' ';
      names += name == Atom() ? "_" : name.text();
    };
    const NodeId id = t.find(flow.kind, "f", 3);
    std::string uses;
    for_each_use(*t, id, [&](VarId v) { add(uses, v); });
    EXPECT_EQ(uses, flow.uses) << flow.body;
    std::string definitions;
    for_each_definition(*t, id, [&](VarId v) { add(definitions, v); });
    EXPECT_EQ(definitions, flow.definitions) << flow.body;
  }
}

TEST(CoreWalk, EveryNodeOfAFunctionOnce) {
  const Lowered t(R"(f(A) -> try [g(X) || X <- A, X > 1] of [] -> #{a => A}; L -> fun() -> L end
                    catch _:R:S when R =:= A; is_atom(R) -> receive S -> <<A:8>> after 1 -> ok end
                    end.
                    g(X) -> X.)");
  std::vector<int> seen(t->size());
  for (const Function& function : t->functions) {
    for_each_node(*t, function.body, [&](NodeId id) { ++seen[static_cast<size_t>(id)]; });
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<int>(t->size()));
}

// ---- Whose a node is ------------------------------------------------------------

TEST(CoreNodes, KnowTheirFunction) {
  const Lowered t(R"(f(A) -> F = fun(X) -> [{X, Y} || Y <- A] end, F(g(A)).
                    g(X) -> try X after self() end.
                    h() -> {ok, [1]}.)");
  for (uint32_t i = 0; i < t->functions.size(); ++i) {
    for_each_node(*t, t->functions[i].body, [&](NodeId id) {
      EXPECT_EQ(t->function_of(id), FunctionId{i}) << t->functions[i].name.text();
    });
  }
  const NodeId literal = t.find(Kind::Literal, "h");
  for (const ConstantPart& part : parts_of(*t, literal)) {
    EXPECT_EQ(function_of(*t, part.id), t->function_of(literal));
  }
}

// ---- Places ---------------------------------------------------------------------

struct Placed {
  std::string_view function;  // f()
  Kind kind;
  std::string_view text;  // at the node's span
  std::string_view file;
  uint32_t line;
};

constexpr Placed kPlaced[] = {
    {"\nf() ->\n g(1) + 2.", Kind::Call, "g(1)", "test.erl", 3},
    {"\nf() ->\n g(1) + 2.", Kind::CallRemote, "g(1) + 2", "test.erl", 3},
    {"-define(M(X), g(X)).\nf() -> ?M(\n 7).", Kind::Call, "?M(\n 7)", "test.erl", 2},
    {"-file(\"other.yrl\", 70).\nf() ->\n g(1).", Kind::Call, "g(1)", "other.yrl", 72},
    {"-include(\"h.hrl\").\nk() -> ok.", Kind::Call, "g(2)", "./h.hrl", 2},
    {"-include(\"h.hrl\").\nf() -> g(3).", Kind::Call, "g(3)", "test.erl", 2},
};

TEST(CorePlaces, OfNodes) {
  for (const Placed& expected : kPlaced) {
    const bool in_header = expected.file == "./h.hrl";
    const Lowered t(std::string(expected.function) + " g(X) -> X.",
                    {{"./h.hrl", in_header ? "\nf() -> g(2).\n" : "\n"}});
    const Place place = place_of(*t, t.find(expected.kind));
    EXPECT_EQ(t.unit().sources().slice(place.span), expected.text);
    EXPECT_EQ(place.file, expected.file) << expected.function;
    EXPECT_EQ(place.line, expected.line) << expected.function;
    const auto otp = file_line(*t, t.find(expected.kind));
    ASSERT_TRUE(otp);
    EXPECT_EQ(otp->file, expected.file);
    EXPECT_EQ(otp->line, expected.line);
  }
}

struct Line {
  std::string_view text;
  std::string_view file;
  uint32_t line;
  std::string_view expected;  // the text from there on; empty: no span
};

constexpr Line kLines[] = {
    {"\n  f() ->\n ok.", "test.erl", 2, "f() ->\n ok."},
    {"\n  f() ->\n ok.", "test.erl", 9, ""},
    {"\n  f() ->\n ok.", "test.erl", 0, ""},
    {"\n  f() ->\n ok.", "h.hrl", 2, ""},
    {"-include(\"h.hrl\").\nf() -> ok.", "./h.hrl", 2, "g() -> 1.\n"},
    {"-include(\"h.hrl\").\nf() -> ok.", "test.erl", 2, "f() -> ok."},
    {"-file(\"test.erl\", 1).\nf() ->\n ok.", "test.erl", 2, ""},
};

TEST(CorePlaces, OfLines) {
  for (const Line& line : kLines) {
    const Lowered t(line.text, {{"./h.hrl", "\ng() -> 1.\n"}});
    const Place place = place_of_line(t.unit(), line.file, line.line);
    EXPECT_EQ(place.file, line.file);
    EXPECT_EQ(place.line, line.line);
    std::string_view rest;
    if (place.span.begin) {
      const SourceMap& sources = t.unit().sources();
      const FileId file = sources.file_of(place.span.begin);
      rest = sources.text(file).substr(place.span.begin.index() - sources.start(file).index());
    }
    EXPECT_EQ(rest, line.expected) << line.text;
  }
}

// ---- Parts of constant data -----------------------------------------------------

struct Constant {
  std::string_view expression;
  std::string_view parts;  // each as PART<WHOLE, where that is not the literal itself
};

constexpr Constant kConstants[] = {
    {"a", ""},
    {"[]", ""},
    {"\"text\"", ""},
    {"{}", ""},
    {"{ok, [1, 2]}", "ok; [1, 2]; 1 < [1, 2]; 2 < [1, 2]"},
    {"[a | b]", "a; b"},
    {"[1, \"two\" | [3]]", "1; \"two\"; [3]; 3 < [3]"},
    {"#{k => {v}, 1.5 => $c}", "k; {v}; v < {v}; 1.5; $c"},
    {"{{{x}}}", "{{x}}; {x} < {{x}}; x < {x}"},
};

std::string shown_parts(const Lowered& t, NodeId literal) {
  std::string text;
  for (const ConstantPart& part : parts_of(*t, literal)) {
    if (!text.empty()) text += "; ";
    text += t.text(part.origin);
    if (part.whole != literal) text += fmt::format(" < {}", t.text(origin_of(*t, part.whole)));
    EXPECT_EQ(origin_of(*t, part.id), part.origin);
    EXPECT_EQ(literal_of(*t, part.id), literal);
    EXPECT_TRUE(is_part(*t, part.id));
    EXPECT_EQ(t.unit().sources().slice(place_of(*t, part.id).span), t.text(part.origin));
  }
  return text;
}

TEST(ConstantParts, OfOneLiteral) {
  for (const Constant& constant : kConstants) {
    const Lowered t(fmt::format("f() -> {}.", constant.expression));
    EXPECT_EQ(shown_parts(t, t.find(Kind::Literal)), constant.parts) << constant.expression;
  }
}

// Ids are dense, in the order of the literals, whatever stands between them.
TEST(ConstantParts, AreNumberedAfterTheNodes) {
  const Lowered t("f() -> {a, b}. g(X) -> [[1], X, {}]. h() -> {c}.");
  std::vector<NodeId> ids;
  for (const auto& [name, arity] : {std::pair{"f", 0U}, std::pair{"g", 1U}, std::pair{"h", 0U}}) {
    for (const NodeId id : t.nodes(name, arity)) {
      for (const ConstantPart& part : parts_of(*t, id)) ids.push_back(part.id);
    }
  }
  ASSERT_EQ(ids.size(), 4u);
  EXPECT_EQ(t->id_count(), t->size() + 4);
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(static_cast<size_t>(ids[i]), t->size() + i);
}

// The default of a record's field is lowered wherever the record is made.
TEST(ConstantParts, OfALiteralThatIsLoweredTwice) {
  const Lowered t("-record(r, {f = {x}}). f() -> #r{}. g() -> #r{}.");
  const NodeId first = t.find(Kind::Literal, "f");
  const NodeId second = t.find(Kind::Literal, "g");
  EXPECT_EQ(shown_parts(t, first), "x");
  EXPECT_EQ(shown_parts(t, second), "x");
  EXPECT_NE(parts_of(*t, first)[0].id, parts_of(*t, second)[0].id);
}

// ---- From the AST to Core -------------------------------------------------------

TEST(OriginIndex, HasEveryNodeAndPartOnce) {
  const Lowered t("f(A) -> {x, [B | _]} = g(A, {ok, [1]}), B. g(A, B) -> {A, B}.");
  const OriginIndex index(*t);
  size_t count = 0;
  for (uint32_t i = 0; i < t.unit().ast.size(); ++i) {
    NodeId previous{};
    for (const NodeId id : index.nodes_of(AstId{i})) {
      EXPECT_EQ(origin_of(*t, id), AstId{i});
      EXPECT_LE(previous, id);
      previous = id;
      ++count;
    }
  }
  EXPECT_EQ(count, t->id_count());
}

TEST(OriginIndex, KindsOfAnAstNode) {
  const Lowered t("f(A) -> {ok, B} = A, B.");
  const OriginIndex index(*t);
  std::map<std::string_view, std::string> kinds;
  for (uint32_t i = 0; i < t.unit().ast.size(); ++i) {
    if (t.unit().ast.is(AstId{i}, NodeKind::Function)) continue;
    for (const NodeId id : index.nodes_of(AstId{i})) {
      std::string& tags = kinds[t.text(AstId{i})];
      tags += fmt::format("{}{}", tags.empty() ? "" : " ", schema_of((*t)[id].kind).tag);
    }
  }
  EXPECT_EQ(kinds["{ok, B} = A"], "clause no_match case");
  EXPECT_EQ(kinds["{ok, B}"], "match_tuple");
  EXPECT_EQ(kinds["ok"], "match_literal");
  EXPECT_EQ(kinds["B"], "bind");
}

// ---- Programs -------------------------------------------------------------------

TEST(Program, NumbersTheNodesOfItsModules) {
  Program program;
  EXPECT_EQ(program.id_count(), 0u);
  Lowered texts[] = {Lowered("f() -> {a, b}."), Lowered(""), Lowered("g(X) -> X. h() -> [1].")};
  std::vector<std::shared_ptr<const Module>> modules;
  for (Lowered& text : texts) modules.push_back(text.add_to(program).core);
  EXPECT_EQ(program.module_count(), modules.size());

  uint32_t next = 0;
  for (size_t i = 0; i < modules.size(); ++i) {
    EXPECT_EQ(program.module(i).core, modules[i]);
    for (uint32_t id = 0; id < modules[i]->id_count(); ++id) {
      const GlobalNodeId global = modules[i]->global(NodeId{id});
      EXPECT_EQ(static_cast<uint32_t>(global), next++);
      const Program::Local local = program.local(global);
      EXPECT_EQ(local.module, modules[i].get());
      EXPECT_EQ(local.id, NodeId{id});
      EXPECT_EQ(program.function_of(global).name,
                (*modules[i])[function_of(*modules[i], NodeId{id})].name);
      EXPECT_EQ(program.place_of(global).span, place_of(*modules[i], NodeId{id}).span);
    }
  }
  EXPECT_EQ(program.id_count(), next);
}

// Whoever holds a node may ask about it while other threads add modules.
TEST(Program, GrowsWhileItIsAsked) {
  constexpr size_t kModules = 200;
  std::deque<Lowered> texts;
  for (size_t i = 0; i < kModules; ++i) texts.emplace_back("f() -> {a, b}. g(X) -> [X].");
  Program program;
  const ProgramModule first = texts[0].add_to(program);
  std::thread adds([&] {
    for (size_t i = 1; i < kModules; ++i) texts[i].add_to(program);
  });
  while (program.module_count() < kModules) {
    const GlobalNodeId last{static_cast<uint32_t>(program.id_count() - 1)};
    EXPECT_EQ(static_cast<size_t>(program.local(last).id), first.core->id_count() - 1);
    EXPECT_EQ(program.local(first.core->global(NodeId{0})).module, first.core.get());
  }
  adds.join();
}

}  // namespace
}  // namespace fathom::core::core_nodes_test
