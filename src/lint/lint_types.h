// Checks types: those of -type and the like, of specs and callbacks, and of the
// fields of records.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "lint/lint_tables.h"

namespace fathom::lint {

class TypeLinter {
 public:
  TypeLinter(Tables& tables, Reporter& report)
      : tables_(tables), ast_(tables.ast), report_(report) {}

  void type_declaration(NodeId form);
  void spec(NodeId form);
  void record_types(NodeId form);
  void exported(NodeId element, NodeId attribute);
  void optional_callbacks(NodeId form);
  // When all forms have been seen.
  void finish();

 private:
  // How often a type variable occurs: one that occurs once says nothing. A
  // variable that occurs once in several alternatives of a union, and nowhere
  // else, counts as once too (from OTP 27 on).
  struct Occurrence {
    NodeId first;
    enum class Count : uint8_t { Once, OnceInUnion, Often } count = Count::Once;
  };
  using Occurrences = std::map<Atom, Occurrence>;

  void type(NodeId id, Occurrences& seen);
  void types(ListId list, Occurrences& seen);
  void predefined(NodeId id, Occurrences& seen);
  void union_type(ListId list, Occurrences& seen);
  void record_type(NodeId id, ListId arguments, Occurrences& seen);
  void variable(NodeId id, Occurrences& seen);
  void use_type(NodeId id, Atom name, ListId arguments, Occurrences& seen);
  void bad_type(NodeId id, std::string message);
  void report_single(const Occurrences& seen);
  void signature(NodeId id, uint32_t arity, bool callback);
  void signatures(NodeId form);
  bool is_predefined(ArityName name) const;
  void undefined_type(const Need& need);

  Tables& tables_;
  const Ast& ast_;
  Reporter& report_;
  std::map<ArityName, NodeId> defined_;
  std::vector<Need> used_;
  struct Declared {
    NodeId first;
    NodeId last;  // where OTP reports what concerns all of them
  };
  std::map<std::pair<Atom, ArityName>, Declared> specs_;  // by module
  std::map<ArityName, Declared> callbacks_;
  std::map<ArityName, NodeId> optional_callbacks_;  // where first listed
  std::map<ArityName, NodeId> optional_forms_;      // in which attribute last
};

}  // namespace fathom::lint
