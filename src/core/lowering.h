// The lowering at work: one object for one module, or for a function of one (parts.h). Its
// parts lie in lower.cc (functions), lower_expr.cc, lower_pattern.cc, lower_control.cc,
// lower_fun.cc (funs and comprehensions), lower_generator.cc (their loops),
// lower_bits.cc, lower_record.cc.
//
// Expressions are lowered in the order in which Erlang evaluates them, each to the
// variable that holds its value; nodes go to the end of the region that is open.
// Nesting is bounded by the parser, and so is this recursion; operators, whose
// chains may be of any length, are lowered by a loop.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/core.h"
#include "core/declarations.h"

namespace fathom::core {

class Lowering {
 public:
  // Into the module, which may hold functions without bodies already.
  Lowering(const Declarations& declarations, Module& module);
  void lower_function(AstId form);

 private:
  using RecordField = Declarations::RecordField;
  using Record = Declarations::Record;

  // What a name means; names that mean nothing now keep their place in the table.
  struct Variable {
    VarId id = kNoVar;
    bool is_bound = false;
  };
  // The function under construction.
  struct Scope {
    Scope* outer = nullptr;
    FunctionId id{};
    Function function;
    std::unordered_map<Atom, Variable> variables;  // every name seen in it
    std::vector<Atom> trail;                       // what was bound, in order
  };
  using Names = std::vector<Atom>;

  // ---- Building
  VarId fresh(Atom name = {});
  VarId emit(Kind kind, AstId origin, std::initializer_list<uint32_t> fields);
  // With a result that exists already, or none.
  NodeId emit_into(VarId result, Kind kind, AstId origin, std::initializer_list<uint32_t> fields);
  VarId emit_literal(Term term, AstId origin);
  VarId emit_call(Atom module, Atom name, std::span<const VarId> arguments, AstId origin);
  VarId emit_tuple(std::span<const VarId> elements, AstId origin);
  void emit_no_match(Atom error, std::span<const VarId> values, AstId origin);
  ListId list(std::span<const VarId> vars) { return module_->add_list(vars); }
  ListId list(std::initializer_list<VarId> vars) {
    return module_->add_list(std::span(vars.begin(), vars.size()));
  }

  size_t open_region() {
    const size_t mark = region_start_;
    region_start_ = open_.size();
    statement_starts_.push_back(statements_.size());
    return mark;
  }
  RegionId close_region(size_t mark, VarId value);
  // What is emitted next belongs to a statement (StatementStart).
  void begin_statement(AstId id);
  // A region of what `body` emits; it returns the value.
  template <class F>
  RegionId region(F&& body) {
    const size_t mark = open_region();
    const VarId value = body();
    return close_region(mark, value);
  }

  // ---- Scopes
  size_t trail_mark() const { return scope_->trail.size(); }
  bool is_bound(Atom name) const {
    const auto it = scope_->variables.find(name);
    return it != scope_->variables.end() && it->second.is_bound;
  }
  VarId bind(Atom name);
  VarId use(Atom name);
  // Names bound since the mark are unbound again, and returned.
  Names unbind(size_t mark);
  void rebind(const Names& names);
  // Names bound since the mark mean nothing any more.
  void forget(size_t mark);

  // ---- Functions (lower.cc)
  // One that the module's source defines; it may have no body here, or none yet.
  std::optional<FunctionId> local_function(Atom name, uint32_t arity);
  FunctionId reserve_function();
  void begin_scope(Scope& scope, FunctionId id, Atom name, AstId origin);
  void end_scope(Scope& scope, std::span<const VarId> parameters, RegionId body);
  // `self` is the name of a named fun.
  VarId function_clauses(fathom::ListId clauses, std::span<const VarId> parameters, AstId origin,
                         Atom self = {});
  VarId finish_function_clauses(std::span<const NodeId> nodes, bool always_match,
                                std::span<const VarId> parameters, AstId origin);

  // ---- Expressions (lower_expr.cc)
  VarId expr(AstId id);
  VarId body(fathom::ListId expressions);
  std::vector<VarId> exprs(fathom::ListId ids);
  VarId operators(AstId id);
  bool is_right_first(const fathom::node::BinaryOp& op) const;
  VarId short_circuit(AstId id);
  VarId match(AstId id);
  VarId list_expr(AstId id);
  VarId map_fields(VarId map, fathom::ListId fields, AstId origin);
  VarId call(AstId id);
  VarId local_call(Atom name, fathom::ListId arguments, AstId id);
  bool is_constant(AstId id) const;
  VarId constant(AstId id);

  // ---- Patterns and guards (lower_pattern.cc)
  void pattern(AstId id, VarId subject);
  void list_pattern(AstId id, VarId subject);
  void map_pattern(AstId id, VarId subject);
  void prefix_pattern(AstId id, VarId subject);
  void record_pattern(AstId id, VarId subject);
  VarId guard_expr(AstId id);
  VarId guard_test(AstId id);
  // The size of a segment, or a key, in a pattern. In a head, names mean there what they mean
  // around it, but for those that the same binary has named before.
  VarId guard_expr_outside_head(AstId id, std::span<const Atom> named_before);
  ListId guards(fathom::ListId guard);
  // Nothing to test, nothing to bind.
  bool is_wildcard(AstId id) const;
  bool is_irrefutable(AstId id) const;

