// Coverage, as plain data: what there is to be covered, and how often it was. All reports and data
// files are made of it; where the counts come from is no concern of theirs.
//
// An item is one thing that a run can exercise: a line, a clause, a guard that is false, a pair of
// a definition and a use. Its identity is its module, its kind and its place among the items of the
// module: the same source gives the same items in the same order (`hash` tells whether it is the
// same). A criterion counts the items of some kinds (criteria.h). A new criterion is a kind of item
// and somebody who makes its items.
#pragma once

#include <string>
#include <vector>

#include "cover/criteria.h"

namespace fathom::cover {

// Lines and columns from 1; 0: not known.
struct ItemPlace {
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t end_line = 0;
  uint32_t end_column = 0;
  auto operator<=>(const ItemPlace&) const = default;
};

enum class ItemState : uint8_t {
  Counted,
  Unreachable,  // proved: not counted, but listed
  // A place that the analysis could not follow; or, with a count, what was seen and not predicted.
  // Neither counts: nobody knows what else there is of the kind.
  Unknown,
};

struct Item {
  ItemKind kind{};
  ItemPlace place;
  ItemPlace to = {};  // of an item that is a pair; in `to_module`, or the same module
  std::string to_module = {};
  std::string what = {};  // for people: "clause 2 of f/1"
  ItemState state = ItemState::Counted;
  uint64_t count = 0;

  bool is_counted() const {
    return state == ItemState::Counted || (state == ItemState::Unreachable && count > 0);
  }

  bool is_same(const Item& other) const {
    return kind == other.kind && place == other.place && to == other.to &&
           to_module == other.to_module && what == other.what;
  }
};

// What was seen of a decision (decisions.h): the vectors tell which of its conditions, which are
// items, were shown to decide by themselves. So data of several runs say more together than each.
struct DecisionCoverage {
  std::string formula;
  std::vector<uint32_t> items;    // by condition
  std::vector<uint32_t> vectors;  // in ascending order
};

struct ModuleCoverage {
  std::string name;
  std::string path;
  uint64_t hash = 0;        // of the source
  std::vector<Item> items;  // those that are unknown at the end
  std::vector<DecisionCoverage> decisions = {};

  // Sets the counts of the items of decisions from their vectors.
  void judge_decisions();
};

// What one test has covered: for each module the items, in ascending order.
struct TestCoverage {
  std::string name;
  std::vector<std::vector<uint32_t>> items;
};

struct Coverage {
  CriteriaSet criteria;
  std::vector<ModuleCoverage> modules;  // by name
  std::vector<TestCoverage> tests;
};

struct Totals {
  size_t covered = 0;
  size_t total = 0;
  size_t unreachable = 0;  // not among the total
  size_t unknown = 0;      // neither

  void add(const Totals& other) {
    covered += other.covered;
    total += other.total;
    unreachable += other.unreachable;
    unknown += other.unknown;
  }
  // 100 if there is nothing to cover.
  double percent() const {
    return total == 0 ? 100.0 : 100.0 * static_cast<double>(covered) / static_cast<double>(total);
  }
};

Totals totals(const ModuleCoverage& module, Criterion criterion);
Totals totals(const Coverage& coverage, Criterion criterion);

// Adds the counts and the tests of another run. What is in both must be of the same source and
// have the same items, but for unknown ones, else an error that names the module; then nothing is
// changed.
Result<void> merge(Coverage& into, const Coverage& from);

}  // namespace fathom::cover
