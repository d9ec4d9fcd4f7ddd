// The forms of a unit, replaced: what stays the same keeps its node, what is new gets
// the places of what stood there.
#include "syntax/replace_forms.h"

#include <gtest/gtest.h>

#include "base/term_print.h"
#include "read_text.h"
#include "syntax/abstract.h"
#include "syntax/consult.h"

namespace fathom::replace_forms_test {
namespace {

std::vector<Term> forms_of(const Unit& unit, TermArena& arena) {
  std::vector<Term> forms;
  for (const NodeId form : unit.ast.forms()) forms.push_back(to_abstract(unit, form, arena));
  return forms;
}

// Each node of a tree with the text that it covers, as "atom[a] tuple[{a, b}]".
std::string covered(const Unit& unit, NodeId root) {
  std::string text;
  std::vector<NodeId> todo = {root};
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    const auto span = unit.used_span(id);
    if (!text.empty()) text += ' ';
    text += fmt::format("{}[{}]", schema_of(unit.ast.kind(id)).tag,
                        span ? unit.sources().slice(*span) : "?");
    unit.ast.for_each_child(id, [&](NodeId child) { todo.push_back(child); });
  }
  return text;
}

// `text` with the first function replaced by the term.
struct Replaced {
  ReadText read;
  TermArena arena;
  std::vector<Term> before;
  std::vector<Term> after;
  std::string error;

  Replaced(const std::string& text, const std::string& function) : read(read_text(text)) {
    before = forms_of(read.unit, arena);
    after = before;
    for (Term& form : after) {
      if (form.is_tagged(Atom::intern("function"), 5)) {
        form = consult("term", function + ".", arena)->front();
        break;
      }
    }
    const auto done = replace_forms(read.unit, read.reader->literals(), before, after);
    if (!done) error = done.error().message;
  }

  NodeId function() const {
    for (const NodeId form : read.unit.ast.forms()) {
      if (read.unit.ast.kind(form) == NodeKind::Function) return form;
    }
    return kNoNode;
  }
};

TEST(ReplaceForms, UnchangedFormsKeepTheirNodes) {
  ReadText read = read_text("-module(m).\nf() -> a.\ng() -> b.\n");
  TermArena arena;
  const std::vector<NodeId> nodes = read.unit.ast.forms();
  const std::vector<Term> before = forms_of(read.unit, arena);
  const std::vector<Term> after(before.rbegin(), before.rend());
  ASSERT_TRUE(replace_forms(read.unit, read.reader->literals(), before, after));
  EXPECT_EQ(read.unit.ast.forms(), std::vector<NodeId>(nodes.rbegin(), nodes.rend()));
}

TEST(ReplaceForms, NewNodesCoverWhatStoodThere) {
  const Replaced r("f() -> {a, g(1)}.\ng(X) -> X.\n",
                   "{function,{1,1},f,0,[{clause,{1,1},[],[],[{tuple,{1,8},[{atom,{1,9},z},"
                   "{call,{1,12},{atom,{1,12},g},[{var,{1,14},'Y'}]}]}]}]}");
  ASSERT_EQ(r.error, "");
  EXPECT_EQ(covered(r.read.unit, r.function()),
            "function[f() -> {a, g(1)}] clause[f() -> {a, g(1)}] tuple[{a, g(1)}] call[g(1)] "
            "var[1] atom[g] atom[a]");
}

TEST(ReplaceForms, TheFormsAreThoseThatWereGiven) {
  for (const char* function :
       {"{function,{1,1},f,0,[{clause,{1,1},[],[],[{cons,{1,8},{atom,{1,9},a},{nil,{1,8}}}]}]}",
        "{function,{1,1},f,0,[{clause,{1,1},[],[],[{cons,{1,8},{atom,{1,9},a},{nil,{1,11}}}]}]}",
        "{function,1,f,0,[{clause,1,[],[],[{cons,1,{atom,2,a},{cons,7,{atom,9,b},{nil,0}}}]}]}",
        "{function,[{generated,true},{location,{1,1}}],f,0,[{clause,{1,1},[],[],[{cons,"
        "[{generated,true},{location,{1,8}}],{atom,{1,9},a},{cons,{1,10},{atom,{1,9},a},{nil,"
        "[{generated,true},{location,{1,8}}]}}}]}]}"}) {
    Replaced r("f() -> [a].\n", function);
    ASSERT_EQ(r.error, "");
    EXPECT_EQ(printed(to_abstract(r.read.unit, r.function(), r.arena)), function);
  }
}

TEST(ReplaceForms, APlaceWithoutANodeIsThePlaceInTheText) {
  const Replaced r("f() ->\n  {a, b}.\n",
                   "{function,{1,1},f,0,[{clause,{1,1},[],[],[{atom,{2,7},x},{atom,2,y}]}]}");
  const Unit& unit = r.read.unit;
  std::string places;
  for (uint32_t i = 0; i < unit.ast.size(); ++i) {
    if (unit.ast.kind(NodeId{i}) != NodeKind::Atom) continue;
    const std::string_view name = unit.ast.get<node::Atom>(NodeId{i}).value.text();
    if (name != "x" && name != "y") continue;
    places += fmt::format("{} {} ", name, shown(unit.sources(), *unit.used_span(NodeId{i})));
  }
  EXPECT_EQ(places, "x 2:7-2:8 y 2:3-2:3 ");
}

TEST(ReplaceForms, WhatIsNoFormIsRefusedAndNothingChanges) {
  const Replaced r("f() -> a.\n", "{function,{1,1},f,0,oops}");
  EXPECT_NE(r.error, "");
  EXPECT_EQ(covered(r.read.unit, r.function()), "function[f() -> a] clause[f() -> a] atom[a]");
}

TEST(ReplaceForms, PlacesOfTheText) {
  const ReadText read = read_text("f() ->\n  \"äö\", b.\n");
  const auto at = [&](uint32_t line, uint32_t column) {
    const Loc place = text_place(read.unit, "test.erl", {line, column, {}});
    return place ? shown(read.unit.sources(), {place, place}) : "none";
  };
  EXPECT_EQ(at(1, 1), "1:1-1:1");
  EXPECT_EQ(at(2, 9), "2:9-2:9");
  EXPECT_EQ(at(2, 0), "2:3-2:3");
  EXPECT_EQ(at(2, 99), "2:11-2:11");
  EXPECT_EQ(at(0, 1), "none");
  EXPECT_EQ(at(99, 1), "none");
  EXPECT_FALSE(text_place(read.unit, "other.erl", {1, 1, {}}));
}

}  // namespace
}  // namespace fathom::replace_forms_test
