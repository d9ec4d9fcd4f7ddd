#include "syntax/anchors.h"

#include <algorithm>
#include <vector>

namespace fathom {
namespace {

// What the abstract format holds as bare atoms and numbers has no place there.
bool is_bare(NodeKind parent, std::string_view field) {
  switch (parent) {
    case NodeKind::Record:
    case NodeKind::RecordUpdate:
    case NodeKind::RecordAccess:
    case NodeKind::RecordIndex:
      return field == "name";
    case NodeKind::Segment:
      return field == "types";
    case NodeKind::FunName:
      return true;
    default:
      return false;
  }
}

bool is_leaf(NodeKind kind) { return kind <= NodeKind::String; }

bool before(const Unit& unit, Loc a, Loc b) {
  if (a.is_text() && b.is_text()) return a < b;
  return unit.otp_position(a) < unit.otp_position(b);
}

// A step of the walk: a node, or a bare place (of the cons cells of a list).
struct Step {
  NodeId node = kNoNode;
  Loc place;
};

class AnchorWalk {
 public:
  AnchorWalk(const Unit& unit, NodeId root) : unit_(unit) { todo_.push_back({root, {}}); }

  // The next place; false at the end.
  bool next(Loc* place) {
    if (todo_.empty()) return false;
    const Step step = todo_.back();
    todo_.pop_back();
    *place = step.place;
    if (exists(step.node)) {
      *place = unit_.ast[step.node].anchor;
      push_children(step.node);
    }
    return true;
  }

 private:
  void push_children(NodeId id) {
    const Ast& ast = unit_.ast;
    const NodeKind kind = ast.kind(id);
    if (is_leaf(kind)) return;
    const size_t mark = todo_.size();
    if (kind == NodeKind::List) {
      push_list(id);
    } else {
      const NodeSchema& schema = schema_of(kind);
      for (size_t i = 0; i < schema.fields.size(); ++i) {
        if (!is_bare(kind, schema.fields[i].name))
          push_field(schema.fields[i].kind, ast.slot(id, i));
      }
    }
    std::reverse(todo_.begin() + static_cast<ptrdiff_t>(mark), todo_.end());
  }

  void push_field(FieldKind kind, uint32_t value) {
    switch (kind) {
      case FieldKind::One:
      case FieldKind::Opt:
        if (exists(NodeId{value})) todo_.push_back({NodeId{value}, {}});
        break;
      case FieldKind::Many:
        for (const NodeId child : unit_.ast.list(ListId{value})) todo_.push_back({child, {}});
        break;
      case FieldKind::Guard:
        for (const ListId alternative : unit_.ast.guard(ListId{value})) {
          for (const NodeId child : unit_.ast.list(alternative)) todo_.push_back({child, {}});
        }
        break;
      case FieldKind::Atom:
      case FieldKind::Num:
        break;
    }
  }

  // [A, B | T] is cons(A, cons(B, T)); the inner cons cells have places of their own.
  void push_list(NodeId id) {
    const auto view = unit_.ast.get<node::List>(id);
    bool first = true;
    for (const NodeId element : unit_.ast.list(view.elements)) {
      if (!first) todo_.push_back({kNoNode, first_anchor(unit_, element)});
      first = false;
      todo_.push_back({element, {}});
    }
    if (exists(view.tail)) {
      todo_.push_back({view.tail, {}});
    } else if (!first) {
      todo_.push_back({kNoNode, nil_anchor(unit_, id)});
    }
  }

  const Unit& unit_;
  std::vector<Step> todo_;
};

// The first child of the kinds of nodes that stand most often at the left edge.
NodeId quick_first_child(const Ast& ast, NodeId id) {
  switch (ast.kind(id)) {
    case NodeKind::Tuple:
    case NodeKind::Binary:
    case NodeKind::Map: {
      const auto elements = ast.list(ListId{ast.slot(id, 0)});
      return elements.empty() ? kNoNode : elements[0];
    }
    case NodeKind::List: {
      const auto elements = ast.list(ListId{ast.slot(id, 0)});
      return elements.empty() ? kNoNode : elements[0];
    }
    case NodeKind::Call:
    case NodeKind::Remote:
    case NodeKind::Match:
      return NodeId{ast.slot(id, 0)};
    default:
      return kNoNode;
  }
}

}  // namespace

Loc nil_anchor(const Unit& unit, NodeId list) {
  const Node& n = unit.ast[list];
  switch (n.end.kind()) {
    case Loc::Kind::Text:
      return Loc::text(n.end.index() - 1);  // the closing bracket
    case Loc::Kind::Expanded:
      return unit.expanded[n.end.index()].anchor;
    case Loc::Kind::Position:
      return n.end;
  }
  return n.end;
}

Loc first_anchor(const Unit& unit, NodeId id) {
  const Ast& ast = unit.ast;
  const Loc own = ast[id].anchor;
  if (is_leaf(ast.kind(id))) return own;
  const NodeId child = quick_first_child(ast, id);
  if (exists(child) && before(unit, own, ast[child].anchor)) return own;
  if (ast.is(id, NodeKind::Remote)) {  // m:f( is frequent; where the walk would end
    const auto remote = ast.get<node::Remote>(id);
    if (is_leaf(ast.kind(remote.module)) && is_leaf(ast.kind(remote.name))) {
      const Loc module = ast[remote.module].anchor;
      const Loc name = ast[remote.name].anchor;
      return before(unit, module, name) ? module : name;
    }
  }
  AnchorWalk walk(unit, id);
  Loc current;
  Loc place;
  walk.next(&current);
  while (walk.next(&place) && !before(unit, current, place)) current = place;
  return current;
}

Loc last_anchor(const Unit& unit, NodeId id) {
  AnchorWalk walk(unit, id);
  Loc greatest;
  walk.next(&greatest);
  Loc place;
  while (walk.next(&place)) {
    if (before(unit, greatest, place)) greatest = place;
  }
  return greatest;
}

}  // namespace fathom
