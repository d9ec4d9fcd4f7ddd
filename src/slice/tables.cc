// Slices through tables, by table and key where they are known.
//
// A read of one entry needs the calls that may change this entry, and of what they put there what
// the reads look at: so entries are demanded together with a need, as variables are. Tables are
// told apart by their names, entries by keys that are constants; what is not known may be any.
// Where a table may have its key elsewhere, or a key twice, all reads need all changes.
#include <algorithm>

#include "slice/slicer.h"

namespace fathom::slice {

using core::Kind;
using core::NodeId;
using core::VarId;

namespace {

enum class EntryUse : uint8_t { Make, Look, LookElement, Exists, Insert, Count, Change, Delete };
struct EntryRow {
  std::string_view name;
  size_t arity;
  EntryUse use;
};
// Functions of ets whose second argument is a key, or has it; and the one that makes tables.
constexpr EntryRow kEntryUses[] = {
    {"new", 2, EntryUse::Make},
    {"lookup", 2, EntryUse::Look},
    {"lookup_element", 3, EntryUse::LookElement},
    {"member", 2, EntryUse::Exists},
    {"insert", 2, EntryUse::Insert},
    {"update_counter", 3, EntryUse::Count},
    {"update_element", 3, EntryUse::Change},
    {"delete", 2, EntryUse::Delete},
};

struct EntryCall {
  EntryUse use{};
  std::span<const VarId> arguments;
};

std::optional<EntryCall> entry_call(const core::Module& m, NodeId node) {
  if (m[node].kind != Kind::CallRemote) return std::nullopt;
  const auto view = m.get<core::node::CallRemote>(node);
  if (view.module.text() != "ets") return std::nullopt;
  const auto arguments = m.vars(view.arguments);
  for (const EntryRow& row : kEntryUses) {
    if (row.name == view.name.text() && row.arity == arguments.size()) {
      return EntryCall{row.use, arguments};
    }
  }
  return std::nullopt;
}

std::optional<Selector> key_of_term(Term term) {
  if (term.kind() == TermKind::Atom) return Selector{Selector::Kind::AtomKey, term.atom().id()};
  if (term.kind() == TermKind::Integer) {
    return Selector{Selector::Kind::IntegerKey, static_cast<uint64_t>(term.small())};
  }
  return std::nullopt;
}

template <class T>
bool may_be_same(const std::optional<T>& a, const std::optional<T>& b) {
  return !a || !b || *a == *b;
}

}  // namespace

NodeId Slicer::only_definition(ProcedureId p, VarId v) const {
  const auto& definitions = model_[p].definitions[static_cast<size_t>(v)];
  const bool is_one =
      definitions.size() == 1 && (*model_[p].module)[definitions[0]].kind != Kind::Entry;
  return is_one ? definitions[0] : NodeId{UINT32_MAX};
}

// The keys of what is inserted, in order: a tuple, or a list of them. None: it is not known.
std::optional<Slicer::Inserted> Slicer::inserted(ProcedureId p, VarId v) const {
  constexpr size_t kMostTuples = 64;
  const core::Module& m = *model_[p].module;
  Inserted result;
  for (VarId at = v;;) {
    const NodeId node = only_definition(p, at);
    if (node == NodeId{UINT32_MAX} || result.keys.size() > kMostTuples) return std::nullopt;
    if (m[node].kind == Kind::Tuple && !result.is_list) {
      const auto elements = m.vars(m.get<core::node::Tuple>(node).elements);
      if (elements.empty()) return std::nullopt;
      result.keys.push_back(constant_key(p, elements[0]));
      return result;
    }
    if (m[node].kind == Kind::Literal) {
      const Term term = m[m.get<core::node::Literal>(node).value];
      if (term.is_tuple() && !result.is_list) {
        if (term.tuple().empty()) return std::nullopt;
        result.keys.push_back(key_of_term(term[0]));
        return result;
      }
      if (!term.is_list()) return std::nullopt;
      result.is_list = true;
      for (const Term element : term.list()) {
        if (!element.is_tuple() || element.tuple().empty()) return std::nullopt;
        result.keys.push_back(key_of_term(element[0]));
      }
      return result;
    }
    if (m[node].kind != Kind::Cons) return std::nullopt;
    const auto cell = m.get<core::node::Cons>(node);
    result.is_list = true;
    const NodeId head = only_definition(p, cell.head);
    if (head == NodeId{UINT32_MAX}) return std::nullopt;
    if (m[head].kind == Kind::Tuple && !m.vars(m.get<core::node::Tuple>(head).elements).empty()) {
      result.keys.push_back(constant_key(p, m.vars(m.get<core::node::Tuple>(head).elements)[0]));
    } else if (const auto term = constant(p, cell.head);
               term && term->is_tuple() && !term->tuple().empty()) {
      result.keys.push_back(key_of_term((*term)[0]));
    } else {
      return std::nullopt;
    }
    at = cell.tail;
  }
}

std::optional<Atom> Slicer::table_name(ProcedureId p, VarId table) const {
  const auto term = constant(p, table);
  if (!term || term->kind() != TermKind::Atom) return std::nullopt;
  return term->atom();
}

bool Slicer::may_change(const Call& call, const TableEntry& entry) const {
  if ((call.access.writes & kTables) == 0) return false;
  const auto found = entry_call(*model_[call.caller].module, call.node);
  if (found && found->use == EntryUse::Make) return true;
  if (!found || !may_be_same(table_name(call.caller, found->arguments[0]), entry.table)) {
    return !found;
  }
  if (found->use != EntryUse::Insert) {
    return may_be_same(constant_key(call.caller, found->arguments[1]), entry.key);
  }
  const auto written = inserted(call.caller, found->arguments[1]);
  return !written || std::any_of(written->keys.begin(), written->keys.end(),
                                 [&](const auto& key) { return may_be_same(key, entry.key); });
}

void Slicer::demand_table(const TableEntry& entry) {
  if ((demanded_ & kTables) != 0) return;
  demand(static_cast<Channels>(demand_order(kTables) & ~kTables));
  const auto same = std::find_if(
      demanded_tables_.begin(), demanded_tables_.end(),
      [&](const TableEntry& e) { return e.table == entry.table && e.key == entry.key; });
  if (same != demanded_tables_.end()) {
    const NeedId joined = trees_.join(same->need, entry.need);
    if (joined == same->need) return;
    same->need = joined;
  } else {
    demanded_tables_.push_back(entry);
  }
  for (uint32_t i = 0; i < model_.call_count(); ++i) {
    const Call& call = model_[CallId{i}];
    if (!may_change(call, entry)) continue;
    keep(call.caller, call.node, Reason::State);
    enqueue(call.caller, call.node);
    ascend(call.caller);
  }
}

// Of a call that is kept; `result`: what is needed of its value. False: it looks at more than an
// entry, or is none of ets.
bool Slicer::demand_entry_of_table(ProcedureId p, NodeId node, NeedId result) {
  const auto call = entry_call(*model_[p].module, node);
  if (!call || !model_.has_plain_tables()) return false;
  const bool is_seen = is_some(result) || has_outcome(p, node);
  TableEntry entry{table_name(p, call->arguments[0]), constant_key(p, call->arguments[1]),
                   trees_.of_part(Selector::element(0), kWhole)};
  switch (call->use) {
    case EntryUse::Look:
      entry.need = trees_.join(entry.need, trees_.elements(result));
      break;
    case EntryUse::LookElement: {
      const auto index = constant(p, call->arguments[2]);
      const bool is_known = index && index->is_small() && index->small() > 0;
      entry.need =
          !is_known ? kWhole
                    : trees_.join(
                          entry.need,
                          trees_.of_part(Selector::element(static_cast<size_t>(index->small() - 1)),
                                         result));
      break;
    }
    case EntryUse::Exists:
      break;
    case EntryUse::Count: {
      // It adds to what is there, also where nobody wants the sum.
      const auto by = constant(p, call->arguments[2]);
      entry.need = by && by->is_small()
                       ? trees_.join(entry.need, trees_.of_part(Selector::element(1), kWhole))
                       : NeedId{kWhole};
      demand_table(entry);
      return true;
    }
    case EntryUse::Change:
      entry.need = kWhole;
      demand_table(entry);
      return true;
    case EntryUse::Make:
    case EntryUse::Insert:
    case EntryUse::Delete:
      // Their value is always the same; whether there is such a table is not.
      return !has_outcome(p, node);
  }
  if (is_seen) demand_table(entry);
  return true;
}

// Of what is inserted, what is needed of the entries. False: not such a call, or all of it.
bool Slicer::table_operands(ProcedureId p, NodeId node, Operands& out) {
  const auto call = entry_call(*model_[p].module, node);
  if (!call || call->use != EntryUse::Insert || (demanded_ & kTables) != 0 ||
      !model_.has_plain_tables()) {
    return false;
  }
  const auto written = inserted(p, call->arguments[1]);
  if (!written) return false;
  const auto table = table_name(p, call->arguments[0]);
  const auto tuple_need = [&](const std::optional<Selector>& key) {
    NeedId need = kShape;
    for (const TableEntry& e : demanded_tables_) {
      if (may_be_same(table, e.table) && may_be_same(key, e.key)) need = trees_.join(need, e.need);
    }
    return need;
  };
  out.push_back({call->arguments[0], kWhole});
  if (!written->is_list) {
    out.push_back({call->arguments[1], tuple_need(written->keys[0])});
    return true;
  }
  NeedId need = kShape;
  for (size_t i = written->keys.size(); i-- > 0;) {
    need = trees_.join(trees_.of_part(Selector::head(), tuple_need(written->keys[i])),
                       trees_.of_part(Selector::tail(), need));
  }
  out.push_back({call->arguments[1], need});
  return true;
}

}  // namespace fathom::slice
