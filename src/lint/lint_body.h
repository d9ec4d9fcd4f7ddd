// Checks the clauses of functions, and the expressions in record definitions.
//
// Expressions whose parts do not see each other's variables (operations, data,
// calls) are taken apart on an explicit stack, in expression(), so that chains of
// operators may be of any length. What opens a scope or puts things in sequence
// (blocks, clauses, matches, funs, comprehensions) is checked by a member function
// for each, which recurses; such nesting is bounded by kMaxNesting.
//
// A pattern sees the variables outside of it and not its own: its bindings are
// collected and take effect after it. Only a binary's sizes see what stands
// before them in the same binary.
#pragma once

#include <vector>

#include "lint/lint_scope.h"
#include "lint/lint_tables.h"

namespace fathom::lint {

class BodyLinter {
 public:
  BodyLinter(Tables& tables, Reporter& report)
      : tables_(tables), unit_(tables.unit), ast_(tables.ast), report_(report) {}

  void function(NodeId form);
  // The value of a field in a record's definition; false if it has an error.
  bool field_default(NodeId value);

 private:
  // What a pattern does to the variables: new ones, and known ones that it uses.
  struct Bindings {
    std::vector<std::pair<Atom, NodeId>> fresh;
    Changes used;
    bool has(Atom name) const;
    void add(Atom name, NodeId at);
  };
  // Whether variables of the pattern hide those outside (heads of funs, generators).
  enum class Hiding : uint8_t { No, Yes };
  // The variables that a fun or comprehension hides, as they were when it did.
  using Hidden = std::vector<std::pair<Atom, Variable>>;
  enum class GuardContext : uint8_t { Guard, MapKey, Size };

  // A guard being checked, or what is restricted like one.
  struct GuardState {
    GuardContext context = GuardContext::Guard;
    const Bindings* before = nullptr;  // Size: what the binary pattern has bound before it
    Changes* used = nullptr;           // in patterns: where changes go instead of the scope
  };

  // The size of a segment, as far as its checks ask.
  struct SegmentSize {
    enum class Kind : uint8_t { Default, All, Known, Unknown, None };
    Kind kind = Kind::Default;
  };

  // Of an alias pattern P1 = P2 = …, so many are compared with each other.
  static constexpr int kMaxAliases = 200;

  static constexpr int kMaxDefaults = 10'000;  // see defaults_left_

  // lint_expr.cc
  void expressions(ListId list);
  void expression(NodeId root);
  bool take_apart(NodeId id, Changes& merged);
  bool take_data_apart(NodeId id);
  void construct(NodeId id);
  void push(NodeId id) { todo_.push_back(id); }
  void push_all(ListId list);
  void use(NodeId var, Changes& merged);
  void use_state(NodeId var, const Variable& variable, Changes& merged);
  void unbound(NodeId var);
  void unsafe(NodeId var, const Variable& variable);
  void map_fields(ListId fields, bool construction);
  void push_segments(NodeId binary);
  void short_circuit(NodeId id);
  void match(NodeId id);
  void match_aliases(NodeId pattern, NodeId value);

  // lint_calls.cc
  void call(NodeId id);
  void local_call(NodeId id, NodeId name, ArityName f);
  void remote_call(NodeId id, const node::Remote& remote, ListId arguments);
  void fun_name(NodeId id);
  void fun_remote(NodeId id);
  void record_info_call(NodeId id, NodeId name, ListId arguments);
  bool is_record_test(NodeId id);

  // lint_blocks.cc
  void clause(NodeId id);
  void handler(NodeId id);
  std::vector<Changes> clauses(ListId list);
  void branch(NodeId construct, ListId list);
  void case_of(NodeId id);
  void receive(NodeId id);
  void try_catch(NodeId id);
  void maybe(NodeId id);
  void fun_clauses(ListId list);
  void named_fun(NodeId id);
  void comprehension(NodeId id);
  void qualifier(NodeId id, Hidden& hidden);
  void generators(std::span<const NodeId> ids, Hidden& hidden);
  void bind_hiding(const Bindings& bindings, Hidden& hidden);
  static Changes visible_outside(Changes changes, const Hidden& hidden);

