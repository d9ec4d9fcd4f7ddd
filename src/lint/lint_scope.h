// The variables in scope, and what became of them.
//
// One table for the clause being checked, from variable to state, and a trail of
// changes: a mark is a length of the trail, going back to it undoes what came
// after. Erlang's scopes are made of three steps. What stands in sequence simply
// goes on with the table. Parts that do not see each other's variables (the
// elements of a tuple) are each checked from the same mark, and their changes
// merged. Branches (the clauses of a case) likewise, but merged so that what only
// some of them bind is unsafe.
//
// An error of a variable makes it bound, so that one mistake is reported once.
//
// Cost: proportional to the changes, never to the number of variables in scope.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/atom.h"
#include "syntax/ast.h"

namespace fathom::lint {

struct Variable {
  enum class State : uint8_t {
    Unknown,
    Bound,
    Exported,    // bound in every branch of a case or the like
    Unsafe,      // bound in some branch, or where its value may be missing
    Stacktrace,  // the stack trace of a handler, in that handler's guard
  };
  State state = State::Unknown;
  NodeId construct = kNoNode;  // Unsafe: the case, try, … that makes it so
  NodeId bound_at = kNoNode;   // where it was first bound

  bool is_known() const { return state != State::Unknown; }
  bool is_unsafe() const { return state == State::Unsafe; }
};

using State = Variable::State;

struct Change {
  Atom name;
  Variable before;
  Variable now;
};
using Changes = std::vector<Change>;

class Scope {
 public:
  enum class Mark : size_t {};

  Scope() : table_(atom_count()) {}

  void clear() { undo(Mark{0}); }

  const Variable& operator[](Atom name) const {
    return name.id() < table_.size() ? table_[name.id()] : kUnknown;
  }
  void set(Atom name, Variable variable);

  Mark mark() const { return Mark{trail_.size()}; }
  void undo(Mark mark);
  // Each variable once, as it was at the mark and as it is now.
  Changes since(Mark mark) const;
  void apply(const Changes& changes);
  // The changes of a part that does not see what was changed since, nor is seen.
  void add_part(const Changes& part);

  // The changes that f makes, taken back.
  template <class F>
  Changes isolated(F&& f) {
    const Mark start = mark();
    f();
    Changes changes = since(start);
    undo(start);
    return changes;
  }

  // Variables that are new since the mark become unsafe.
  void make_unsafe(Mark since_mark, NodeId construct);
  // What was unsafe then is unsafe again, though its use has been reported since.
  void keep_unsafe(const Changes& changes);

  // Variables in scope, for guessing what a misspelt one meant.
  std::vector<Atom> names() const;

 private:
  struct Entry {
    Atom name;
    Variable before;
  };
  static constexpr Variable kUnknown{};

  std::vector<Variable> table_;  // by atom
  std::vector<Entry> trail_;
};

// Joins the changes of parts that do not see each other, one after the other in
// `parts`: each variable once, unsafe if one of them leaves it so.
Changes merge_parts(Changes parts);

// The changes that a construct makes whose branches made `branches`.
Changes merge_branches(std::span<const Changes> branches, NodeId construct);

}  // namespace fathom::lint
