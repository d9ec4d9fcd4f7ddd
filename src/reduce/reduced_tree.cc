#include "reduce/reduced_tree.h"

#include <algorithm>

#include "slice/syntax_groups.h"

namespace fathom::reduce {

using core::AstId;
using slice::UnitEdits;

ReducedTree::ReducedTree(const Unit& unit, const std::vector<AstId>& pinned)
    : unit_(unit),
      ast_(unit.ast),
      parents_(parents_of(ast_)),
      places_(ast_.size(), Place::Fixed),
      pinned_(ast_.size()),
      removed_(ast_.size()),
      guards_(ast_.size()) {
  for (AstId id : pinned) {
    for (; fathom::exists(id); id = parents_[static_cast<size_t>(id)]) {
      pinned_[static_cast<size_t>(id)] = true;
    }
  }
  find_places();
}

// ---- What can be removed ----------------------------------------------------

void ReducedTree::place(AstId id, Place where) {
  if (fathom::exists(id)) places_[static_cast<size_t>(id)] = where;
}

void ReducedTree::place_all(ListId list, Place where) {
  for (const AstId id : ast_.list(list)) place(id, where);
}

template <class F>
void ReducedTree::for_each_row(AstId id, F&& f) const {
  const auto body = [&](ListId list) { f(ast_.list(list), true); };
  const auto row = [&](ListId list) { f(ast_.list(list), false); };
  switch (ast_.kind(id)) {
    case NodeKind::Clause:
      return body(ast_.get<node::Clause>(id).body);
    case NodeKind::Block:
      return body(ast_.get<node::Block>(id).body);
    case NodeKind::If:
      return row(ast_.get<node::If>(id).clauses);
    case NodeKind::Case:
      return row(ast_.get<node::Case>(id).clauses);
    case NodeKind::Receive: {
      const auto receive = ast_.get<node::Receive>(id);
      row(receive.clauses);
      return body(receive.after);
    }
    case NodeKind::Try: {
      const auto t = ast_.get<node::Try>(id);
      body(t.body);
      row(t.clauses);
      row(t.handlers);
      return body(t.after);
    }
    case NodeKind::Maybe:
      return body(ast_.get<node::Maybe>(id).body);
    case NodeKind::MaybeElse:
      return row(ast_.get<node::MaybeElse>(id).clauses);
    case NodeKind::Fun:
      return row(ast_.get<node::Fun>(id).clauses);
    case NodeKind::NamedFun:
      return row(ast_.get<node::NamedFun>(id).clauses);
    case NodeKind::Function:
      return row(ast_.get<node::Function>(id).clauses);
    case NodeKind::Map:
      return row(ast_.get<node::Map>(id).fields);
    case NodeKind::MapUpdate:
      return row(ast_.get<node::MapUpdate>(id).fields);
    case NodeKind::Record:
      return row(ast_.get<node::Record>(id).fields);
    case NodeKind::RecordUpdate:
      return row(ast_.get<node::RecordUpdate>(id).fields);
    case NodeKind::ListComprehension:
    case NodeKind::BinaryComprehension:
    case NodeKind::MapComprehension:
      return row(ListId{ast_.slot(id, 1)});
    default:
      return;
  }
}

void ReducedTree::place_children(AstId id) {
  const bool is_pattern = places_[static_cast<size_t>(id)] == Place::Pattern;
  const Place part = is_pattern ? Place::Pattern : Place::Expression;
  for_each_row(id, [&](std::span<const AstId> items, bool) {
    for (const AstId item : items) place(item, Place::Row);
  });
  switch (ast_.kind(id)) {
    case NodeKind::Tuple:
      return place_all(ast_.get<node::Tuple>(id).elements, part);
    case NodeKind::List: {
      const auto list = ast_.get<node::List>(id);
      place_all(list.elements, part);
      return place(list.tail, part);
    }
    case NodeKind::Match: {
      const auto match = ast_.get<node::Match>(id);
      place(match.pattern, Place::Pattern);
      return place(match.value, part);
    }
    case NodeKind::MaybeMatch:
      place(ast_.get<node::MaybeMatch>(id).pattern, Place::Pattern);
      return place(ast_.get<node::MaybeMatch>(id).value, Place::Expression);
    case NodeKind::Segment:
      return place(ast_.get<node::Segment>(id).value, part);
    case NodeKind::MapAssoc:
    case NodeKind::MapExact:
      return place(AstId{ast_.slot(id, 1)}, part);
    case NodeKind::RecordField:
      return place(ast_.get<node::RecordField>(id).value, part);
    case NodeKind::Clause:
      return place_all(ast_.get<node::Clause>(id).patterns, Place::Pattern);
    case NodeKind::Case:
      return place(ast_.get<node::Case>(id).subject, Place::Expression);
    case NodeKind::Call:
      return place_all(ast_.get<node::Call>(id).arguments, Place::Expression);
    case NodeKind::BinaryOp:
    case NodeKind::UnaryOp:
    case NodeKind::Catch:
      if (is_pattern) return;
      return ast_.for_each_child(id, [&](AstId child) { place(child, Place::Expression); });
    case NodeKind::Receive:
      return place(ast_.get<node::Receive>(id).timeout, Place::Expression);
    case NodeKind::ListComprehension:
    case NodeKind::BinaryComprehension:
      return place(AstId{ast_.slot(id, 0)}, Place::Expression);
    default:
      if (!slice::is_generator(ast_.kind(id)) || ast_.is(id, NodeKind::Zip)) return;
      place(AstId{ast_.slot(id, 0)}, Place::Pattern);
      return place(AstId{ast_.slot(id, 1)}, Place::Expression);
  }
}

// Patterns are told from expressions from the top down. Fields of a pattern are a row like others,
// and their values are patterns.
void ReducedTree::find_places() {
  std::vector<AstId> todo;
  std::vector<bool> in_pattern(ast_.size());
  for (const AstId form : ast_.forms()) {
    if (!ast_.is(form, NodeKind::Function)) continue;
    place(form, Place::Row);
    todo.push_back(form);
  }
  while (!todo.empty()) {
    const AstId id = todo.back();
    todo.pop_back();
    // Fields, segments: what they stand in says which they are.
    const bool is_field =
        places_[static_cast<size_t>(id)] == Place::Row || ast_.is(id, NodeKind::Segment);
    const Place own = places_[static_cast<size_t>(id)];
    if (is_field && in_pattern[static_cast<size_t>(id)]) {
      places_[static_cast<size_t>(id)] = Place::Pattern;
    }
    place_children(id);
    places_[static_cast<size_t>(id)] = own;
    ast_.for_each_child(id, [&](AstId child) {
      const bool is_inside = in_pattern[static_cast<size_t>(id)] || own == Place::Pattern;
      in_pattern[static_cast<size_t>(child)] =
          places_[static_cast<size_t>(child)] == Place::Pattern || is_inside;
      todo.push_back(child);
    });
  }
  // What came out of a macro, or of another file, goes with the use of the macro.
  for (uint32_t i = 0; i < ast_.size(); ++i) {
    const AstId id{i};
    if (places_[i] == Place::Fixed) continue;
    const auto span = unit_.used_span(id);
    const AstId macro = slice::macro_of(unit_, parents_, id);
    if (!span || unit_.sources().file_of(span->begin) != *unit_.file ||
        (fathom::exists(macro) && macro != id)) {
      places_[i] = Place::Fixed;
    }
  }
}

bool ReducedTree::is_placeholder(AstId id) const {
  static const Atom sliced = Atom::intern("sliced");
  static const Atom any = Atom::intern("_");
  if (ast_.is(id, NodeKind::Atom)) return ast_.get<node::Atom>(id).value == sliced;
  return ast_.is(id, NodeKind::Var) && ast_.get<node::Var>(id).name == any;
}

// A row other than a body does not become empty.
bool ReducedTree::is_last_of_row(AstId id) const {
  const AstId above = parents_[static_cast<size_t>(id)];
  if (!fathom::exists(above)) return false;
  switch (ast_.kind(above)) {
    case NodeKind::Map:
    case NodeKind::MapUpdate:
    case NodeKind::Record:
    case NodeKind::RecordUpdate:
      return false;
    default:
      break;
  }
  bool is_last = false;
  for_each_row(above, [&](std::span<const AstId> items, bool is_body) {
    if (std::find(items.begin(), items.end(), id) == items.end()) return;
    const auto left =
        std::count_if(items.begin(), items.end(), [&](AstId item) { return !is_removed(item); });
    is_last = left == 1 && (!is_body || is_placeholder(id));
  });
  return is_last;
}

bool ReducedTree::has(const Part& part) const {
  if (part.is_guard && guards_[static_cast<size_t>(part.node)]) return false;
  for (AstId id = part.node; fathom::exists(id); id = parents_[static_cast<size_t>(id)]) {
    if (is_removed(id)) return false;
  }
  return part.is_guard || !is_last_of_row(part.node);
}

std::vector<ReducedTree::Part> ReducedTree::parts() const {
  std::vector<Part> result;
  std::vector<AstId> level;
  for (const AstId form : ast_.forms()) {
    if (ast_.is(form, NodeKind::Function)) level.push_back(form);
  }
  while (!level.empty()) {
    std::vector<AstId> below;
    for (const AstId id : level) {
      if (is_removed(id)) continue;
      const bool is_placeholder_here =
          places_[static_cast<size_t>(id)] != Place::Row && is_placeholder(id);
      if (places_[static_cast<size_t>(id)] != Place::Fixed && !is_pinned(id) &&
          !is_placeholder_here && !is_last_of_row(id)) {
        result.push_back({id, false});
      }
      if (ast_.is(id, NodeKind::Clause) && !guards_[static_cast<size_t>(id)] &&
          !ast_.guard(ast_.get<node::Clause>(id).guard).empty()) {
        result.push_back({id, true});
      }
      ast_.for_each_child(id, [&](AstId child) { below.push_back(child); });
    }
    level = std::move(below);
  }
  return result;
}

std::vector<ReducedTree::Part> ReducedTree::statements() const {
  std::vector<Part> result;
  for (const Part& part : parts()) {
    const AstId above = parents_[static_cast<size_t>(part.node)];
    if (part.is_guard || !fathom::exists(above)) continue;
    for_each_row(above, [&](std::span<const AstId> items, bool is_body) {
      if (is_body && std::find(items.begin(), items.end(), part.node) != items.end()) {
        result.push_back(part);
      }
    });
  }
  return result;
}

// ---- Text -------------------------------------------------------------------

void ReducedTree::edit_row(UnitEdits& edits, std::span<const AstId> items, bool is_body) const {
  if (items.empty()) return;
  std::vector<bool> kept;
  for (const AstId item : items) kept.push_back(!is_removed(item));
  if (is_body && std::find(kept.begin(), kept.end(), true) == kept.end()) {
    return edits.edits().replace({edits.range(items.front()).begin, edits.range(items.back()).end},
                                 "sliced");
  }
  edits.sequence(items, kept);
}

void ReducedTree::edit(UnitEdits& edits, AstId id) const {
  for_each_row(
      id, [&](std::span<const AstId> items, bool is_body) { edit_row(edits, items, is_body); });
  if (ast_.is(id, NodeKind::Clause) && guards_[static_cast<size_t>(id)]) {
    const AstId above = parents_[static_cast<size_t>(id)];
    edits.drop_guard(id, ast_.is(above, NodeKind::If));
  }
  if (ast_.is(id, NodeKind::Match)) {
    const auto match = ast_.get<node::Match>(id);
    if (is_removed(match.pattern)) {
      edits.edits().remove({edits.range(id).begin, edits.range(match.value).begin});
      if (is_removed(match.value)) edits.replace(match.value, "sliced");
      return;
    }
  }
  ast_.for_each_child(id, [&](AstId child) {
    if (!is_removed(child)) return;
    const Place where = places_[static_cast<size_t>(child)];
    if (where == Place::Expression) edits.replace(child, "sliced");
    if (where != Place::Pattern) return;
    const AstId above = parents_[static_cast<size_t>(id)];
    const bool is_handler = ast_.is(id, NodeKind::Clause) && ast_.is(above, NodeKind::Try) &&
                            ast_.is(child, NodeKind::Tuple) && [&] {
                              const auto all = ast_.list(ast_.get<node::Try>(above).handlers);
                              return std::find(all.begin(), all.end(), id) != all.end();
                            }();
    edits.replace(child, is_handler ? "_:_" : "_");
  });
}

UnitEdits ReducedTree::edited() const {
  UnitEdits edits(unit_);
  const auto is_gone = [&](Atom name, uint32_t arity) {
    for (const AstId form : ast_.forms()) {
      if (!ast_.is(form, NodeKind::Function) || !is_removed(form)) continue;
      const auto f = ast_.get<node::Function>(form);
      if (f.name == name && f.arity == arity) return true;
    }
    return false;
  };
  std::vector<AstId> todo;
  for (const AstId form : ast_.forms()) {
    switch (ast_.kind(form)) {
      case NodeKind::Function:
        if (is_removed(form)) {
          edits.drop_form(form);
        } else {
          todo.push_back(form);
        }
        break;
      case NodeKind::Spec:
        if (is_gone(ast_.get<node::Spec>(form).name, ast_.get<node::Spec>(form).arity)) {
          edits.drop_form(form);
        }
        break;
      case NodeKind::Attribute: {
        std::vector<UnitEdits::Exported> exported;
        if (!edits.export_items(form, exported)) break;
        std::vector<AstId> items;
        std::vector<bool> kept;
        for (const auto& e : exported) {
          items.push_back(e.node);
          kept.push_back(!is_gone(e.name, e.arity));
        }
        edits.sequence(items, kept);
        break;
      }
      default:
        break;
    }
  }
  while (!todo.empty()) {
    const AstId id = todo.back();
    todo.pop_back();
    edit(edits, id);
    ast_.for_each_child(id, [&](AstId child) {
      if (!is_removed(child)) todo.push_back(child);
    });
  }
  return edits;
}

std::string ReducedTree::text(const std::vector<Insertion>& insertions) const {
  UnitEdits edits = edited();
  for (const Insertion& i : insertions) edits.edits().insert(i.at, i.text);
  return edits.edits().applied();
}

size_t ReducedTree::node_count() const {
  size_t count = 0;
  std::vector<AstId> todo;
  for (const AstId form : ast_.forms()) {
    if (ast_.is(form, NodeKind::Function)) todo.push_back(form);
  }
  while (!todo.empty()) {
    const AstId id = todo.back();
    todo.pop_back();
    if (is_removed(id)) continue;
    const bool is_hoisted =
        ast_.is(id, NodeKind::Match) && is_removed(ast_.get<node::Match>(id).pattern);
    if (!is_placeholder(id) && !is_hoisted) ++count;
    if (ast_.is(id, NodeKind::Clause) && guards_[static_cast<size_t>(id)]) {
      // Without its guard.
      const auto clause = ast_.get<node::Clause>(id);
      for (const AstId p : ast_.list(clause.patterns)) todo.push_back(p);
      for (const AstId e : ast_.list(clause.body)) todo.push_back(e);
      continue;
    }
    ast_.for_each_child(id, [&](AstId child) { todo.push_back(child); });
  }
  return count;
}

}  // namespace fathom::reduce
