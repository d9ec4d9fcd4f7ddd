// What fathom gen is asked for, and what comes of it: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/atom.h"
#include "base/place.h"
#include "symbolic/solver.h"

namespace fathom::generate {

enum class Criterion : uint8_t {
  Branch,    // every clause
  DataFlow,  // every flow of data
  Both,
  Paths,  // every sequence of clauses
};
enum class Scope : uint8_t { Module, Global };
enum class Inputs : uint8_t { Spec, Any };
enum class Strategy : uint8_t { Guided, Breadth, Depth, Random };

struct GenerateOptions {
  Atom module = {};
  Atom function = {};
  uint32_t arity = 0;
  Criterion criterion = Criterion::Branch;
  Scope scope = Scope::Module;  // what counts: the module of the function, or the whole project
  bool errors = false;
  Inputs inputs = Inputs::Spec;
  Strategy strategy = Strategy::Guided;
  uint64_t seed = 0;
  uint16_t length = 6;       // of a list
  int size = 24;             // cost of an input
  int depth = 400;           // choices on a path
  uint64_t calls = 100'000;  // on a path
  uint64_t patience = 0;     // paths without anything new; 0: any number
  std::string given = {};    // a guard on the arguments; empty: none
  std::optional<uint32_t> goal_line = {};
  std::string goal_file = {};
};

// A clause that a test can choose, or a flow of data that it can exercise.
struct Item {
  uint32_t node = 0;  // in the program
  Place place = {};
  std::string function;  // "m:f/1"
  uint32_t number = 0;   // of the clause, among those of its function
  // Of a flow, which has neither: from `place`, where the value is built.
  std::string flow = {};  // "[X | Xs] matched by [Y | Ys]"; empty: it is a clause
  Place to = {};

  bool is_flow() const { return !flow.empty(); }
};

struct TestCase {
  std::vector<std::string> arguments;  // as Erlang text
  enum class Outcome : uint8_t { Value, Error, Exit, Throw } outcome = Outcome::Value;
  std::string value;                  // or the reason
  bool is_literal = true;             // the value can be written down
  std::string place;                  // where it raised
  std::vector<uint32_t> covers = {};  // indices of items, in ascending order
  std::vector<uint32_t> only = {};    // of those the ones that no other test covers
  std::vector<uint32_t> path = {};    // clauses that were chosen
  int cost = 0;
  bool is_finding = false;  // kept for its exception
};

struct Suite {
  std::vector<Item> items;
  std::vector<TestCase> tests;
  std::vector<uint32_t> uncovered;
  std::set<std::string> reasons;  // why what is uncovered might still be reachable
  bool exhausted = false;         // all paths within the bounds were gone
  bool has_spec = false;
  bool goal_reached = false;
  uint64_t paths = 0;     // that ended
  uint64_t distinct = 0;  // sequences of clauses among them
  uint64_t states = 0;    // choices that were taken
  uint64_t steps = 0;     // instructions that looked at values
  uint64_t unsound = 0;   // tests that came out differently when run
  double search_seconds = 0;
  double minimise_seconds = 0;
  symbolic::SolverStatistics solver;
};

}  // namespace fathom::generate
