// Backward slices.
//
// Two questions are told apart, as in the expression dependence graph (S. Pérez, 2023, chapter 5):
// whether a node must be executed, and what of its value is needed. The answers grow from the
// criterion on until nothing changes:
//
//   value       what is needed of a variable is needed of what its definitions compute it from
//   control     a node that must be executed needs the outcomes of the nodes that decide whether it
//               is reached (control.h)
//   call        a function that must be executed at all needs every call of it. One of which only
//               the result is needed does not: only calls that are kept for reasons of their own
//               count, and they give it what its parameters are needed for
//   exception   where an exception may be caught, the outcome of a node includes whether it raises
//   state       what reads a dictionary, table or mailbox needs whatever changes it
//   syntax      the parts of a pattern that cannot be written without each other
//
// A slice is a program, and each function is in it once. So the parameters that any kept call
// needs are given by all kept calls: what the two phases over summary edges (Horwitz, Reps,
// Binkley 1990) leave apart, an executable slice must join again (Binkley 1993). Doing it at once
// needs no summary edges: a function's parameters and result are summaries enough, and their
// needs are trees (need.h), which is what makes the slice field-sensitive.
//
// Invariant: what is needed of a variable and which nodes are kept only grows, and needs are from a
// finite lattice. Cost: linear in the kept part of the program, times the growth of needs.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "slice/model.h"
#include "slice/need.h"

namespace fathom::slice {

enum class Precision : uint8_t {
  Statements,   // a program dependence graph: a statement is kept as a whole
  Expressions,  // an expression dependence graph
  Fields,       // and parts of data are told apart
};

// Why something is in a slice.
enum class Reason : uint8_t {
  Criterion,
  Value,
  Control,
  Call,
  Argument,
  Result,
  Raised,
  State,
  Syntax
};

// What a slice consists of: a node that is kept, a variable of which something is needed.
struct Fact {
  enum class Kind : uint8_t { None, Variable, Node };
  Kind kind = Kind::None;
  ProcedureId procedure{};
  uint32_t index = 0;  // a VarId, a NodeId

  static Fact of(ProcedureId p, core::VarId v) {
    return {Kind::Variable, p, static_cast<uint32_t>(v)};
  }
  static Fact of(ProcedureId p, core::NodeId n) {
    return {Kind::Node, p, static_cast<uint32_t>(n)};
  }
  core::VarId variable() const { return core::VarId{index}; }
  core::NodeId node() const { return core::NodeId{index}; }
  auto operator<=>(const Fact&) const = default;
};

// The fact is in the slice because of `cause`; none: it is the criterion, or surrounds it.
struct Dependence {
  Fact fact;
  Fact cause;
  Reason reason{};
  auto operator<=>(const Dependence&) const = default;
};

class Slicer {
 public:
  Slicer(const Model& model, Precision precision);

  // ---- The criterion
  void need(ProcedureId p, core::VarId v, NeedId need) { grow(p, v, need, Reason::Criterion); }
  void execute(ProcedureId p, core::NodeId node) { keep(p, node, Reason::Criterion); }
  // Whether it is reached, without the node itself.
  void reach(ProcedureId p, PointId point, core::AstId expression) {
    control(p, point);
    keep_surroundings(p, expression, false);
  }
  // That it ends in this exception, which may show the arguments of a call.
  void fail(ProcedureId p, core::NodeId node);
  // The test is taken to decide nothing (alike_clauses.h).
  void decides_nothing(ProcedureId p, core::NodeId test);
  // Each call of it counts.
  void call(ProcedureId p) { ascend(p); }
  void run();
  size_t steps() const { return steps_; }  // of all runs

  // ---- The slice
  NeedId need_of(ProcedureId p, core::VarId v) const { return needs_[var(p, v)]; }
  bool is_kept(ProcedureId p, core::NodeId node) const;
  // Whether what comes of it is needed: how a test ends, whether a call raises.
  bool has_outcome(ProcedureId p, core::NodeId node) const;
  // What the node, which is kept, needs of a variable that it reads.
  NeedId operand_need(ProcedureId p, core::NodeId node, core::VarId v);
  Needs& needs() { return trees_; }
  const Model& model() const { return model_; }
  // The first cause of something in the slice.
  Dependence why(Fact fact) const;
  // From now on all dependences are noted, not the first of each fact alone.
  void note_dependences() { notes_dependences_ = true; }
  const std::vector<Dependence>& dependences() const { return dependences_; }

 private:
  struct Cause {
    Fact fact;
    Reason reason{};
  };
  struct Item {
    ProcedureId procedure;
    core::NodeId node;
  };

  size_t var(ProcedureId p, core::VarId v) const {
    return first_var_[static_cast<size_t>(p)] + static_cast<size_t>(v);
  }
  size_t point(ProcedureId p, PointId id) const {
    return first_point_[static_cast<size_t>(p)] + static_cast<size_t>(id);
  }

