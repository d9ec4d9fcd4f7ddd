// The table of effects: every row can be read, names its arguments rightly and stands once.
#include "flow/effects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace fathom::flow {
namespace {

void check_arguments(const EffectTerm& term, const EffectRow& row) {
  if (term.op == EffectOp::Argument) {
    EXPECT_GE(term.number, 1) << row.name;
    EXPECT_LE(term.number, row.arity) << row.module << ":" << row.name;
  }
  for (const EffectTerm& operand : term.operands) check_arguments(operand, row);
}

TEST(Effects, AllRowsCanBeRead) {
  std::set<std::string> names;
  for (const EffectRow& row : effect_rows()) {
    const std::string name = fmt::format("{}:{}/{}", row.module, row.name, row.arity);
    EXPECT_TRUE(names.insert(name).second) << name << " stands twice";
    const auto effect = parse_effect(row.text);
    ASSERT_TRUE(effect) << name << ": " << effect.error().message;
    EXPECT_LE(effect->result.size(), 1u) << name;
    for (const EffectTerm& action : effect->actions) check_arguments(action, row);
    for (const EffectTerm& result : effect->result) check_arguments(result, row);
  }
}

TEST(Effects, WhatCannotBeReadIsAnError) {
  for (const std::string_view text :
       {"= nonsense", "= list()", "= {integer", "= 'ok", "send($1)", "= $", "integer integer"}) {
    EXPECT_FALSE(parse_effect(text)) << text;
  }
}

TEST(Effects, Structure) {
  const auto effect = parse_effect("send($2, {'timeout', ref, $3}); = ref | list(elem($1))");
  ASSERT_TRUE(effect);
  ASSERT_EQ(effect->actions.size(), 1u);
  EXPECT_EQ(effect->actions[0].op, EffectOp::Send);
  EXPECT_EQ(effect->actions[0].operands[1].operands[0].atom.text(), "timeout");
  ASSERT_EQ(effect->result.size(), 1u);
  EXPECT_EQ(effect->result[0].op, EffectOp::Union);
  EXPECT_EQ(effect->result[0].operands[1].operands[0].op, EffectOp::Elements);
}

}  // namespace
}  // namespace fathom::flow
