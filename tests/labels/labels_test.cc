// Labelled values against a reference that carries origins in the open: in plain runs with
// collections, and in runs that go back again and again. SEED and COUNT: which random programs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "machine/driver.h"
#include "random_values.h"
#include "reference.h"
#include "running.h"
#include "samples.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

using Uses = std::set<std::pair<Label, Label>>;

constexpr Mode kLabels{.code = {.labels = true}};
constexpr Mode kObservedLabels{.is_observed = true, .code = {.labels = true}};

const core::Module& module_of(TestMachine& machine) {
  return *machine->code().find_module(Atom::intern("t"))->core;
}

bool is_own(const core::Module& module, Label label) {
  const Label first = node_label(module, core::NodeId{0});
  return label >= first && label - first < module.size();
}

// As shown_with_labels of the reference does.
std::string shown_place(Machine& m, const core::Module& module, const Value* place) {
  const Value value = *place;
  const auto part = [&](const Value* p) { return "(" + shown_place(m, module, p) + ")"; };
  std::string text;
  if (value.is_small()) {
    text = fmt::format("{}", value.small());
  } else if (value.is_atom()) {
    text = value.atom().text();
  } else if (value.is_nil()) {
    text = "[]";
  } else if (value.is_cons()) {
    const auto* words = reinterpret_cast<const Value*>(value.words());
    text = "3" + part(words) + part(words + 1);
  } else if (value.is_tuple()) {
    text = "4";
    for (const Value& element : value.elements()) text += part(&element);
  } else if (value.is_map()) {
    text = "5";
    const std::vector<Value> pairs = sorted_pairs(value);
    for (size_t i = 0; i < pairs.size(); i += 2) {
      const PairPlace pair = pair_place(value, pairs[i]);
      text += part(pair.key) + part(pair.value);
    }
  } else if (value.is_bitstring()) {
    text = "<<";
    const BitsView bits = bits_of(value);
    for (size_t i = 0; i < bits.size / 8; ++i) text += fmt::format(" {}", bits.data()[i]);
  } else if (value.is_box(BoxKind::Fun)) {
    text = "7";
    for (const Value& captured : value.captures()) text += part(&captured);
  } else {
    text = "other";
  }
  const Label label = m.heap().label_at(place);
  return is_own(module, label)
             ? fmt::format("{}@{}", text, label - node_label(module, core::NodeId{0}))
             : text;
}

// Who takes a message, catches an exception, or is called by a computed name is not a use of a
// value.
bool is_use_of_value(const core::Module& module, const LabelUse& use) {
  const auto kind = [&](Label label) {
    return module[core::NodeId{label - node_label(module, core::NodeId{0})}].kind;
  };
  return kind(use.user) != core::Kind::Clause && kind(use.user) != core::Kind::Try &&
         kind(use.value) != core::Kind::Entry;
}

// Those between nodes of the module.
Uses own_uses(Machine& m, const core::Module& module) {
  Uses uses;
  m.uses().for_each([&](const LabelUse& use) {
    if (!is_own(module, use.value) || !is_own(module, use.user)) return;
    if (is_use_of_value(module, use)) uses.emplace(use.value, use.user);
  });
  return uses;
}

std::string text_of(const Uses& uses, const core::Module& module) {
  std::string text;
  const Label first = node_label(module, core::NodeId{0});
  for (const auto& [value, user] : uses)
    text += fmt::format("{}->{} ", value - first, user - first);
  return text;
}

void expect_like_reference(TestMachine& machine, const Outcome& outcome) {
  const core::Module& module = module_of(machine);
  Reference reference(module);
  const Ref expected = reference.run(Atom::intern("main"));
  ASSERT_EQ(outcome.kind, Outcome::Kind::Value) << TestMachine::shown(outcome);
  EXPECT_EQ(shown_place(*machine, module, &outcome.value), shown_with_labels(module, expected));
  EXPECT_EQ(text_of(own_uses(*machine, module), module), text_of(reference.uses(), module));
}

