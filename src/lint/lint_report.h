// How the linter says what it found: an error at a node, with notes that point to
// other nodes, and the names of things as its messages spell them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/unit.h"

namespace fathom::lint {

enum class Rule : uint8_t {
#define RULE(Id, Text) Id,
#include "lint/lint_rules.def"
#undef RULE
};

std::string_view rule_name(Rule rule);

// A function, or a type: name and number of arguments.
struct ArityName {
  Atom name;
  uint32_t arity = 0;
  constexpr auto operator<=>(const ArityName&) const = default;
};

std::string show(Atom atom);            // as in source, in quotes if it needs them
std::string show(ArityName name);       // f/1
std::string show_type(ArityName name);  // t(), t(_, _)

// The candidate that `name` is probably a misspelling of, or the empty atom.
Atom closest(Atom name, std::span<const Atom> candidates);

class Reporter;

// An error that has just been reported; for adding notes before the next one is.
class Found {
 public:
  Found(const Unit& unit, Diagnostic& diagnostic) : unit_(unit), diagnostic_(diagnostic) {}
  Found& note(NodeId at, std::string text);
  Found& did_you_mean(std::string_view what);

 private:
  const Unit& unit_;
  Diagnostic& diagnostic_;
};

class Reporter {
 public:
  Reporter(const Unit& unit, Diagnostics& diagnostics) : unit_(unit), diagnostics_(diagnostics) {}

  // The span is that of `at`; `anchor` is the node whose place OTP gives, if it is
  // another one.
  Found error(Rule rule, NodeId at, std::string message) {
    return error(rule, at, at, std::move(message));
  }
  Found error(Rule rule, NodeId at, NodeId anchor, std::string message);
  // With OTP's place at a location of its own.
  Found error_at(Rule rule, NodeId at, Loc anchor, std::string message);
  // About the module as a whole.
  Found file_error(Rule rule, std::string message);

  // While the outermost one lives, errors are reported at its node, wherever they
  // are found: for what a record's definition brings to the places that use it.
  class Elsewhere {
   public:
    Elsewhere(Reporter& reporter, NodeId at) : reporter_(reporter), outer_(reporter.elsewhere_) {
      if (!exists(outer_)) reporter.elsewhere_ = at;
    }
    ~Elsewhere() { reporter_.elsewhere_ = outer_; }
    Elsewhere(const Elsewhere&) = delete;
    Elsewhere& operator=(const Elsewhere&) = delete;

   private:
    Reporter& reporter_;
    NodeId outer_;
  };

  size_t count() const { return count_; }
  // So many errors that no more are shown: no need to guess what was meant.
  bool is_flooded() const { return count_ > Diagnostics::kMaxErrors; }

 private:
  void add_macro_note(Diagnostic& diagnostic, NodeId at);

  const Unit& unit_;
  Diagnostics& diagnostics_;
  NodeId elsewhere_ = kNoNode;
  size_t count_ = 0;
};

}  // namespace fathom::lint
