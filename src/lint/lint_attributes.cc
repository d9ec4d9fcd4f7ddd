// Attributes that name functions or options: -compile, -on_load, -nifs,
// -deprecated, -removed, -dialyzer.
#include <fmt/format.h>

#include <algorithm>

#include "lint/lint_module.h"
#include "syntax/abstract.h"

namespace fathom::lint {
namespace {

constexpr std::string_view kDialyzerOptions[] = {"no_return",
                                                 "no_unused",
                                                 "no_improper_lists",
                                                 "no_fun_app",
                                                 "no_match",
                                                 "no_opaque",
                                                 "no_fail_call",
                                                 "no_contracts",
                                                 "no_behaviours",
                                                 "no_undefined_callbacks",
                                                 "unmatched_returns",
                                                 "error_handling",
                                                 "race_conditions",
                                                 "no_missing_calls",
                                                 "specdiffs",
                                                 "overspecs",
                                                 "underspecs",
                                                 "unknown",
                                                 "no_unknown",
                                                 "no_underspecs",
                                                 "extra_return",
                                                 "no_extra_return",
                                                 "missing_return",
                                                 "no_missing_return",
                                                 "overlapping_contract",
                                                 "opaque_union"};

bool is_any(Term term) { return term.is_atom(atoms::underscore); }

// A string of -deprecated or -removed: any list of integers.
bool is_text(Term term) {
  if (!term.is_list() || !term.list().is_proper()) return false;
  return std::ranges::all_of(term.list(), [](Term c) { return c.is_integer(); });
}

bool is_deprecation_flag(Term term) {
  return is_text(term) || (term.is_atom() && (term.atom().text() == "next_version" ||
                                              term.atom().text() == "next_major_release" ||
                                              term.atom().text() == "eventually"));
}

}  // namespace

std::vector<NodeId> ModuleLinter::values(NodeId form) const {
  const auto list = ast_.list(ast_.get<node::Attribute>(form).values);
  return {list.begin(), list.end()};
}

// As its author wrote it.
std::string ModuleLinter::source(NodeId id) const {
  const auto span = tables_.unit.used_span(id);
  return span ? std::string(tables_.unit.sources().slice(*span)) : std::string();
}

void ModuleLinter::finish_attributes() {
  for (const NodeId id : ast_.forms()) {
    if (!ast_.is(id, NodeKind::Attribute)) continue;
    const std::string_view name = ast_.get<node::Attribute>(id).name.text();
    if (name == "compile") compile_attribute(id);
    if (name == "nifs") nifs(id);
    if (name == "deprecated") deprecations(id, false);
    if (name == "removed") deprecations(id, true);
    if (name == "dialyzer") dialyzer(id);
    if (name == "behaviour" || name == "behavior") {
      for (const NodeId value : values(id)) {
        if (ast_.is(value, NodeKind::Atom)) {
          check_module_name(tables_.atom_at(value), value, id, report_);
        }
      }
    }
  }
  finish_on_load();
}

void ModuleLinter::compile_attribute(NodeId form) {
  for (const NodeId value : values(form)) {
    const bool is_list = ast_.is(value, NodeKind::List);
    for (const NodeId option : tables_.flattened(value)) {
      if (tables_.atom_at(option).text() == "nowarn_bif_clash" && !tables_.warns_bif_clash) {
        static constexpr std::string_view kAdvice =
            "nowarn_bif_clash is no longer allowed: write `erlang:f(…)` where the built-in "
            "function is meant, or `-compile({no_auto_import, [f/1]})`";
        // In a list, OTP reports it without a place.
        if (is_list) {
          report_.error_at(Rule::DisallowedNowarnBifClash, option, Loc(), std::string(kAdvice));
        } else {
          report_.error(Rule::DisallowedNowarnBifClash, option, form, std::string(kAdvice));
        }
      }
      if (!ast_.is(option, NodeKind::Tuple)) continue;
      const auto parts = ast_.list(ast_.get<node::Tuple>(option).elements);
      if (parts.size() == 2) compile_tuple(form, option, parts[1]);
    }
  }
}

// {inline, [f/1]} and the like name functions of the module.
void ModuleLinter::compile_tuple(NodeId form, NodeId option, NodeId value) {
  const NodeId key_node = ast_.list(ast_.get<node::Tuple>(option).elements)[0];
  const std::string_view key = tables_.atom_at(key_node).text();
  const bool is_clash = key == "nowarn_bif_clash";
  const bool is_whole = ast_.list(ast_.get<node::Attribute>(form).values)[0] == option;
  if (is_clash && is_whole && !ast_.is(value, NodeKind::List) &&
      (tables_.name_arity(value) || ast_.is(value, NodeKind::Tuple))) {
    report_.error(Rule::DisallowedNowarnBifClash, option, form,
                  "nowarn_bif_clash is no longer allowed: write "
                  "`-compile({no_auto_import, [f/1]})`");
  }
  if (key == "nowarn_removed" || key == "nowarn_deprecated_function") {
    for (const NodeId element : tables_.flattened(value)) {
      NodeId module = element;
      if (ast_.is(element, NodeKind::Tuple)) {
        const auto parts = ast_.list(ast_.get<node::Tuple>(element).elements);
        if (parts.size() != 3) continue;
        module = parts[0];
      } else if (key == "nowarn_deprecated_function") {
        continue;
      }
      if (ast_.is(module, NodeKind::Atom)) {
        check_module_name(tables_.atom_at(module), module, form, report_);
      }
    }
    return;
  }
  if (key == "nowarn_unused_record") {
    for (const NodeId element : tables_.flattened(value)) {
      if (ast_.is(element, NodeKind::Atom) && !tables_.records.contains(tables_.atom_at(element))) {
        report_undefined_record(tables_, element, form, report_);
      }
    }
    return;
  }
  const Rule rule = key == "inline"                   ? Rule::BadInline
                    : key == "nowarn_unused_function" ? Rule::BadNowarnUnusedFunction
                                                      : Rule::BadNowarnBifClash;
  if (rule == Rule::BadNowarnBifClash && !is_clash) return;
  if (tables_.unit.has_errors) return;
  for (const NodeId element : tables_.flattened(value)) {
    const auto f = tables_.name_arity(element);
    if (f && tables_.is_overridden(*f)) continue;
    report_.error(rule, element, form,
                  fmt::format("the option {} names {}, which is not a function of this module", key,
                              f ? show(*f) : "`" + source(element) + "`"));
  }
}

void ModuleLinter::on_load(NodeId id) {
  const auto parts = values(id);
  const auto f = parts.size() == 1 ? tables_.name_arity(parts[0]) : std::nullopt;
  if (!f) {
    report_.error(Rule::BadOnLoad, id, "write `-on_load(function/0).`");
    return;
  }
  on_loads_.push_back({*f, parts[0], id});
  if (on_loads_.size() > 1) {
    report_.error(Rule::MultipleOnLoads, id, "a module has one -on_load at most")
        .note(on_loads_[0].anchor, "this is the first one");
  } else if (f->arity != 0) {
    report_.error(Rule::BadOnLoadArity, parts[0], id,
                  fmt::format("the function of -on_load is called without arguments: {} has {}",
                              show(*f), f->arity));
  }
}

void ModuleLinter::finish_on_load() {
  if (on_loads_.size() != 1 || on_loads_[0].name.arity != 0 || tables_.unit.has_errors) return;
  const Need& need = on_loads_[0];
  if (tables_.is_defined(need.name)) return;
  report_.error(Rule::UndefinedOnLoad, need.at, need.anchor,
                fmt::format("-on_load names {}, which is not defined", show(need.name)));
}

void ModuleLinter::nifs(NodeId form) {
  if (tables_.unit.has_errors) return;
  for (const NodeId value : values(form)) {
    for (const NodeId element : tables_.flattened(value)) {
      const auto f = tables_.name_arity(element);
      if (f && tables_.is_local(*f)) continue;
      report_.error(Rule::UndefinedNif, element, form,
                    fmt::format("{} is to be a NIF, and is not defined; write a function that "
                                "fails until the library is loaded",
                                f ? show(*f) : "`" + source(element) + "`"));
    }
  }
}

bool ModuleLinter::exports(const std::function<bool(ArityName)>& matches) const {
  const auto is_wanted = [&](ArityName f) {
    return !(f.name.text() == "behaviour_info" && f.arity == 1) && matches(f);
  };
  if (!tables_.export_all) return std::ranges::any_of(exports_, is_wanted);
  return std::ranges::any_of(tables_.functions,
                             [&](const auto& entry) { return is_wanted(entry.first); });
}

void ModuleLinter::invalid(NodeId element, NodeId form, bool removed) {
  report_.error(removed ? Rule::InvalidRemoved : Rule::InvalidDeprecated, element, form,
                fmt::format("`{}` is nothing that can be {}: write {{function, arity, \"text\"}}",
                            source(element), removed ? "removed" : "deprecated"));
}

void ModuleLinter::deprecations(NodeId form, bool removed) {
  for (const NodeId value : values(form)) {
    for (const NodeId element : tables_.flattened(value)) deprecation(element, form, removed);
  }
}

void ModuleLinter::deprecation(NodeId element, NodeId form, bool removed) {
  TermArena arena;
  const auto term = constant_value(tables_.unit, element, arena, fathom::NameArity::Pair);
  if (!term) return;
  const Term t = *term;
  Term name(atoms::underscore);
  Term arity(atoms::underscore);
  if (t.is_tuple(2) || t.is_tuple(3)) {
    const bool has_flag = t.is_tuple(3);
    if (has_flag && !(removed ? is_text(t[2]) : is_deprecation_flag(t[2]))) {
      return invalid(element, form, removed);
    }
    name = t[0];
    arity = t[1];
  } else if (!t.is_atom(atoms::module)) {
    return invalid(element, form, removed);
  }
  if (!removed && is_any(name) && is_any(arity)) return;
  const bool is_number = arity.is_small() && arity.small() >= 0;
  if (!name.is_atom() || !(is_any(arity) || is_number)) return invalid(element, form, removed);
  const bool is_exported = exports([&](ArityName f) {
    const bool any_name = is_any(name) && is_any(arity);
    return (any_name || name.is_atom(f.name)) && (is_any(arity) || arity.small() == f.arity);
  });
  if (is_exported == !removed || tables_.unit.has_errors) return;
  report_.error(
      removed ? Rule::BadRemoved : Rule::BadDeprecated, element, form,
      removed ? fmt::format("`{}` is said to be removed, and is exported still", source(element))
              : fmt::format("`{}` is said to be deprecated, and no such function is "
                            "exported",
                            source(element)));
}

void ModuleLinter::dialyzer(NodeId form) {
  for (const NodeId value : values(form)) {
    for (const NodeId element : tables_.flattened(value)) {
      if (!ast_.is(element, NodeKind::Tuple)) {
        dialyzer_option(element, form, element, kNoNode);
        continue;
      }
      const auto parts = ast_.list(ast_.get<node::Tuple>(element).elements);
      if (parts.size() != 2) {
        dialyzer_option(element, form, kNoNode, kNoNode);
        continue;
      }
      for (const NodeId option : tables_.flattened(parts[0])) {
        for (const NodeId f : tables_.flattened(parts[1]))
          dialyzer_option(element, form, option, f);
      }
    }
  }
}

void ModuleLinter::dialyzer_option(NodeId element, NodeId form, NodeId option, NodeId function) {
  const auto f = tables_.name_arity(function);
  if (!ast_.is(option, NodeKind::Atom) || (exists(function) && !f)) {
    report_.error(Rule::BadDialyzerAttribute, element, form,
                  "write -dialyzer(option) or -dialyzer({option, function/arity})");
    return;
  }
  const std::string_view name = tables_.atom_at(option).text();
  const bool is_known = (exists(function) && name == "nowarn_function") ||
                        std::ranges::find(kDialyzerOptions, name) != std::end(kDialyzerOptions);
  if (!is_known) {
    std::vector<Atom> options;
    for (const std::string_view known : kDialyzerOptions) options.push_back(Atom::intern(known));
    suggest(report_.error(Rule::BadDialyzerOption, option, form,
                          fmt::format("Dialyzer has no option {}", show(tables_.atom_at(option)))),
            tables_.atom_at(option), options);
  } else if (f && !tables_.is_local(*f) && !tables_.unit.has_errors) {
    report_undefined_function(tables_, {*f, function, form}, report_);
  }
}

}  // namespace fathom::lint
