#include "lint/lint_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace fathom::lint {

bool Tables::is_made_by_compiler(ArityName f) {
  static const Atom kModuleInfo = Atom::intern("module_info");
  return (f.name == kModuleInfo && f.arity <= 1) || f == ArityName{atoms::record_info, 2};
}

std::optional<ArityName> Tables::name_arity(NodeId id) const {
  NodeId name = kNoNode;
  NodeId arity = kNoNode;
  if (ast.is(id, NodeKind::BinaryOp)) {
    const auto op = ast.get<node::BinaryOp>(id);
    if (op.op != atoms::slash) return std::nullopt;
    name = op.left;
    arity = op.right;
  } else if (ast.is(id, NodeKind::Tuple)) {
    const auto elements = ast.list(ast.get<node::Tuple>(id).elements);
    if (elements.size() != 2) return std::nullopt;
    name = elements[0];
    arity = elements[1];
  }
  if (!ast.is(name, NodeKind::Atom) || !ast.is(arity, NodeKind::Integer)) return std::nullopt;
  if (ast[arity].flags & Node::kPooled) return std::nullopt;
  return ArityName{ast.get<node::Atom>(name).value, ast.get<node::Integer>(arity).value};
}

std::vector<NodeId> Tables::flattened(NodeId id) const {
  std::vector<NodeId> flat;
  std::vector<NodeId> todo{id};
  while (!todo.empty()) {
    const NodeId node = todo.back();
    todo.pop_back();
    if (!ast.is(node, NodeKind::List)) {
      flat.push_back(node);
      continue;
    }
    const auto list = ast.get<node::List>(node);
    if (exists(list.tail)) todo.push_back(list.tail);
    const auto elements = ast.list(list.elements);
    todo.insert(todo.end(), elements.rbegin(), elements.rend());
  }
  return flat;
}

void check_module_name(Atom name, NodeId at, NodeId anchor, Reporter& report) {
  const std::string_view text = name.text();
  if (text.empty()) {
    report.error(Rule::EmptyModuleName, at, anchor, "a module's name must not be empty");
    return;
  }
  bool visible = false;
  bool latin1 = true;
  bool control = false;
  for (const char* p = text.data(); p < text.data() + text.size();) {
    const uint32_t c = next_code_point(&p);
    visible |= c != ' ' && c != 0xA0 && c != 0xAD;
    latin1 &= c < 0x100;
    control |= c < 0x20 || (c >= 0x7F && c < 0xA0);
  }
  if (!visible) {
    report.error(Rule::BlankModuleName, at, anchor, "a module's name needs a visible character");
    return;
  }
  if (!latin1) {
    report.error(Rule::NonLatin1Module, at, anchor,
                 fmt::format("the module name {} has a character beyond latin-1; module names are "
                             "file names of .beam files and must do without",
                             show(name)));
  }
  if (control) {
    report.error(Rule::CtrlCharsInModuleName, at, anchor,
                 fmt::format("the module name {} has a control character", show(name)));
  }
}

void suggest(Found found, Atom name, const std::vector<Atom>& candidates) {
  const Atom guess = closest(name, candidates);
  if (guess != Atom()) found.did_you_mean(show(guess));
}

void report_undefined_record(const Tables& tables, NodeId name_node, NodeId anchor,
                             Reporter& report) {
  if (tables.unit.has_errors) return;
  const Atom name = tables.atom_at(name_node);
  Found found = report.error(Rule::UndefinedRecord, name_node, anchor,
                             fmt::format("there is no record {}", show(name)));
  const auto later = tables.record_forms.find(name);
  if (later != tables.record_forms.end()) {
    found.note(later->second, "it is defined only here, behind its use");
    return;
  }
  if (report.is_flooded()) return;
  std::vector<Atom> names;
  for (const auto& [other, record] : tables.records) names.push_back(other);
  std::ranges::sort(names);
  suggest(found, name, names);
}

void report_undefined_field(const Tables& tables, Atom record, const RecordInfo& info, NodeId field,
                            Reporter& report) {
  const Atom name = tables.atom_at(field);
  std::vector<Atom> fields;
  for (const RecordFieldInfo& f : info.fields) fields.push_back(f.name);
  Found found = report.error(Rule::UndefinedField, field,
                             fmt::format("record {} has no field {}", show(record), show(name)));
  if (!report.is_flooded()) suggest(found, name, fields);
  found.note(info.form, "the record is defined here");
}

void report_undefined_function(const Tables& tables, const Need& call, Reporter& report) {
  Found found = report.error(Rule::UndefinedFunction, call.at, call.anchor,
                             fmt::format("there is no function {}", show(call.name)));
  if (report.is_flooded()) return;
  for (const auto& [name, form] : tables.functions) {
    if (name.name != call.name.name) continue;
    found.note(form, fmt::format("{} is defined here", show(name)));
    return;
  }
  std::vector<Atom> names = auto_imported_names(call.name.arity, tables.release);
  for (const auto& [name, form] : tables.functions) {
    if (name.arity == call.name.arity) names.push_back(name.name);
  }
  for (const auto& [name, import] : tables.imports) {
    if (name.arity == call.name.arity) names.push_back(name.name);
  }
  const Atom guess = closest(call.name.name, names);
  if (guess != Atom()) found.did_you_mean(show(ArityName{guess, call.name.arity}));
}

}  // namespace fathom::lint