  // lint_patterns.cc
  void pattern(NodeId root, Hiding hiding, Bindings& bindings);
  void pattern_part(NodeId id, Hiding hiding, Bindings& bindings);
  void pattern_list(ListId list, Hiding hiding, Bindings& bindings);
  void pattern_variable(NodeId id, Hiding hiding, const Bindings* before, Bindings& bindings);
  void pattern_map(NodeId id, Bindings& bindings);
  void pattern_record(NodeId id);
  void pattern_append(NodeId id);
  void illegal_pattern(NodeId id);
  void bind(const Bindings& bindings);
  bool is_constant_pattern(NodeId id);

  // lint_aliases.cc
  using Alias = std::pair<NodeId, NodeId>;
  void check_alias(NodeId left, NodeId right);
  void push_alias_parts(Alias alias, std::vector<Alias>& todo);
  void push_alias_lists(Alias alias, std::vector<Alias>& todo);
  void push_alias_records(Alias alias, std::vector<Alias>& todo);
  void check_alias_keys(NodeId map);

  // lint_bits.cc
  void pattern_binary(NodeId id, Hiding hiding, Bindings& bindings);
  void pattern_segment_value(NodeId value, Hiding hiding, Bindings& own, Bindings& bindings);
  SegmentSize pattern_size(NodeId size, Bindings& own, Bindings& bindings);
  SegmentSize segment_size(NodeId size);
  SegmentSize check_segment(NodeId segment, SegmentSize size);
  bool has_utf_type(NodeId segment) const;
  void check_generator_binary(NodeId pattern);

  // lint_guards.cc
  void guard(ListId guard);
  void guard_test(NodeId id);
  void guard_expression(NodeId root, const GuardState& state);
  void guard_part(NodeId id, const GuardState& state, Changes& merged);
  void guard_call(NodeId id, const GuardState& state);
  void guard_is_record(NodeId id, std::span<const NodeId> arguments, const GuardState& state);
  void guard_old_record(NodeId id, std::span<const NodeId> arguments);
  void record_name_wanted(NodeId id, const GuardState& state);
  void guard_record(NodeId id, const GuardState& state);
  void guard_variable(NodeId id, const GuardState& state, Changes& merged);
  void illegal_guard(NodeId id, const GuardState& state);
  void illegal_guard_call(NodeId id, ArityName f, const GuardState& state);
  bool is_guard_test(NodeId id);
  bool is_guard_expression(NodeId root);
  bool guard_children(NodeId id, std::vector<NodeId>& todo);

  // lint_records.cc
  // Reports a record that is not defined (yet).
  const RecordInfo* record(NodeId name, NodeId at);
  // The values of those fields that may be checked; wrong ones are reported. Of a
  // record that is not known, none, unless it may be because of another error.
  std::vector<NodeId> record_values(NodeId name, const RecordInfo* info, ListId fields);
  std::vector<NodeId> record_fields(Atom name, const RecordInfo& info, ListId fields);
  void push_record_values(NodeId name, const RecordInfo* info, ListId fields);
  void push_record(NodeId id);
  void push_record_update(NodeId id);
  void record_field(NodeId record_name, NodeId field, NodeId at);
  NodeId wildcard(ListId fields) const;
  std::vector<NodeId> defaults(const RecordInfo& info, ListId fields) const;
  std::vector<NodeId> guard_defaults(const RecordInfo& info, ListId fields);
  void is_record_atom(NodeId name);

  Tables& tables_;
  const Unit& unit_;
  const Ast& ast_;
  Reporter& report_;
  Scope scope_;
  std::vector<NodeId> todo_;  // of all the expressions that are being taken apart
  ArityName function_;
  // Defaults of records that guards may still bring in, for each function: a record
  // whose default is a record, and so on, can bring in very many.
  int defaults_left_ = 0;
  bool in_record_definition_ = false;  // outside of any fun and comprehension
};

}  // namespace fathom::lint