  // ---- What grows
  void note(Fact fact, Reason reason) {
    if (notes_dependences_) dependences_.push_back({fact, cause_, reason});
  }
  void grow(ProcedureId p, core::VarId v, NeedId need, Reason reason);
  void keep(ProcedureId p, core::NodeId node, Reason reason);
  void outcome(ProcedureId p, core::NodeId node, Reason reason);
  void control(ProcedureId p, PointId id);
  void raised(ProcedureId p);
  void ascend(ProcedureId p);
  void demand(Channels channels);
  Channels demand_order(Channels channels);
  void demand_entry(Selector key);
  void keep_partners(ProcedureId p, core::NodeId node);
  void enqueue(ProcedureId p, core::NodeId node);
  void expand(ProcedureId p, core::NodeId node);
  void keep_callers_arguments(ProcedureId p);

  // ---- What follows from a node
  void evaluate(ProcedureId p, core::NodeId node);
  void evaluate_regions(ProcedureId p, core::NodeId node);
  void evaluate_call(ProcedureId p, core::NodeId node);
  void evaluate_receive(ProcedureId p, core::NodeId node);
  void evaluate_try(ProcedureId p, core::NodeId node);
  void keep_syntax(ProcedureId p, core::NodeId node);
  void keep_tests(ProcedureId p, core::AstId below);
  void keep_tests_at(const core::Module& m, core::AstId origin);
  void keep_generator(const core::Module& m, core::AstId generator);
  void keep_receive(const core::Module& m, core::AstId receive);
  void keep_surroundings(ProcedureId p, core::AstId origin, bool is_in_test);
  void keep_all(ProcedureId p, core::AstId below);
  bool is_needed_result(ProcedureId p, core::NodeId node) const;
  // Whether it is the first time that this is asked for the place.
  enum class Done : uint8_t { Tests, All };
  bool is_first(const core::Module& m, core::AstId place, Done what);

  // What the node needs of what it reads (operands.cc).
  struct Operand {
    core::VarId variable{};
    NeedId need{};
    Fact cause = {};  // what it is given to: a parameter, a message; none: the node itself
  };
  using Operands = std::vector<Operand>;
  void operands(ProcedureId p, core::NodeId node, Operands& out);
  void map_operands(ProcedureId p, core::NodeId node, Operands& out);
  void call_operands(ProcedureId p, core::NodeId node, Operands& out);
  void test_operands(ProcedureId p, core::NodeId node, Operands& out);
  bool native_operands(ProcedureId p, core::NodeId node, NeedId result, Operands& out);
  bool message_operands(ProcedureId p, core::NodeId node, NeedId result, Operands& out);
  // Of a call that reads or writes one entry of the process dictionary.
  std::optional<Selector> dictionary_key(ProcedureId p, core::NodeId node) const;
  std::optional<Selector> constant_key(ProcedureId p, core::VarId key) const;
  std::optional<Term> constant(ProcedureId p, core::VarId v) const;
  std::optional<Atom> tag_of(ProcedureId p, std::span<const core::VarId> elements) const;

  // Requests and replies of servers (servers.cc).
  NeedId callback_result(ProcedureId callee, std::optional<size_t> clause = {});
  NeedId reply_need(ProcedureId callback, std::optional<size_t> clause);
  NeedId clause_need(ProcedureId p, core::NodeId node, size_t clause, NeedId need);
  void grow_replies(CallId call);
  bool request_operands(ProcedureId p, core::NodeId node, CallId call, Operands& out);

  // Calls into libraries with rules (library_rules.h).
  void rule_operands(ProcedureId p, core::NodeId node, const Call& call, NeedId result,
                     Operands& out);
  void evaluate_rule(const Call& call, NeedId result, bool is_raising);

  // ---- Tables (tables.cc)
  struct TableEntry {
    std::optional<Atom> table;    // none: any
    std::optional<Selector> key;  // none: any
    NeedId need{};                // of the tuple
  };
  struct Inserted {
    std::vector<std::optional<Selector>> keys;
    bool is_list = false;
  };
  core::NodeId only_definition(ProcedureId p, core::VarId v) const;
  std::optional<Inserted> inserted(ProcedureId p, core::VarId v) const;
  std::optional<Atom> table_name(ProcedureId p, core::VarId table) const;
  bool may_change(const Call& call, const TableEntry& entry) const;
  void demand_table(const TableEntry& entry);
  bool demand_entry_of_table(ProcedureId p, core::NodeId node, NeedId result);
  bool table_operands(ProcedureId p, core::NodeId node, Operands& out);

  const Model& model_;
  Precision precision_;
  Needs trees_;
  std::vector<uint32_t> first_var_, first_point_;
  std::vector<NeedId> needs_;
  std::vector<uint8_t> flags_;  // by point
  std::vector<uint8_t> procedure_flags_;
  std::vector<Cause> var_causes_, point_causes_;
  Fact cause_;
  bool notes_dependences_ = false;
  std::vector<Dependence> dependences_;
  Channels demanded_ = 0;
  std::vector<Selector> demanded_entries_;  // of dictionaries
  std::vector<TableEntry> demanded_tables_;
  std::vector<Item> todo_;
  size_t steps_ = 0;
  Operands operands_;  // of the node that is evaluated
  std::unordered_map<const core::Module*, std::vector<uint8_t>> done_;  // by AST node
};

}  // namespace fathom::slice
