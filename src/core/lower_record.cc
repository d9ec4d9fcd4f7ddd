// Records: tuples whose first element is the record's name.
#include <algorithm>

#include "core/lowering.h"

namespace fathom::core {

Atom Lowering::record_name(AstId name) const { return ast_.get<fathom::node::Atom>(name).value; }

// One that lint let pass exists.
const Lowering::Record& Lowering::record(AstId name) const {
  static const Record none;
  const auto it = declarations_.records.find(record_name(name));
  return it != declarations_.records.end() ? it->second : none;
}

// From 0; the record's name comes before all of them.
size_t Lowering::field_index(const Record& record, Atom field) {
  const auto it = std::find_if(record.fields.begin(), record.fields.end(),
                               [&](const RecordField& f) { return f.name == field; });
  return static_cast<size_t>(it - record.fields.begin());
}

// The value given for a field, or for all others by _ = Value; none if neither.
AstId Lowering::field_value(fathom::ListId given, Atom field) const {
  AstId wildcard = kNoNode;
  for (const AstId id : ast_.list(given)) {
    const auto f = ast_.get<fathom::node::RecordField>(id);
    if (!ast_.is(f.name, NodeKind::Atom)) {
      wildcard = f.value;
    } else if (record_name(f.name) == field) {
      return f.value;
    }
  }
  return wildcard;
}

// Values that are given are evaluated in the order of the source's fields by OTP's
// own expansion: that of the declaration.
VarId Lowering::record_expr(AstId id) {
  const auto r = ast_.get<fathom::node::Record>(id);
  std::vector<VarId> elements{emit_literal(Term(record_name(r.name)), id)};
  for (const RecordField& field : record(r.name).fields) {
    AstId value = field_value(r.fields, field.name);
    if (!fathom::exists(value)) value = field.value;
    elements.push_back(fathom::exists(value) ? expr(value)
                                             : emit_literal(Term(atoms::undefined), id));
  }
  return emit_tuple(elements, id);
}

// What the declaration gives to fields that the expression leaves out.
std::vector<AstId> Lowering::record_defaults(AstId id) const {
  const auto r = ast_.get<fathom::node::Record>(id);
  std::vector<AstId> values;
  for (const RecordField& field : record(r.name).fields) {
    const bool is_given = fathom::exists(field_value(r.fields, field.name));
    if (!is_given && fathom::exists(field.value)) values.push_back(field.value);
  }
  return values;
}

void Lowering::record_pattern(AstId id, VarId subject) {
  const auto r = ast_.get<fathom::node::Record>(id);
  const Record& declared = record(r.name);
  std::vector<VarId> elements{fresh()};
  for (const RecordField& field : declared.fields) {
    const AstId p = field_value(r.fields, field.name);
    elements.push_back(fathom::exists(p) && !is_wildcard(p) ? fresh() : kNoVar);
  }
  emit_into(kNoVar, Kind::MatchTuple, id, {word(subject), word(list(elements))});
  emit_into(kNoVar, Kind::MatchLiteral, id,
            {word(elements[0]), word(module_->add_literal(Term(record_name(r.name))))});
  for (size_t i = 0; i < declared.fields.size(); ++i) {
    if (!exists(elements[i + 1])) continue;
    pattern(field_value(r.fields, declared.fields[i].name), elements[i + 1]);
  }
}

// A case of the value: a tuple of the record's size and name, whose wanted
// elements are named; else badrecord, at the place that OTP gives it.
VarId Lowering::with_record(VarId value, AstId name, std::span<const VarId> elements, AstId id,
                            AstId place, const std::function<VarId()>& make) {
  const VarId tag = fresh();
  std::vector<VarId> parts{tag};
  parts.insert(parts.end(), elements.begin(), elements.end());
  const RegionId patterns = region([&] {
    emit_into(kNoVar, Kind::MatchTuple, id, {word(value), word(list(parts))});
    emit_into(kNoVar, Kind::MatchLiteral, id,
              {word(tag), word(module_->add_literal(Term(record_name(name))))});
    return kNoVar;
  });
  const RegionId then = region(make);
  const NodeId only[] = {module_->add(Kind::Clause, kNoVar, id, in_guard_,
                                      {word(patterns), word(ListId{0}), word(then)})};
  const RegionId otherwise = region([&] {
    static const Atom badrecord = Atom::intern("badrecord");
    emit_no_match(badrecord, std::span(&value, 1), place);
    return kNoVar;
  });
  return emit(Kind::Case, id,
              {word(module_->add_list(std::span<const NodeId>(only))), word(otherwise)});
}

// As in OTP's expansion the new values are evaluated before the record itself. Where
// few fields are given, badrecord has the place of the first of them as declared.
VarId Lowering::record_update(AstId id) {
  const auto r = ast_.get<fathom::node::RecordUpdate>(id);
  const Record& declared = record(r.name);
  const std::span<const AstId> fields = ast_.list(r.fields);
  std::vector<VarId> given(declared.fields.size(), kNoVar);
  AstId place = r.record;
  size_t first = given.size();
  for (const AstId f : fields) {
    const auto field = ast_.get<fathom::node::RecordField>(f);
    const size_t i = field_index(declared, record_name(field.name));
    const VarId v = expr(field.value);
    if (i < given.size()) given[i] = v;
    if (i < first && 2 * fields.size() <= given.size()) {
      first = i;
      place = f;
    }
  }
  const VarId value = expr(r.record);
  std::vector<VarId> old;
  old.reserve(given.size());
  for (const VarId v : given) old.push_back(exists(v) ? kNoVar : fresh());
  return with_record(value, r.name, old, id, place, [&] {
    std::vector<VarId> elements{emit_literal(Term(record_name(r.name)), id)};
    for (size_t i = 0; i < given.size(); ++i) {
      elements.push_back(exists(given[i]) ? given[i] : old[i]);
    }
    return emit_tuple(elements, id);
  });
}

VarId Lowering::record_access(AstId id) {
  const auto r = ast_.get<fathom::node::RecordAccess>(id);
  const VarId value = expr(r.record);
  const Record& declared = record(r.name);
  std::vector<VarId> elements(declared.fields.size(), kNoVar);
  const size_t i = field_index(declared, record_name(r.field));
  const VarId wanted = fresh();
  if (i < elements.size()) elements[i] = wanted;
  return with_record(value, r.name, elements, id, r.record, [&] { return wanted; });
}

VarId Lowering::record_index(AstId id) {
  const auto r = ast_.get<fathom::node::RecordIndex>(id);
  const size_t i = field_index(record(r.name), record_name(r.field));
  return emit_literal(Term(static_cast<uint32_t>(i + 2)), id);
}

VarId Lowering::record_info(AstId id, fathom::ListId arguments) {
  const std::span<const AstId> both = ast_.list(arguments);
  const Record& declared = record(both[1]);
  static const Atom size = Atom::intern("size");
  if (record_name(both[0]) == size) {
    return emit_literal(Term(static_cast<uint32_t>(declared.fields.size() + 1)), id);
  }
  std::vector<Term> names;
  for (const RecordField& f : declared.fields) names.emplace_back(f.name);
  return emit_literal(module_->arena.list(names), id);
}

bool Lowering::is_record_test(Atom function, fathom::ListId arguments) const {
  static const Atom is_record = Atom::intern("is_record");
  const std::span<const AstId> both = ast_.list(arguments);
  return function == is_record && both.size() == 2 && ast_.is(both[1], NodeKind::Atom) &&
         declarations_.records.contains(record_name(both[1]));
}

VarId Lowering::record_test(AstId id, fathom::ListId arguments) {
  static const Atom is_record = Atom::intern("is_record");
  const std::span<const AstId> both = ast_.list(arguments);
  const VarId value = expr(both[0]);
  const VarId name = expr(both[1]);
  const auto size = static_cast<uint32_t>(record(both[1]).fields.size() + 1);
  const VarId all[] = {value, name, emit_literal(Term(size), id)};
  return emit_call(atoms::erlang, is_record, all, id);
}

}  // namespace fathom::core
