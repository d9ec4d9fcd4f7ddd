// Records: that they and their fields exist, and are named once.
#include <fmt/format.h>

#include <algorithm>

#include "lint/lint_body.h"

namespace fathom::lint {

const RecordInfo* BodyLinter::record(NodeId name_node, NodeId at) {
  const Atom name = tables_.atom_at(name_node);
  const auto found = tables_.records.find(name);
  if (found != tables_.records.end()) return &found->second;
  report_undefined_record(tables_, name_node, at, report_);
  return nullptr;
}

void BodyLinter::is_record_atom(NodeId name) { record(name, name); }

void BodyLinter::record_field(NodeId record_name, NodeId field, NodeId at) {
  const RecordInfo* info = record(record_name, at);
  if (info && !info->find(tables_.atom_at(field))) {
    report_undefined_field(tables_, tables_.atom_at(record_name), *info, field, report_);
  }
}

// The first `_ = Value` among the fields.
NodeId BodyLinter::wildcard(ListId fields) const {
  for (const NodeId id : ast_.list(fields)) {
    const NodeId name = ast_.get<node::RecordField>(id).name;
    if (ast_.is(name, NodeKind::Var) && ast_.get<node::Var>(name).name == atoms::underscore) {
      return name;
    }
  }
  return kNoNode;
}

// The defaults of the fields that are not given: one for each, none where the
// definition has none.
std::vector<NodeId> BodyLinter::defaults(const RecordInfo& info, ListId fields) const {
  std::vector<Atom> given;
  for (const NodeId id : ast_.list(fields)) {
    const NodeId name = ast_.get<node::RecordField>(id).name;
    if (ast_.is(name, NodeKind::Atom)) given.push_back(tables_.atom_at(name));
  }
  std::ranges::sort(given);
  std::vector<NodeId> values;
  for (const RecordFieldInfo& field : info.fields) {
    if (!std::ranges::binary_search(given, field.name)) values.push_back(field.value);
  }
  return values;
}

std::vector<NodeId> BodyLinter::guard_defaults(const RecordInfo& info, ListId fields) {
  std::vector<NodeId> values = defaults(info, fields);
  std::erase_if(values, [&](NodeId value) { return !exists(value) || --defaults_left_ < 0; });
  return values;
}

std::vector<NodeId> BodyLinter::record_fields(Atom record_name, const RecordInfo& info,
                                              ListId fields) {
  std::vector<NodeId> values;
  std::unordered_map<Atom, NodeId> seen;
  for (const NodeId id : ast_.list(fields)) {
    const auto field = ast_.get<node::RecordField>(id);
    const bool is_atom = ast_.is(field.name, NodeKind::Atom);
    const Atom name = is_atom ? tables_.atom_at(field.name) : ast_.get<node::Var>(field.name).name;
    if (!is_atom && name != atoms::underscore) {
      report_.error(
          Rule::FieldNameIsVariable, field.name,
          fmt::format("the field of a record must be named: {} is a variable", name.text()));
      continue;
    }
    const auto [first, is_new] = seen.emplace(name, id);
    if (!is_new && is_atom) {
      report_
          .error(Rule::RedefineField, id,
                 fmt::format("field {} of record {} is given twice", show(name), show(record_name)))
          .note(first->second, "it is given here first");
    } else if (!is_new) {
      report_.error(Rule::BadMultiFieldInit, field.name, "no field is left over for another `_`");
    } else if (is_atom && !info.find(name)) {
      report_undefined_field(tables_, record_name, info, field.name, report_);
    } else {
      values.push_back(field.value);
    }
  }
  return values;
}

std::vector<NodeId> BodyLinter::record_values(NodeId name, const RecordInfo* info, ListId fields) {
  if (info) return record_fields(tables_.atom_at(name), *info, fields);
  std::vector<NodeId> values;
  if (!unit_.has_errors) return values;
  for (const NodeId id : ast_.list(fields)) {
    values.push_back(ast_.get<node::RecordField>(id).value);
  }
  return values;
}

void BodyLinter::push_record_values(NodeId name, const RecordInfo* info, ListId fields) {
  for (const NodeId value : record_values(name, info, fields)) push(value);
}

void BodyLinter::push_record(NodeId id) {
  const auto view = ast_.get<node::Record>(id);
  push_record_values(view.name, record(view.name, id), view.fields);
}

void BodyLinter::push_record_update(NodeId id) {
  const auto view = ast_.get<node::RecordUpdate>(id);
  push(view.record);
  push_record_values(view.name, record(view.name, id), view.fields);
  const NodeId any = wildcard(view.fields);
  if (!exists(any)) return;
  report_.error(Rule::WildcardInUpdate, any,
                fmt::format("`_` sets the fields that a new record leaves out; an update of "
                            "record {} leaves them as they are",
                            show(tables_.atom_at(view.name))));
}

}  // namespace fathom::lint
