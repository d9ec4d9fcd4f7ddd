// Conditions and MC/DC against a slow reference: random conditions in guards and bodies, run on the
// machine with random arguments, and evaluated here, by definition.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>

#include "cover/recorder.h"
#include "oracle.h"
#include "samples.h"
#include "session/session.h"
#include "temp_tree.h"

namespace fathom::cover {
namespace {

constexpr size_t kArguments = 4;
const char* const kNames[kArguments] = {"A", "B", "C", "D"};

// An expression over arguments that are true or false; every leaf is a condition of its own.
struct Expression {
  std::string op;  // empty: a leaf
  size_t argument = 0;
  std::unique_ptr<Expression> left;
  std::unique_ptr<Expression> right;
};

std::unique_ptr<Expression> random_expression(std::mt19937& random, int depth, size_t& leaves) {
  auto e = std::make_unique<Expression>();
  const bool is_leaf = depth == 0 || random() % 4 == 0 || leaves >= 6;
  if (is_leaf) {
    e->argument = random() % kArguments;
    ++leaves;
    return e;
  }
  static const char* const kOps[] = {"andalso", "orelse", "and", "or", "xor", "not"};
  e->op = kOps[random() % 6];
  e->left = random_expression(random, depth - 1, leaves);
  if (e->op != "not") e->right = random_expression(random, depth - 1, leaves);
  return e;
}

// A leaf is a comparison, so that it has a node of its own in some, or a plain variable.
std::string text_of(const Expression& e, bool compares) {
  if (e.op.empty()) {
    return compares ? fmt::format("({} =:= true)", kNames[e.argument]) : kNames[e.argument];
  }
  if (e.op == "not") return fmt::format("(not {})", text_of(*e.left, compares));
  return fmt::format("({} {} {})", text_of(*e.left, compares), e.op, text_of(*e.right, compares));
}

// The values of the leaves that are evaluated: 't', 'f'; '-' for the others.
bool evaluate(const Expression& e, uint32_t arguments, std::string& seen, size_t& next) {
  if (e.op.empty()) {
    const bool value = (arguments >> e.argument & 1) != 0;
    seen[next++] = value ? 't' : 'f';
    return value;
  }
  const bool left = evaluate(*e.left, arguments, seen, next);
  if (e.op == "not") return !left;
  const bool stops = (e.op == "andalso" && !left) || (e.op == "orelse" && left);
  std::string dropped = seen;
  const size_t before = next;
  const bool right = evaluate(*e.right, arguments, stops ? dropped : seen, next);
  if (stops) {
    for (size_t i = before; i < next; ++i) seen[i] = '-';
    return left;
  }
  if (e.op == "xor") return left != right;
  return e.op == "and" || e.op == "andalso" ? left && right : left || right;
}

struct Expected {
  std::set<size_t> when_true;
  std::set<size_t> when_false;
  std::set<size_t> decides;
};

Expected reference(const Expression& e, size_t leaves, const std::vector<uint32_t>& inputs) {
  Expected expected;
  std::vector<std::pair<std::string, bool>> rows;
  for (const uint32_t input : inputs) {
    std::string seen(leaves, '-');
    size_t next = 0;
    const bool outcome = evaluate(e, input, seen, next);
    rows.emplace_back(seen, outcome);
    for (size_t i = 0; i < leaves; ++i) {
      if (seen[i] == 't') expected.when_true.insert(i);
      if (seen[i] == 'f') expected.when_false.insert(i);
    }
  }
  for (const auto& [x, x_outcome] : rows) {
    for (const auto& [y, y_outcome] : rows) {
      if (x_outcome == y_outcome) continue;
      for (size_t i = 0; i < leaves; ++i) {
        if (x[i] == '-' || y[i] == '-' || x[i] == y[i]) continue;
        bool others_agree = true;
        for (size_t j = 0; j < leaves; ++j) {
          if (j != i && x[j] != '-' && y[j] != '-' && x[j] != y[j]) others_agree = false;
        }
        if (others_agree) expected.decides.insert(i);
      }
    }
  }
  return expected;
}

std::string module_text(const std::string& guard, const std::string& body) {
  return fmt::format(
      "-module(m).\n-export([g/4, b/4, t/4]).\n"
      "g(A, B, C, D) when {} -> {{A, B, C, D}};\ng(_, _, _, _) -> no.\n"
      "b(A, B, C, D) ->\n  case {} of true -> {{A, B, C, D}}; false -> no end.\n"
      "t(A, B, C, D) -> _ = {{A, B, C, D}},\n  {}.\n",
      guard, body, body);
}

struct Measured {
  std::map<ItemKind, std::vector<bool>> by_kind;  // of the function, in the order of the source
};

class Conditions : public ::testing::Test {
 protected:
  // The items of lines first to last.
  static Measured measured(const ModuleCoverage& module, uint32_t line) {
    Measured m;
    for (const Item& item : module.items) {
      if (item.place.line == line) m.by_kind[item.kind].push_back(item.count > 0);
    }
    return m;
  }
  static void compare(const Measured& m, const Expected& expected, size_t leaves,
                      const std::string& what) {
    for (const auto& [kind, set] : {std::pair(ItemKind::ConditionTrue, &expected.when_true),
                                    std::pair(ItemKind::ConditionFalse, &expected.when_false),
                                    std::pair(ItemKind::Mcdc, &expected.decides)}) {
      const auto found = m.by_kind.find(kind);
      ASSERT_TRUE(found != m.by_kind.end()) << what;
      ASSERT_EQ(found->second.size(), leaves) << what;
      for (size_t i = 0; i < leaves; ++i) {
        ASSERT_EQ(found->second[i], set->contains(i))
            << name_of(kind) << " of condition " << i << "\n"
            << what;
      }
    }
  }
};

TEST_F(Conditions, AgreeWithTheReference) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  std::mt19937 random(2026);
  const int count = takes_samples() ? 20 : 300;
  for (int n = 0; n < count; ++n) {
    size_t leaves = 0;
    std::unique_ptr<Expression> e;
    do {
      leaves = 0;
      e = random_expression(random, 3, leaves);
    } while (e->op.empty());
    std::vector<uint32_t> inputs;
    for (uint32_t i = 1 + random() % 6; i > 0; --i) inputs.push_back(random() % 16);
    const bool compares = random() % 2 == 0;
    const std::string text = text_of(*e, compares);
    TempTree tree;
    tree.add("m.erl", module_text(text, text));
    session::Session session(
        {.project = ProjectOptions::from_environment(), .paths = {tree / "m.erl"}});
    Recorder recorder(of(Criterion::Condition) | of(Criterion::Mcdc));
    const auto found = session.library().find(Atom::intern("m"));
    ASSERT_TRUE(found && *found) << text;
    recorder.add(*(*found)->core, "m.erl");
    machine::Mode mode;
    mode.code.probes = &recorder;
    const auto m = session.make_machine({}, mode);
    std::string what = text;
    for (const uint32_t input : inputs) {
      std::string seen(leaves, '-');
      size_t next = 0;
      const bool outcome = evaluate(*e, input, seen, next);
      what += fmt::format("\n{} -> {}", seen, outcome);
      std::vector<machine::Value> arguments;
      for (size_t i = 0; i < kArguments; ++i) {
        arguments.push_back(machine::Value::boolean((input >> i & 1) != 0));
      }
      for (const char* f : {"g", "b", "t"}) {
        const machine::Outcome result = m->run(Atom::intern("m"), Atom::intern(f), arguments);
        ASSERT_EQ(result.kind, machine::Outcome::Kind::Value) << what;
        const bool value =
            f[0] == 't' ? result.value == machine::Value::boolean(true) : result.value.is_tuple(4);
        ASSERT_EQ(value, outcome) << f << " " << what;
      }
    }
    const Coverage coverage = recorder.coverage();
    const Expected expected = reference(*e, leaves, inputs);
    for (const uint32_t line : {3u, 6u, 8u}) {
      compare(measured(coverage.modules[0], line), expected, leaves,
              fmt::format("line {}: {}", line, what));
    }
  }
}

}  // namespace
}  // namespace fathom::cover
