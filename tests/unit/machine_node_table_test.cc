// Which node each instruction comes from, in the mode that asks for it; and that the code
// is the same without it.
#include <gtest/gtest.h>

#include "listing.h"
#include "running.h"

namespace fathom::machine::machine_node_table_test {
namespace {

const Function& compiled(TestMachine& machine, std::string_view name, uint32_t arity) {
  machine.run("main");
  Export* found = machine->code().find_export(Atom::intern("t"), Atom::intern(name), arity);
  EXPECT_TRUE(machine->resolve(found));
  return *found->function;
}

// One instruction a line: its name, and the text of its node.
std::string sources(const Function& function) {
  const core::Module& core = *function.owner->core;
  const Unit& unit = *function.owner->unit;
  std::string text;
  for (size_t at = 0; at < function.code.size();) {
    const uint64_t* pc = &function.code[at];
    text += kOpNames[static_cast<size_t>(Instruction(*pc).op())];
    if (const auto node = function.nodes.find(static_cast<uint32_t>(at))) {
      const auto span = unit.used_span(core[*node].origin);
      text += fmt::format(" {} `{}`", core::schema_of(core[*node].kind).tag,
                          span ? unit.sources().slice(*span) : "");
    }
    text += '\n';
    at += instruction_words(pc);
  }
  return text;
}

struct Sources {
  std::string_view function;  // f/1
  std::string_view expected;
};

constexpr Sources kSources[] = {
    {"f(X) -> {X, [1]}.",
     "load literal `[1]`\n"
     "tuple tuple `{X, [1]}`\n"
     "return\n"},
    {"f(X) -> [X | {a}].",
     "load literal `{a}`\n"
     "return_cons cons `[X | {a}]`\n"},
    {"f(_) -> #{a => {1}}.", "return_literal literal `#{a => {1}}`\n"},
    {"f({X, [Y | _]}) -> X + Y.",
     "unless_tuple_of match_tuple `{X, [Y | _]}`\n"
     "element2 match_tuple `{X, [Y | _]}`\n"
     "uncons match_cons `[Y | _]`\n"
     "add call_remote `X + Y`\n"
     "return\n"
     "no_match no_match `f({X, [Y | _]}) -> X + Y`\n"},
    {"f(X) -> case X > 1 andalso is_atom(X) of true -> [X]; false -> X end.",
     "unless_greater_small call_remote `X > 1`\n"
     "unless_atom call_remote `is_atom(X)`\n"
     "load literal `[X]`\n"
     "return_cons cons `[X]`\n"
     "return\n"},
    {"f(X) -> case X of a -> 1; b -> 2; c -> {X}; d -> 4; e -> 5 end.",
     "select case `case X of a -> 1; b -> 2; c -> {X}; d -> 4; e -> 5 end`\n"
     "jump\n"
     "return_literal literal `1`\n"
     "return_literal literal `2`\n"
     "tuple tuple `{X}`\n"
     "return\n"
     "return_literal literal `4`\n"
     "return_literal literal `5`\n"
     "no_match no_match `case X of a -> 1; b -> 2; c -> {X}; d -> 4; e -> 5 end`\n"},
    {"f(X) -> Y = X, Z = 7, g({Y, Z}). g(X) -> X.",
     "load literal `7`\n"
     "tuple tuple `{Y, Z}`\n"
     "tail_call call `g({Y, Z})`\n"},
    {"f(X) -> fun() -> X end.",
     "fun fun `fun() -> X end`\n"
     "return\n"},
};

TEST(NodeTable, HasWhatBuildsOrTestsAValue) {
  for (const Sources& row : kSources) {
    TestMachine machine(fmt::format("{}\nmain() -> catch f(1).", row.function), {},
                        {.code = {.node_table = true}});
    EXPECT_EQ(sources(compiled(machine, "f", 1)), row.expected) << row.function;
  }
}

TEST(NodeTable, LeavesTheCodeAsItIs) {
  for (const Sources& row : kSources) {
    const std::string text = fmt::format("{}\nmain() -> catch f(1).", row.function);
    TestMachine plain(text);
    TestMachine with_table(text, {}, {.code = {.node_table = true}});
    const Function& function = compiled(plain, "f", 1);
    EXPECT_TRUE(function.nodes.empty());
    EXPECT_EQ(listing(function), listing(compiled(with_table, "f", 1)));
  }
}

}  // namespace
}  // namespace fathom::machine::machine_node_table_test