// Steps, some of which are taken back and done again.
Outcome run_with_rewinds(Machine& m, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto step = [&] {
    Process* p = m.processes().first_runnable();
    if (!p) return m.fire(m.shared().timers.first());
    m.resume(*p, 1 + static_cast<int64_t>(random() % 20));
  };
  while (!m.outcome) {
    if (random() % 3 != 0) {
      step();
      continue;
    }
    const Machine::Mark mark = m.mark();
    for (size_t tries = 1 + random() % 2; tries > 0; --tries) {
      for (size_t steps = 1 + random() % 5; steps > 0 && !m.outcome; --steps) step();
      m.rewind(mark);
    }
    if (random() % 2 == 0) m.release();
  }
  return *m.outcome;
}

uint64_t number_of(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(Labels, AreThoseOfTheReferenceOnRandomPrograms) {
  const uint64_t first = number_of("SEED", 1);
  const uint64_t count = number_of("COUNT", takes_samples() ? 20 : 300);
  size_t collections = 0;
  size_t uses = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, random_values_program(seed)));
    const std::string program = random_values_program(seed);
    TestMachine plain(program, {}, kLabels);
    const Outcome outcome = plain->run(Atom::intern("t"), Atom::intern("main"), {});
    expect_like_reference(plain, outcome);
    collections += plain->statistics().collections;
    uses += plain->uses().size();
    TestMachine observed(program, {}, kObservedLabels);
    observed.start("main");
    expect_like_reference(observed, run_with_rewinds(*observed, seed));
    if (::testing::Test::HasFailure()) return;
  }
  if (count < 100) return;
  EXPECT_GT(collections, 0u);
  EXPECT_GT(uses, 10 * count);
}

// ---- Table 1 of Fischer and Kuchen, "Data-flow testing of declarative programs": which def-use
// chains naive reverse causes for lists of length 0 to 4.

constexpr std::string_view kReverse = R"(
rev([]) -> [];
rev([X | Xs]) -> app(rev(Xs), [X]).
app([], Ys) -> Ys;
app([X | Xs], Ys) -> [X | app(Xs, Ys)].
main0() -> rev([]).
main1() -> rev([1]).
main2() -> rev([1, 2]).
main3() -> rev([1, 2, 3]).
main4() -> rev([1, 2, 3, 4]).
)";

// The text that a node of the module comes from, and its function.
std::string named(const core::Module& module, Label label) {
  const core::NodeId id{label - node_label(module, core::NodeId{0})};
  const auto span = module.unit().used_span(module[id].origin);
  const std::string_view function = module[module.function_of(id)].name.text();
  return fmt::format("{} {} in {}", core::schema_of(module[id].kind).tag,
                     span ? module.unit().sources().slice(*span) : "", function);
}

// Constructors of rev and app, and the cases of which function match them.
std::set<std::string> chains(std::string_view main) {
  TestMachine machine(kReverse, {}, kLabels);
  machine.run(main);
  const core::Module& module = module_of(machine);
  std::set<std::string> chains;
  for (const auto& [value, user] : own_uses(*machine, module)) {
    const std::string made = named(module, value);
    if (made.find(" in main") != std::string::npos) continue;
    const core::NodeId id{user - node_label(module, core::NodeId{0})};
    chains.insert(fmt::format("{} -> {}", made, module[module.function_of(id)].name.text()));
  }
  return chains;
}

TEST(Labels, GiveTheChainsOfReverse) {
  const std::set<std::string> none;
  const std::set<std::string> one = {"literal [] in rev -> app"};
  const std::set<std::string> two = {"literal [] in rev -> app", "literal [X] in rev -> app",
                                     "cons [X] in rev -> app"};
  std::set<std::string> three = two;
  three.insert("cons [X | app(Xs, Ys)] in app -> app");
  EXPECT_EQ(chains("main0"), none);
  EXPECT_EQ(chains("main1"), one);
  EXPECT_EQ(chains("main2"), two);
  EXPECT_EQ(chains("main3"), three);
  EXPECT_EQ(chains("main4"), three);
}

}  // namespace
}  // namespace fathom::machine
