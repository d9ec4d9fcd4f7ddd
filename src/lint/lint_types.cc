#include "lint/lint_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "lint/fold.h"
#include "syntax/predefined_types.h"

namespace fathom::lint {

bool TypeLinter::is_predefined(ArityName name) const {
  if (name.arity == 0 && name.name.text() == "dynamic" && tables_.release < 26) return false;
  return is_predefined_type(name.name, name.arity);
}

void TypeLinter::type_declaration(NodeId form) {
  const auto view = ast_.get<node::TypeDecl>(form);
  const ArityName name{view.name, static_cast<uint32_t>(ast_.list(view.parameters).size())};
  const bool hides_predefined = is_predefined(name) && !tables_.no_auto_import_types;
  if (hides_predefined && tables_.release < 26) {
    report_.error(Rule::BuiltinType, form,
                  fmt::format("{} is a predefined type, and cannot be defined anew before OTP 26",
                              show_type(name)));
    return;
  }
  const auto [first, is_new] = defined_.emplace(name, form);
  if (!is_new && !hides_predefined) {
    report_
        .error(Rule::RedefineType, form, fmt::format("type {} is defined twice", show_type(name)))
        .note(first->second, "it is defined here first");
    return;
  }
  Occurrences seen;
  type(view.type, seen);
  types(view.parameters, seen);
  report_single(seen);
}

void TypeLinter::record_types(NodeId form) {
  Occurrences seen;
  for (const NodeId id : ast_.list(ast_.get<node::RecordDecl>(form).fields)) {
    const NodeId field_type = ast_.get<node::RecordFieldDecl>(id).type;
    if (exists(field_type)) type(field_type, seen);
  }
  report_single(seen);
}

void TypeLinter::exported(NodeId element, NodeId attribute) {
  if (const auto name = tables_.name_arity(element)) used_.push_back({*name, element, attribute});
}

void TypeLinter::report_single(const Occurrences& seen) {
  for (const auto& [name, occurrence] : seen) {
    if (occurrence.count == Occurrence::Count::Often || name.text().starts_with('_')) continue;
    report_.error(Rule::SingletonTypevar, occurrence.first,
                  fmt::format("type variable {0} occurs only once, and so relates nothing: write "
                              "`_{0}`, `_` or `term()`",
                              name.text()));
  }
}

void TypeLinter::types(ListId list, Occurrences& seen) {
  for (const NodeId id : ast_.list(list)) type(id, seen);
}

// Recursive: the nesting of types is bounded by kMaxNesting. Operators are folded.
void TypeLinter::type(NodeId id, Occurrences& seen) {
  switch (ast_.kind(id)) {
    case NodeKind::AnnotatedType:
      return type(ast_.get<node::AnnotatedType>(id).type, seen);
    case NodeKind::Atom:
    case NodeKind::Integer:
    case NodeKind::Char:
    case NodeKind::AnyType:
    case NodeKind::AnyArguments:
      return;
    case NodeKind::Var:
      return variable(id, seen);
    case NodeKind::Type:
      return predefined(id, seen);
    case NodeKind::UserType: {
      const auto view = ast_.get<node::UserType>(id);
      return use_type(id, view.name, view.arguments, seen);
    }
    case NodeKind::RemoteType: {
      const auto view = ast_.get<node::RemoteType>(id);
      const Atom module = tables_.atom_at(view.module);
      check_module_name(module, view.module, id, report_);
      if (module == tables_.module) {
        return use_type(id, tables_.atom_at(view.name), view.arguments, seen);
      }
      return types(view.arguments, seen);
    }
    default:
      if (!folds_to_integer(tables_.unit, id)) bad_type(id, "this does not compute to an integer");
  }
}

void TypeLinter::bad_type(NodeId id, std::string message) {
  report_.error(Rule::TypeSyntax, id, std::move(message));
}

void TypeLinter::variable(NodeId id, Occurrences& seen) {
  const Atom name = ast_.get<node::Var>(id).name;
  if (name == atoms::underscore) return;
  const auto [at, is_new] = seen.emplace(name, Occurrence{id});
  if (!is_new) at->second.count = Occurrence::Count::Often;
}

void TypeLinter::use_type(NodeId id, Atom name, ListId arguments, Occurrences& seen) {
  const auto arity = static_cast<uint32_t>(ast_.list(arguments).size());
  used_.push_back({{name, arity}, id, id});
  types(arguments, seen);
}

void TypeLinter::predefined(NodeId id, Occurrences& seen) {
  const auto view = ast_.get<node::Type>(id);
  const auto arguments = ast_.list(view.arguments);
  TermArena arena;
  const auto bounds = [&]() -> std::optional<std::pair<Term, Term>> {
    const auto low = fold_number(tables_.unit, arguments[0], arena);
    const auto high = fold_number(tables_.unit, arguments[1], arena);
    if (!low || !high || !low->is_integer() || !high->is_integer()) return std::nullopt;
    return std::pair(*low, *high);
  };
  if (view.name == atoms::range && arguments.size() == 2) {
    const auto b = bounds();
    if (!b || compare(b->first, b->second) >= 0) {
      bad_type(id, "a range goes from an integer to a greater one");
    }
  } else if (view.name == atoms::binary && arguments.size() == 2) {
    const auto b = bounds();
    if (!b || compare(b->first, Term(0)) < 0 || compare(b->second, Term(0)) < 0) {
      bad_type(id, "the sizes of a binary type are integers and not negative");
    }
  } else if (view.name == atoms::record && !arguments.empty()) {
    record_type(id, view.arguments, seen);
  } else if (view.name == atoms::union_ && tables_.release >= 27) {
    union_type(view.arguments, seen);
  } else {
    const ArityName name{view.name, static_cast<uint32_t>(arguments.size())};
    if (name.name.text() == "dynamic" && !is_predefined(name)) used_.push_back({name, id, id});
    types(view.arguments, seen);
  }
}

void TypeLinter::union_type(ListId list, Occurrences& seen) {
  using Count = Occurrence::Count;
  const Occurrences before = seen;
  for (const NodeId id : ast_.list(list)) {
    Occurrences after = before;
    type(id, after);
    for (const auto& [name, occurrence] : after) {
      const auto [at, is_new] = seen.emplace(name, occurrence);
      if (is_new || at->second.count == Count::Often) continue;
      if (occurrence.count == Count::Often) {
        at->second.count = Count::Often;
      } else if (!before.contains(name)) {
        at->second.count = Count::OnceInUnion;
      }
    }
  }
}

void TypeLinter::record_type(NodeId id, ListId arguments, Occurrences& seen) {
  const auto parts = ast_.list(arguments);
  const Atom name = tables_.atom_at(parts[0]);
  const auto record = tables_.records.find(name);
  if (record == tables_.records.end()) {
    report_undefined_record(tables_, parts[0], id, report_);
    return;
  }
  std::set<Atom> fields;
  for (const NodeId field_id : parts.subspan(1)) {
    const auto field = ast_.list(ast_.get<node::Type>(field_id).arguments);
    const Atom field_name = tables_.atom_at(field[0]);
    if (!record->second.find(field_name)) {
      report_undefined_field(tables_, name, record->second, field[0], report_);
    }
    if (!fields.insert(field_name).second) {
      report_.error(
          Rule::RedefineField, field[0],
          fmt::format("field {} of record {} is given twice", show(field_name), show(name)));
    }
    type(field[1], seen);
  }
}

void TypeLinter::spec(NodeId form) {
  const auto view = ast_.get<node::Spec>(form);
  const ArityName name{view.name, view.arity};
  const Atom module = exists(view.module) ? tables_.atom_at(view.module) : tables_.module;
  if (exists(view.module)) check_module_name(module, view.module, form, report_);
  if (view.attribute == atoms::callback) {
    if (exists(view.module)) {
      report_.error(Rule::BadCallback, form,
                    fmt::format("a callback belongs to this module: write {} without `{}:`",
                                show(name), show(module)));
      return;
    }
    const auto [first, is_new] = callbacks_.emplace(name, Declared{form, form});
    if (is_new) return signatures(form);
    first->second.last = form;
    report_
        .error(Rule::RedefineCallback, form,
               fmt::format("callback {} is declared twice", show(name)))
        .note(first->second.first, "it is declared here first");
    return;
  }
  const auto [first, is_new] = specs_.emplace(std::pair(module, name), Declared{form, form});
  if (!is_new) {
    first->second.last = form;
    report_
        .error(Rule::RedefineSpec, form,
               fmt::format("{} has two specs: join them by `;`", show(name)))
        .note(first->second.first, "this is the first one");
    return;
  }
  if (module != tables_.module) {
    report_.error(Rule::BadModule, form,
                  fmt::format("a spec is for a function of this module, not of {}", show(module)));
  }
  signatures(form);
}

void TypeLinter::signatures(NodeId form) {
  const auto view = ast_.get<node::Spec>(form);
  for (const NodeId id : ast_.list(view.signatures)) {
    signature(id, view.arity, view.attribute == atoms::callback);
  }
}

void TypeLinter::signature(NodeId id, uint32_t arity, bool callback) {
  Occurrences seen;
  NodeId function = id;
  if (ast_.is(id, NodeKind::BoundedFun)) {
    const auto bounded = ast_.get<node::BoundedFun>(id);
    function = bounded.function;
    for (const NodeId constraint_id : ast_.list(bounded.constraints)) {
      const auto constraint = ast_.get<node::Constraint>(constraint_id);
      type(constraint.variable, seen);
      type(constraint.type, seen);
    }
  }
  const auto parts = ast_.list(ast_.get<node::Type>(function).arguments);
  const auto arguments = ast_.list(ast_.get<node::Type>(parts[0]).arguments);
  if (arguments.size() != arity) {
    report_.error(callback ? Rule::CallbackWrongArity : Rule::SpecWrongArity, function,
                  fmt::format("this has {} arguments instead of {}", arguments.size(), arity));
  }
  type(function, seen);
  report_single(seen);
}

// What is not a list of name/arity is for others to judge.
void TypeLinter::optional_callbacks(NodeId form) {
  for (const NodeId value : ast_.list(ast_.get<node::Attribute>(form).values)) {
    const auto elements = tables_.flattened(value);
    const auto is_named = [&](NodeId id) { return tables_.name_arity(id).has_value(); };
    if (!std::ranges::all_of(elements, is_named)) continue;
    for (const NodeId id : elements) {
      const ArityName name = *tables_.name_arity(id);
      const auto [first, is_new] = optional_callbacks_.emplace(name, id);
      if (is_new) continue;
      report_
          .error(Rule::RedefineOptionalCallback, id, form,
                 fmt::format("{} is listed twice", show(name)))
          .note(first->second, "it is listed here first");
    }
    // OTP names the last attribute that lists the callback.
    for (const NodeId id : elements) optional_forms_[*tables_.name_arity(id)] = form;
  }
}

void TypeLinter::undefined_type(const Need& need) {
  Found found = report_.error(Rule::UndefinedType, need.at, need.anchor,
                              fmt::format("there is no type {}", show_type(need.name)));
  if (report_.is_flooded()) return;
  std::vector<Atom> names;
  for (const auto& [name, form] : defined_) {
    if (name.name == need.name.name) {
      found.note(form, fmt::format("{} is defined here", show_type(name)));
      return;
    }
    if (name.arity == need.name.arity) names.push_back(name.name);
  }
  const Atom guess = closest(need.name.name, names);
  if (guess != Atom()) found.did_you_mean(show_type({guess, need.name.arity}));
}

void TypeLinter::finish() {
  for (const auto& [name, id] : optional_callbacks_) {
    if (callbacks_.contains(name)) continue;
    report_.error(Rule::UndefinedCallback, id, optional_forms_.at(name),
                  fmt::format("{} is optional, but there is no callback of that name", show(name)));
  }
  const auto info = tables_.functions.find({Atom::intern("behaviour_info"), 1});
  if (info != tables_.functions.end()) {
    for (const auto& [name, declared] : callbacks_) {
      report_
          .error(Rule::BehaviourInfo, declared.last,
                 fmt::format("the callbacks of a module are told either by `-callback`, as of {}, "
                             "or by behaviour_info/1",
                             show(name)))
          .note(info->second, "behaviour_info/1 is defined here");
    }
  }
  if (tables_.unit.has_errors) return;  // what is missing may be in a form that was not read
  for (const auto& [key, declared] : specs_) {
    if (key.first != tables_.module || tables_.is_defined(key.second)) continue;
    report_.error(Rule::SpecFunUndefined, declared.last,
                  fmt::format("this is a spec of {}, which is not defined", show(key.second)));
  }
  for (const Need& need : used_) {
    if (!defined_.contains(need.name) && !is_predefined(need.name)) undefined_type(need);
  }
}

}  // namespace fathom::lint