  // ---- Control (lower_control.cc)
  NodeId clause(AstId id, std::span<const VarId> subjects);
  // The clauses of a case, receive, …: variables that all of them bind are bound after.
  ListId clauses(fathom::ListId ids, std::span<const VarId> subjects);
  bool always_matches(fathom::ListId ids, Atom self) const;
  VarId case_expr(AstId id);
  VarId if_expr(AstId id);
  VarId receive_expr(AstId id);
  VarId try_expr(AstId id);
  VarId try_without_after(AstId id);
  NodeId handler_clause(AstId id, VarId exception_class, VarId reason, VarId trace);
  VarId catch_expr(AstId id);
  VarId maybe_expr(AstId id);
  VarId maybe_body(std::span<const AstId> expressions);

  // ---- Funs and comprehensions (lower_fun.cc)
  VarId fun_expr(AstId id);
  VarId named_fun_expr(AstId id);
  VarId fun_name(AstId id);
  VarId make_fun(AstId id, Atom self, fathom::ListId clauses);
  std::vector<Atom> captured(std::span<const AstId> ids);
  std::vector<VarId> values_of(std::span<const Atom> names);
  // A name that no source can have.
  Atom private_name(std::string_view what);
  // A function called at once: the body of an `after`, a loop of a comprehension.
  struct Loop {
    FunctionId function{};
    std::vector<Atom> captures;
    AstId origin = kNoNode;  // of the calls of a comprehension's loop, as OTP has it
  };
  VarId call_loop(const Loop& loop, std::span<const VarId> arguments, AstId origin);
  Loop after_function(fathom::ListId expressions, AstId origin);

  struct Rest;
  struct Comprehension;
  class Shadow;
  enum class Step : uint8_t { Take, Skip, End };
  VarId comprehension(AstId id);
  VarId qualifiers(const Comprehension& c, size_t next, const Rest& rest);
  VarId comprehension_body(const Comprehension& c, const Rest& rest);
  VarId filter(const Comprehension& c, size_t next, const Rest& rest);
  VarId go_on(const Comprehension& c, const Rest& rest);
  // (lower_generator.cc)
  VarId generator(const Comprehension& c, std::span<const AstId> generators, size_t next,
                  const Rest& rest);
  VarId generator_source(AstId id);
  VarId loop_body(const Comprehension& c, std::span<const AstId> generators, size_t next,
                  const Loop& loop, const Rest& outer, std::span<const VarId> parameters);
  Atom generator_step(AstId id, VarId source, Step step);
  void element_pattern(AstId p, VarId subject);
  void non_empty_bits(AstId id, VarId source, VarId position);

  // ---- Bits (lower_bits.cc)
  VarId binary_expr(AstId id);
  void binary_pattern(AstId id, VarId subject);
  VarId segments_pattern(fathom::ListId segments, VarId subject, VarId position, bool compare);
  struct SegmentParts {
    SegmentSpec spec;
    AstId size;                 // or none
    uint32_t default_size = 0;  // if there is none and spec.all is not set
  };
  SegmentParts segment_parts(AstId segment) const;
  VarId segment_size(const SegmentParts& parts, AstId origin);
  VarId matched_size(const SegmentParts& parts, AstId origin, std::span<const Atom> named_before);
  std::optional<Term> float_literal(const SegmentParts& parts, AstId value) const;
  uint32_t bytes_of_each(AstId segment, const SegmentParts& parts);
  std::optional<VarId> literal_segment(AstId segment, const SegmentParts& parts, VarId size);
  static SegmentSpec bits_to_the_end();

  // ---- Records (lower_record.cc)
  const Record& record(AstId name) const;
  Atom record_name(AstId name) const;
  static size_t field_index(const Record& record, Atom field);
  AstId field_value(fathom::ListId given, Atom field) const;
  VarId with_record(VarId value, AstId name, std::span<const VarId> elements, AstId id, AstId place,
                    const std::function<VarId()>& make);
  VarId record_expr(AstId id);
  std::vector<AstId> record_defaults(AstId id) const;
  VarId record_update(AstId id);
  VarId record_access(AstId id);
  VarId record_index(AstId id);
  VarId record_info(AstId id, fathom::ListId arguments);
  // is_record(X, name) of a record that is declared: its size is tested too.
  bool is_record_test(Atom function, fathom::ListId arguments) const;
  VarId record_test(AstId id, fathom::ListId arguments);

  Atom lifted_name(std::string_view what);

  const Unit& unit_;
  const Ast& ast_;
  Module* module_;
  const Declarations& declarations_;
  std::vector<NodeId> open_;  // nodes of the regions that are open
  size_t region_start_ = 0;
  std::vector<StatementStart> statements_;  // of the regions that are open, without those
  std::vector<size_t> statement_starts_;    // which of them are the first of a region
  Scope* scope_ = nullptr;
  bool in_guard_ = false;
  Shadow* head_ = nullptr;  // whose patterns are being lowered; none: of a case, and the like
  Atom function_name_;      // of the function in the source that is being lowered
  uint32_t function_arity_ = 0;
  uint32_t lifted_ = 0;
  uint32_t loops_ = 0;
  uint32_t private_names_ = 0;
  VarId skipped_ = kNoVar;  // what the last generator_step looked at

  std::unordered_map<uint64_t, FunctionId> local_;  // by function_key
};

}  // namespace fathom::core
