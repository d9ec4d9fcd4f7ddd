// What fathom gen is asked for, and what comes of it: plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/atom.h"
#include "base/place.h"
#include "generate/exercised.h"
#include "symbolic/solver.h"

namespace fathom::generate {

enum class Criterion : uint8_t {
  Branch,    // every clause
  DataFlow,  // every flow of data
  Both,
  Paths,  // every sequence of clauses
  Goal,   // a line
};
enum class Scope : uint8_t { Module, Global };
enum class Inputs : uint8_t { Spec, Any, OutsideSpec };
enum class Strategy : uint8_t { Guided, Smallest, Breadth, Depth, Deepening, Random };

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
  uint32_t messages = 2;     // that are there when the function is called
  int size = 24;             // cost of an input
  int depth = 400;           // choices on a path
  uint64_t calls = 100'000;  // on a path
  uint64_t patience = 0;     // paths without anything new; 0: any number
  std::string given = {};    // a fun that is true of the arguments that count; empty: all do
  std::optional<uint32_t> goal_line = {};
  std::string goal_file = {};
  std::shared_ptr<const Exercised> exercised = {};     // by tests that are there; may be null
  std::vector<std::vector<std::string>> earlier = {};  // arguments of tests made before
};

// A clause that a test can choose, or choose again in the same run, a flow of data that it can
// exercise, or a line to reach. Which clauses can be chosen again is not known before: such an item
// is there once a path has done it.
struct Item {
  enum class Kind : uint8_t { Clause, Again, Flow, Goal } kind = Kind::Clause;
  uint32_t node = 0;  // in the program
  Place place = {};
  std::string function;  // "m:f/1"
  uint32_t number = 0;   // of the clause, among those of its function
  // Of the others, which have neither: "[X | Xs] matched by [Y | Ys]", "line 12 of m.erl".
  std::string what = {};
  Place to = {};  // of a flow; from `place`, where the value is built
};

struct TestCase {
  std::vector<std::string> arguments;      // as Erlang text
  std::vector<std::string> messages = {};  // that the caller has sent itself before the call
  enum class Outcome : uint8_t { Value, Error, Exit, Throw } outcome = Outcome::Value;
  std::string value;                  // or the reason
  bool is_literal = true;             // the value can be written down
  std::string place;                  // where it raised
  std::vector<uint32_t> covers = {};  // indices of items, in ascending order
  std::vector<uint32_t> only = {};    // of those the ones that no other test covers
  std::vector<uint32_t> path = {};    // clauses that were chosen
  int cost = 0;
  bool is_finding = false;  // kept for its exception
  bool is_earlier = false;  // one of GenerateOptions::earlier
};

// What a path predicted of a call, and the run of the call did not confirm.
struct WrongPrediction {
  std::string call;
  std::string predicted;  // "3", "error: badarg", "another path"
  std::string actual;
};

struct Suite {
  std::vector<Item> items;
  std::vector<TestCase> tests;
  std::vector<uint32_t> uncovered;  // but for clauses to be chosen again
  std::set<std::string> reasons;    // why what is uncovered might still be reachable
  bool exhausted = false;           // all paths within the bounds were gone
  bool has_spec = false;
  // A call may leave something in its process, such as messages, so each has one of its own.
  bool has_effects = false;
  size_t exercised = 0;   // items that tests which are there cover
  uint64_t paths = 0;     // that ended
  uint64_t distinct = 0;  // sequences of clauses among them
  uint64_t states = 0;    // choices that were taken
  uint64_t steps = 0;     // instructions that looked at values
  std::vector<WrongPrediction> wrong;
  double search_seconds = 0;
  double minimise_seconds = 0;
  symbolic::SolverStatistics solver;
};

}  // namespace fathom::generate
