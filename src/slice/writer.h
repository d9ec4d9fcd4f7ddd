// A slice as text: the author's own, without what is not needed.
//
// A form, clause, expression of a body, qualifier or field of a map that is not needed goes. Where
// the grammar wants something, an expression becomes the atom `sliced` and a pattern `_`. Of an
// operation whose value is not needed, those operands stay that are executed for other reasons.
// The rest of the text stays as it is, line by line.
//
// What is written must mean what was analysed: a name that is not needed is written nowhere, a test
// that decides nothing is `_`, and a clause after one that takes everything goes.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "slice/scopes.h"
#include "slice/slicer.h"
#include "slice/unit_edits.h"

namespace fathom::slice {

struct SlicedModule {
  const core::Module* module = nullptr;
  std::string text;
  std::vector<TextRange> kept;     // of the text of its file
  std::vector<uint32_t> criteria;  // where those of this module begin in the text
  size_t nodes_kept = 0;           // of the AST, in functions
  size_t nodes_total = 0;
};

// Clauses of an execution that were tried and never taken: with their heads, or not at all.
enum class Untaken : uint8_t { Heads, Gone };

class Writer : UnitEdits {
 public:
  // `pinned`: nodes of the AST that stay in any case. `functions`: forms that must be there.
  Writer(Slicer& slicer, const core::Module& module, const std::vector<core::AstId>& pinned,
         const std::vector<core::AstId>& functions, Untaken untaken);

  // The clause is not written: another one does its work.
  void leave_out(core::AstId clause) { left_out_.insert(clause); }
  // Whether anything of the module is needed.
  bool is_empty() const { return is_empty_; }
  SlicedModule write();

 private:
  enum class Slot : uint8_t { Expression, Body };  // one expression; several in a row

  struct Pending {
    core::AstId node;
    bool is_wanted;
    Slot slot;
  };

  // ---- What is needed
  bool is_touched(core::AstId id) const { return touched_[static_cast<size_t>(id)]; }
  bool is_pinned(core::AstId id) const { return pinned_[static_cast<size_t>(id)]; }
  bool has_kept_node(core::AstId id) const;
  bool is_value_needed(core::AstId id) const;
  bool is_wanted_by(core::AstId operation, core::AstId operand) const;
  bool is_constant(core::AstId id) const;
  bool is_bound(core::AstId use) const;
  bool is_tried_value_needed(core::AstId id) const;
  void touch(core::AstId id);

  // ---- Forms (writer.cc)
  void form(core::AstId id);
  void exports(core::AstId id);
  void record_declaration(core::AstId id);
  void count_names(core::AstId id);
  core::AstId value_of_field(core::AstId id) const;
  bool is_kept_function(Atom name, uint32_t arity) const;

  // ---- Expressions (write_expr.cc)
  // Later, by write_pending.
  void expression(core::AstId id, bool is_wanted, Slot slot) {
    pending_.push_back({id, is_wanted, slot});
  }
  void write_pending();
  void write_expression(core::AstId id, bool is_wanted, Slot slot);
  void operation(core::AstId id, Slot slot);
  void operand(core::AstId operation, core::AstId id);
  void constant(core::AstId id, NeedId need);
  void constant_map(core::AstId id, NeedId need);
  void hoist(core::AstId id, const std::vector<core::AstId>& parts, Slot slot);
  void match(core::AstId id, bool is_wanted, Slot slot);
  void short_circuit(core::AstId id, bool is_wanted, Slot slot);
  void map_fields(ListId fields, core::AstId operation);
  void record_fields(ListId fields, core::AstId operation);
  // Whether one of them is `_ = …`, which stands for those that are not there.
  bool has_rest(std::span<const core::AstId> fields) const;
  bool has_computed_default(core::AstId record, core::AstId field) const;
  void comprehension(core::AstId id);
  void generator(core::AstId id);
  std::vector<core::AstId> operands_of(core::AstId id) const;
  static bool is_operation(NodeKind kind);
  // ---- Control (write_control.cc)
  void control(core::AstId id, bool is_wanted, Slot slot);
  void body(ListId list, bool is_wanted);
  void clauses(ListId list, bool is_wanted);
  void clause(core::AstId id, bool is_wanted);
  void handlers(ListId list, bool is_wanted);
  void handler_head(core::AstId clause);
  void guard(core::AstId clause, bool is_if);
  void try_expression(core::AstId id, bool is_wanted);
  void maybe_body(ListId list, bool is_wanted);
  bool takes_anything(core::AstId clause) const;
  bool is_reached(core::AstId clause) const;
  bool is_taken(core::AstId clause) const;
  bool is_after_taken(core::AstId receive) const;
  bool is_guard_touched(core::AstId clause) const;
  void pattern(core::AstId id);
  void binary_pattern(core::AstId id);

  void verbatim(core::AstId id);
  void count(core::AstId id) { counted_[static_cast<size_t>(id)] = true; }

  Slicer& slicer_;
  const core::Module& module_;
  const Ast& ast_;
  Scopes scopes_;
  Untaken untaken_;
  bool is_empty_ = true;
  std::vector<Pending> pending_;
  std::vector<uint32_t> criteria_;  // where the pinned nodes begin
  std::vector<bool> touched_, pinned_, counted_;
  std::unordered_set<core::AstId> left_out_;
};

}  // namespace fathom::slice
