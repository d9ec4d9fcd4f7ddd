// Checks a module form by form: attributes, their order, and what they name.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "base/term.h"
#include "lint/lint_body.h"
#include "lint/lint_tables.h"
#include "lint/lint_types.h"

namespace fathom::lint {

class ModuleLinter {
 public:
  ModuleLinter(const Unit& unit, Diagnostics& diagnostics, const Options& options)
      : tables_(unit, options),
        ast_(unit.ast),
        report_(unit, diagnostics),
        bodies_(tables_, report_),
        types_(tables_, report_) {}

  bool run();

 private:
  enum class Part : uint8_t { Start, Attributes, Functions };

  // lint.cc
  void scan();
  void scan_compile(NodeId form);
  void compile_option(NodeId option);
  void form(NodeId id);
  void start(NodeId id);
  bool may_stand_between_functions(NodeId id) const;
  void record(NodeId id);
  void function(NodeId id);
  void attribute(NodeId id);
  void imports(NodeId id);
  void import(NodeId element, NodeId form, ArityName f, Atom module);
  void documentation(NodeId id);
  void undefined_functions();

  // lint_attributes.cc
  void finish_attributes();
  void compile_attribute(NodeId form);
  void compile_tuple(NodeId form, NodeId option, NodeId value);
  void on_load(NodeId id);
  void finish_on_load();
  void nifs(NodeId form);
  void deprecations(NodeId form, bool removed);
  void deprecation(NodeId element, NodeId form, bool removed);
  void dialyzer(NodeId form);
  void dialyzer_option(NodeId element, NodeId form, NodeId option, NodeId function);
  void invalid(NodeId element, NodeId form, bool removed);
  bool exports(const std::function<bool(ArityName)>& matches) const;
  std::vector<NodeId> values(NodeId form) const;
  std::string source(NodeId id) const;

  Tables tables_;
  const Ast& ast_;
  Reporter report_;
  BodyLinter bodies_;
  TypeLinter types_;
  Part part_ = Part::Start;
  NodeId module_form_ = kNoNode;
  NodeId first_function_ = kNoNode;
  std::set<ArityName> seen_functions_;
  std::set<ArityName> exports_;
  std::vector<Need> on_loads_;
  NodeId doc_ = kNoNode;  // of what comes next
  NodeId moduledoc_ = kNoNode;
};

}  // namespace fathom::lint
