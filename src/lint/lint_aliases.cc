// P1 = P2 as a pattern, before OTP 26: binaries cannot be aliases of each other, and
// neither can keys of map patterns be variables that are not bound. The patterns are
// compared part by part, as far as their shapes agree. Limit: so many pairs.
#include <algorithm>

#include "lint/lint_body.h"

namespace fathom::lint {
namespace {

constexpr int kMaxPairs = 10'000;

}  // namespace

void BodyLinter::check_alias(NodeId left, NodeId right) {
  std::vector<Alias> todo{{left, right}};
  for (int i = 0; i < kMaxPairs && !todo.empty(); ++i) {
    const Alias alias = todo.back();
    todo.pop_back();
    const auto [a, b] = alias;
    if (ast_.is(a, NodeKind::Match)) {
      const auto match = ast_.get<node::Match>(a);
      todo.insert(todo.end(), {{match.pattern, b}, {match.value, b}});
    } else if (ast_.is(b, NodeKind::Match)) {
      todo.emplace_back(b, a);
    } else if (ast_.kind(a) == ast_.kind(b)) {
      push_alias_parts(alias, todo);
    }
  }
}

void BodyLinter::push_alias_parts(Alias alias, std::vector<Alias>& todo) {
  const auto [a, b] = alias;
  switch (ast_.kind(a)) {
    case NodeKind::Binary:
      report_
          .error(Rule::IllegalBinPattern, a,
                 "before OTP 26, a binary pattern cannot be joined with another by `=`")
          .note(b, "this is the other one");
      return;
    case NodeKind::Map:
      check_alias_keys(a);
      check_alias_keys(b);
      return;
    case NodeKind::List:
      return push_alias_lists(alias, todo);
    case NodeKind::Tuple: {
      const auto as = ast_.list(ast_.get<node::Tuple>(a).elements);
      const auto bs = ast_.list(ast_.get<node::Tuple>(b).elements);
      for (size_t i = 0; i < std::min(as.size(), bs.size()); ++i) todo.emplace_back(as[i], bs[i]);
      return;
    }
    case NodeKind::Record:
      return push_alias_records(alias, todo);
    default:
      return;
  }
}

void BodyLinter::push_alias_lists(Alias alias, std::vector<Alias>& todo) {
  const auto a = ast_.get<node::List>(alias.first);
  const auto b = ast_.get<node::List>(alias.second);
  const auto as = ast_.list(a.elements);
  const auto bs = ast_.list(b.elements);
  for (size_t i = 0; i < std::min(as.size(), bs.size()); ++i) todo.emplace_back(as[i], bs[i]);
  if (as.size() == bs.size() && exists(a.tail) && exists(b.tail)) {
    todo.emplace_back(a.tail, b.tail);
  }
}

// Records are tuples: fields are compared by position, whatever the records.
void BodyLinter::push_alias_records(Alias alias, std::vector<Alias>& todo) {
  const auto a = ast_.get<node::Record>(alias.first);
  const auto b = ast_.get<node::Record>(alias.second);
  const auto record_a = tables_.records.find(tables_.atom_at(a.name));
  const auto record_b = tables_.records.find(tables_.atom_at(b.name));
  if (record_a == tables_.records.end() || record_b == tables_.records.end()) return;
  const auto position = [&](NodeId field, const RecordInfo& info) -> ptrdiff_t {
    const Atom name = tables_.atom_at(ast_.get<node::RecordField>(field).name);
    const RecordFieldInfo* found = info.find(name);
    return found ? found - info.fields.data() : -1;
  };
  for (const NodeId field_a : ast_.list(a.fields)) {
    const ptrdiff_t at = position(field_a, record_a->second);
    if (at < 0) continue;
    for (const NodeId field_b : ast_.list(b.fields)) {
      if (position(field_b, record_b->second) != at) continue;
      todo.emplace_back(ast_.get<node::RecordField>(field_a).value,
                        ast_.get<node::RecordField>(field_b).value);
    }
  }
}

void BodyLinter::check_alias_keys(NodeId map) {
  for (const NodeId id : ast_.list(ast_.get<node::Map>(map).fields)) {
    if (!ast_.is(id, NodeKind::MapExact)) continue;
    const NodeId key = ast_.get<node::MapExact>(id).key;
    if (!ast_.is(key, NodeKind::Var)) continue;
    if (scope_[ast_.get<node::Var>(key).name].state != Variable::State::Bound) unbound(key);
  }
}

}  // namespace fathom::lint
