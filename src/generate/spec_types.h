// Types of a function's parameters, from its -spec and the -type declarations that it names.
//
// Types that are declared are read once for each list of arguments, so that recursive ones become
// cycles. What is not declared where it can be seen is any().
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "session/session.h"
#include "symbolic/types.h"

namespace fathom::generate {

class SpecTypes {
 public:
  SpecTypes(session::Session& session, symbolic::Types& types) : session_(session), types_(types) {}

  // One for each signature of the spec, each with a type for each parameter; empty: no spec.
  std::vector<std::vector<symbolic::TypeId>> signatures(const Unit& unit, Atom function,
                                                        uint32_t arity);

  // Whether a spec that was read names pids, ports or references, for which there are no inputs.
  bool has_identifiers() const { return has_identifiers_; }
  // Those that are named and found nowhere: any term.
  const std::set<std::string>& unknown_types() const { return unknown_types_; }

 private:
  using Alternatives = std::vector<symbolic::Alternative>;
  using Variables = std::map<Atom, symbolic::TypeId>;
  struct Scope {
    const Unit& unit;
    Variables variables = {};
    std::map<Atom, NodeId> constraints = {};
    int depth = 0;
  };

  symbolic::TypeId read(Scope& scope, NodeId node);
  void add(Scope& scope, NodeId node, Alternatives& to);
  void add_predefined(Scope& scope, Atom name, std::span<const NodeId> arguments, Alternatives& to);
  void add_collection(Scope& scope, Atom name, std::span<const NodeId> arguments, Alternatives& to);
  symbolic::TypeId declared(Scope& scope, const Unit& unit, Atom name,
                            std::span<const NodeId> arguments);
  void add_declared(Scope& scope, const Unit& unit, Atom name, std::span<const NodeId> arguments,
                    Alternatives& to);
  void add_improper_list(Scope& scope, std::string_view name, std::span<const NodeId> arguments,
                         Alternatives& to);
  void add_remote(Scope& scope, Atom module, Atom name, std::span<const NodeId> arguments,
                  Alternatives& to);
  const Unit* unit_of(Atom module);
  void add_record(Scope& scope, std::span<const NodeId> arguments, Alternatives& to);
  void add_map(Scope& scope, std::span<const NodeId> fields, Alternatives& to);
  symbolic::TypeId either(std::span<const symbolic::TypeId> types);
  void add_all(symbolic::TypeId type, Alternatives& to);

  session::Session& session_;
  symbolic::Types& types_;
  std::map<std::string, symbolic::TypeId> declared_;   // by module, name and arguments
  std::map<Atom, std::shared_ptr<const Unit>> units_;  // that were read for their types
  bool has_identifiers_ = false;
  std::set<std::string> unknown_types_;
};

}  // namespace fathom::generate
