// The order of a module's forms, and the functions, imports and records they make
// known. Checks that need the whole module come last.
#include "lint/lint.h"

#include <fmt/format.h>

#include "lint/lint_module.h"

namespace fathom::lint {
namespace {

constexpr uint32_t kMaxArguments = 255;

}  // namespace

bool check(const Unit& unit, Diagnostics& diagnostics, const Options& options) {
  if (!unit.file) return !unit.has_errors;
  const bool clean = ModuleLinter(unit, diagnostics, options).run();
  return clean && !unit.has_errors;
}

bool ModuleLinter::run() {
  scan();
  for (const NodeId id : ast_.forms()) form(id);
  undefined_functions();
  types_.finish();
  finish_attributes();
  return report_.count() == 0;
}

// What is needed from the start: which functions there are, and the options.
void ModuleLinter::scan() {
  for (const NodeId id : ast_.forms()) {
    if (ast_.is(id, NodeKind::Function)) {
      const auto view = ast_.get<node::Function>(id);
      tables_.functions.emplace(ArityName{view.name, view.arity}, id);
    } else if (ast_.is(id, NodeKind::RecordDecl)) {
      tables_.record_forms.emplace(ast_.get<node::RecordDecl>(id).name, id);
    } else if (ast_.is(id, NodeKind::Attribute) &&
               ast_.get<node::Attribute>(id).name == atoms::compile) {
      scan_compile(id);
    }
  }
}

void ModuleLinter::scan_compile(NodeId form_id) {
  for (const NodeId value : values(form_id)) {
    for (const NodeId option : tables_.flattened(value)) compile_option(option);
  }
}

void ModuleLinter::compile_option(NodeId option) {
  const std::string_view name = tables_.atom_at(option).text();
  tables_.no_auto_import |= name == "no_auto_import";
  tables_.no_auto_import_types |= name == "no_auto_import_types";
  tables_.export_all |= name == "export_all";
  if (name == "nowarn_bif_clash") tables_.warns_bif_clash = false;
  if (name == "warn_bif_clash") tables_.warns_bif_clash = true;
  if (!ast_.is(option, NodeKind::Tuple)) return;
  const auto parts = ast_.list(ast_.get<node::Tuple>(option).elements);
  if (parts.size() != 2) return;
  const std::string_view key = tables_.atom_at(parts[0]).text();
  if (key != "no_auto_import" && key != "nowarn_bif_clash") return;
  for (const NodeId element : tables_.flattened(parts[1])) {
    const auto f = tables_.name_arity(element);
    if (!f) continue;
    (key == "no_auto_import" ? tables_.not_auto_imported : tables_.nowarn_bif_clash).insert(*f);
  }
}

void ModuleLinter::form(NodeId id) {
  const NodeKind kind = ast_.kind(id);
  if (kind == NodeKind::ErrorForm || kind == NodeKind::WarningForm) return;
  if (kind == NodeKind::Attribute) {
    const Atom name = ast_.get<node::Attribute>(id).name;
    if (name == atoms::file || name == atoms::compile) return;
  }
  if (part_ == Part::Start) {
    part_ = Part::Attributes;
    start(id);
    if (exists(module_form_)) return;
  }
  switch (kind) {
    case NodeKind::Function:
      function(id);
      break;
    case NodeKind::Eof:
      break;
    default:
      if (part_ == Part::Functions && !may_stand_between_functions(id)) {
        const Atom name = Atom(ast_.slot(id, 0));
        report_
            .error(Rule::Attribute, id,
                   fmt::format("-{} must stand before the first function", show(name)))
            .note(first_function_, "this is the first function");
      } else {
        attribute(id);
      }
  }
}

// The first form must be -module. OTP reads on without a name, and then takes a
// later -module for nothing.
void ModuleLinter::start(NodeId id) {
  const bool is_module =
      ast_.is(id, NodeKind::Attribute) && ast_.get<node::Attribute>(id).name == atoms::module;
  if (!is_module) {
    if (tables_.unit.has_errors) return;  // it may be among the forms that were not read
    report_.error(Rule::UndefinedModule, id,
                  "a module starts with `-module(name).`, and this one does not");
    return;
  }
  module_form_ = id;
  const auto parts = values(id);
  if (parts.empty()) return;
  if (parts.size() > 1) {
    report_.error(Rule::PmodUnsupported, id, "OTP no longer knows modules with parameters");
    return;
  }
  tables_.module = tables_.atom_at(parts[0]);
  check_module_name(tables_.module, parts[0], id, report_);
}

bool ModuleLinter::may_stand_between_functions(NodeId id) const {
  const Atom name = Atom(ast_.slot(id, 0));
  switch (ast_.kind(id)) {
    case NodeKind::RecordDecl:
      return true;
    case NodeKind::TypeDecl:
      return name != atoms::nominal || tables_.release >= 28;
    case NodeKind::Spec:
      return name == atoms::spec;
    case NodeKind::Attribute:
      return name.text() == "dialyzer" ||
             ((name == atoms::doc || name == atoms::moduledoc) && tables_.release >= 27);
    default:
      return true;
  }
}

void ModuleLinter::attribute(NodeId id) {
  switch (ast_.kind(id)) {
    case NodeKind::RecordDecl:
      return record(id);
    case NodeKind::TypeDecl:
      doc_ = kNoNode;
      return types_.type_declaration(id);
    case NodeKind::Spec:
      if (ast_.get<node::Spec>(id).attribute == atoms::callback) doc_ = kNoNode;
      return types_.spec(id);
    default:
      break;
  }
  const Atom name = ast_.get<node::Attribute>(id).name;
  if (name == atoms::module) {
    if (tables_.module == Atom()) return;
    report_
        .error(Rule::RedefineModule, id,
               fmt::format("the module is called {} already", show(tables_.module)))
        .note(module_form_, "here");
  } else if (name == atoms::export_) {
    for (const NodeId value : values(id)) {
      for (const NodeId element : tables_.flattened(value)) {
        const auto f = tables_.name_arity(element);
        if (!f) continue;
        exports_.insert(*f);
        tables_.calls.push_back({*f, element, id});
      }
    }
  } else if (name == atoms::export_type) {
    for (const NodeId value : values(id)) {
      for (const NodeId element : tables_.flattened(value)) types_.exported(element, id);
    }
  } else if (name == atoms::import) {
    imports(id);
  } else if (name == atoms::optional_callbacks) {
    types_.optional_callbacks(id);
  } else if (name.text() == "on_load") {
    on_load(id);
  } else if (name == atoms::doc || name == atoms::moduledoc) {
    documentation(id);
  }
}

void ModuleLinter::imports(NodeId id) {
  const auto parts = values(id);
  if (parts.size() != 2) return;
  const Atom module = tables_.atom_at(parts[0]);
  check_module_name(module, parts[0], id, report_);
  // One that is wrong makes OTP forget the whole attribute.
  const auto elements = tables_.flattened(parts[1]);
  bool is_wrong = false;
  for (const NodeId element : elements) {
    const auto f = tables_.name_arity(element);
    const Import* before = f ? tables_.import_of(*f) : nullptr;
    if (!before) continue;
    is_wrong = true;
    report_
        .error(Rule::RedefineImport, element, id,
               fmt::format("{} is imported from {} already", show(*f), show(before->module)))
        .note(before->at, "here");
  }
  for (const NodeId element : elements) {
    const auto f = tables_.name_arity(element);
    if (!f) continue;
    if (!tables_.import_of(*f) && tables_.bif(*f).is_old && tables_.reports_clash(*f) &&
        !tables_.is_auto_import_off(*f)) {
      report_.error(Rule::RedefineOldBifImport, element, id,
                    fmt::format("{0} is a built-in function; to import another one, write "
                                "`-compile({{no_auto_import, [{0}]}})`",
                                show(*f)));
    }
  }
  if (is_wrong) return;
  for (const NodeId element : elements) {
    if (const auto f = tables_.name_arity(element)) tables_.imports[*f] = {module, element};
  }
}

void ModuleLinter::record(NodeId id) {
  const auto view = ast_.get<node::RecordDecl>(id);
  const auto known = tables_.records.find(view.name);
  if (known != tables_.records.end()) {
    report_
        .error(Rule::RedefineRecord, id, fmt::format("record {} is defined twice", show(view.name)))
        .note(known->second.form, "it is defined here first");
    return;
  }
  RecordInfo info{id, {}};
  for (const NodeId field_id : ast_.list(view.fields)) {
    const auto field = ast_.get<node::RecordFieldDecl>(field_id);
    const Atom name = tables_.atom_at(field.name);
    if (const RecordFieldInfo* first = info.find(name)) {
      report_
          .error(Rule::RedefineField, field_id,
                 fmt::format("record {} has two fields {}", show(view.name), show(name)))
          .note(first->at, "this is the first one");
      continue;
    }
    const bool ok = !exists(field.value) || bodies_.field_default(field.value);
    info.fields.push_back({name, field_id, ok ? field.value : kNoNode});
  }
  tables_.records.emplace(view.name, std::move(info));
  types_.record_types(id);
}

void ModuleLinter::function(NodeId id) {
  part_ = Part::Functions;
  doc_ = kNoNode;
  if (!exists(first_function_)) first_function_ = id;
  const auto view = ast_.get<node::Function>(id);
  const ArityName f{view.name, view.arity};
  if (tables_.is_made_by_compiler(f)) {
    report_.error(Rule::RedefineFunction, id,
                  fmt::format("{} is made by the compiler in every module", show(f)));
  } else if (!seen_functions_.insert(f).second) {
    report_.error(Rule::RedefineFunction, id, fmt::format("function {} is defined twice", show(f)))
        .note(tables_.functions.at(f), "it is defined here first");
  } else {
    if (view.arity > kMaxArguments) {
      report_.error(Rule::TooManyArguments, id,
                    fmt::format("a function has at most {} arguments, this one {}", kMaxArguments,
                                view.arity));
    }
    if (const Import* import = tables_.import_of(f)) {
      report_
          .error(Rule::DefineImport, id,
                 fmt::format("{} is imported from {}, and cannot be defined too", show(f),
                             show(import->module)))
          .note(import->at, "it is imported here");
    }
  }
  bodies_.function(id);
}

// From OTP 27 on: one -doc for each thing, one -moduledoc.
void ModuleLinter::documentation(NodeId id) {
  if (tables_.release < 27) return;
  const auto view = ast_.get<node::Attribute>(id);
  const NodeId value = ast_.list(view.values).empty() ? kNoNode : ast_.list(view.values)[0];
  const std::string_view word = tables_.atom_at(value).text();
  const bool is_text = ast_.is(value, NodeKind::String) || ast_.is(value, NodeKind::Binary) ||
                       ast_.is(value, NodeKind::List);
  if (!is_text && word != "false" && word != "hidden") return;
  NodeId& known = view.name == atoms::doc ? doc_ : moduledoc_;
  if (exists(known)) {
    report_
        .error(Rule::DuplicateDoc, id,
               fmt::format("there is a -{} for this already", view.name.text()))
        .note(known, "here");
  } else {
    known = id;
  }
}

void ModuleLinter::undefined_functions() {
  if (tables_.unit.has_errors) return;  // what is missing may be in a form that was not read
  for (const Need& call : tables_.calls) {
    if (!tables_.is_defined(call.name)) report_undefined_function(tables_, call, report_);
  }
}

}  // namespace fathom::lint
