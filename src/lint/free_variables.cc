// One walk with an explicit stack. Where names get a new meaning, the nodes below
// are visited with a frame that lists them; frames form a chain to the outside.
#include "lint/free_variables.h"

#include <algorithm>
#include <deque>
#include <unordered_set>

namespace fathom::lint {
namespace {

struct Frame {
  const Frame* outer;
  std::vector<Atom> names;
};

class Walk {
 public:
  explicit Walk(const Ast& ast) : ast_(ast) {}

  std::vector<Atom> run(std::span<const NodeId> ids) {
    push_all(ids, nullptr);
    return finish();
  }

  std::vector<Atom> run_comprehension(std::span<const NodeId> generators,
                                      std::span<const NodeId> qualifiers, NodeId body) {
    const Frame* inner = nullptr;
    std::vector<Item> items;
    for (const NodeId g : generators) add_pattern(NodeId{ast_.slot(g, 0)}, nullptr, inner, items);
    for (const NodeId q : qualifiers) add_qualifier(q, inner, items);
    items.push_back({body, inner});
    todo_.insert(todo_.end(), items.rbegin(), items.rend());
    return finish();
  }

 private:
  struct Item {
    NodeId id;
    const Frame* frame;
  };

  std::vector<Atom> finish() {
    while (!todo_.empty()) {
      const Item item = todo_.back();
      todo_.pop_back();
      visit(item);
    }
    return std::move(found_);
  }

  const Frame* frame(const Frame* outer, std::vector<Atom> names) {
    frames_.push_back({outer, std::move(names)});
    return &frames_.back();
  }

  // So that the first is visited first.
  void push_all(std::span<const NodeId> ids, const Frame* frame) {
    for (size_t i = ids.size(); i-- > 0;) todo_.push_back({ids[i], frame});
  }

  void visit(Item item) {
    switch (ast_.kind(item.id)) {
      case NodeKind::Var:
        return found(ast_.get<node::Var>(item.id).name, item.frame);
      case NodeKind::Fun:
        return visit_fun(ast_.get<node::Fun>(item.id).clauses, item.frame);
      case NodeKind::NamedFun: {
        const auto fun = ast_.get<node::NamedFun>(item.id);
        return visit_fun(fun.clauses, frame(item.frame, {fun.name}));
      }
      case NodeKind::ListComprehension:
      case NodeKind::BinaryComprehension:
      case NodeKind::MapComprehension:
        return visit_comprehension(item);
      default:
        break;
    }
    std::vector<NodeId> children;
    ast_.for_each_child(item.id, [&](NodeId child) { children.push_back(child); });
    push_all(children, item.frame);
  }

  void visit_fun(ListId clauses, const Frame* outer) {
    for (const NodeId clause : ast_.list(clauses)) {
      std::vector<Atom> names;
      for (const NodeId p : ast_.list(ast_.get<node::Clause>(clause).patterns)) {
        const std::vector<Atom> more = pattern_variables(ast_, p);
        names.insert(names.end(), more.begin(), more.end());
      }
      todo_.push_back({clause, frame(outer, std::move(names))});
      for (const NodeId p : ast_.list(ast_.get<node::Clause>(clause).patterns)) {
        push_outside(p, outer, todo_);
      }
    }
  }

  void visit_comprehension(Item item) {
    const Frame* inner = item.frame;
    std::vector<Item> items;
    for (const NodeId q : ast_.list(ListId{ast_.slot(item.id, 1)})) add_qualifier(q, inner, items);
    items.push_back({NodeId{ast_.slot(item.id, 0)}, inner});
    todo_.insert(todo_.end(), items.rbegin(), items.rend());
  }

  void add_qualifier(NodeId q, const Frame*& inner, std::vector<Item>& items) {
    switch (ast_.kind(q)) {
      case NodeKind::Generate:
      case NodeKind::GenerateStrict:
      case NodeKind::BinaryGenerate:
      case NodeKind::BinaryGenerateStrict:
      case NodeKind::MapGenerate:
      case NodeKind::MapGenerateStrict: {
        items.push_back({NodeId{ast_.slot(q, 1)}, inner});
        add_pattern(NodeId{ast_.slot(q, 0)}, inner, inner, items);
        break;
      }
      case NodeKind::Zip:
        for (const NodeId g : ast_.list(ast_.get<node::Zip>(q).generators)) {
          add_qualifier(g, inner, items);
        }
        break;
      default:
        items.push_back({q, inner});
    }
  }

  // A generator's pattern, which gives names a new meaning in `inner`.
  void add_pattern(NodeId pattern, const Frame* outer, const Frame*& inner,
                   std::vector<Item>& items) {
    push_outside(pattern, outer, items);
    inner = frame(inner, pattern_variables(ast_, pattern));
    items.push_back({pattern, inner});
  }

  // What is not given a new meaning in a head: keys, and sizes but for what their own binary
  // names before.
  void push_outside(NodeId pattern, const Frame* outer, std::vector<Item>& items) {
    std::vector<NodeId> todo{pattern};
    while (!todo.empty()) {
      const NodeId id = todo.back();
      todo.pop_back();
      switch (ast_.kind(id)) {
        case NodeKind::Binary:
          push_sizes(ast_.list(ast_.get<node::Binary>(id).segments), outer, items);
          break;
        case NodeKind::MapExact:
        case NodeKind::MapAssoc:
          if (id == pattern) {
            todo.push_back(NodeId{ast_.slot(id, 0)});
          } else {
            items.push_back({NodeId{ast_.slot(id, 0)}, outer});
          }
          todo.push_back(NodeId{ast_.slot(id, 1)});
          break;
        default:
          ast_.for_each_child(id, [&](NodeId child) { todo.push_back(child); });
      }
    }
  }

  void push_sizes(std::span<const NodeId> segments, const Frame* outer, std::vector<Item>& items) {
    const Frame* around = outer;
    for (const NodeId id : segments) {
      const auto segment = ast_.get<node::Segment>(id);
      if (exists(segment.size)) items.push_back({segment.size, around});
      if (!ast_.is(segment.value, NodeKind::Var)) continue;
      around = frame(around, {ast_.get<node::Var>(segment.value).name});
    }
  }

  void found(Atom name, const Frame* frame) {
    if (name == atoms::underscore) return;
    for (; frame; frame = frame->outer) {
      if (std::find(frame->names.begin(), frame->names.end(), name) != frame->names.end()) return;
    }
    if (seen_.insert(name).second) found_.push_back(name);
  }

  const Ast& ast_;
  std::vector<Item> todo_;
  std::deque<Frame> frames_;
  std::unordered_set<Atom> seen_;
  std::vector<Atom> found_;
};

}  // namespace

std::vector<Atom> mentioned_variables(const Ast& ast, std::span<const NodeId> ids) {
  return Walk(ast).run(ids);
}

std::vector<Atom> comprehension_variables(const Ast& ast, std::span<const NodeId> generators,
                                          std::span<const NodeId> qualifiers, NodeId body) {
  return Walk(ast).run_comprehension(generators, qualifiers, body);
}

// Sizes of segments and keys of maps are expressions, not patterns; the key of a map's generator,
// K := V <- Map, is one.
std::vector<Atom> pattern_variables(const Ast& ast, NodeId pattern) {
  std::vector<Atom> names;
  std::vector<NodeId> todo{pattern};
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    switch (ast.kind(id)) {
      case NodeKind::Var:
        if (const Atom name = ast.get<node::Var>(id).name; name != atoms::underscore) {
          names.push_back(name);
        }
        break;
      case NodeKind::Segment:
        todo.push_back(ast.get<node::Segment>(id).value);
        break;
      case NodeKind::MapExact:
      case NodeKind::MapAssoc:
        if (id == pattern) todo.push_back(NodeId{ast.slot(id, 0)});
        todo.push_back(NodeId{ast.slot(id, 1)});
        break;
      default:
        ast.for_each_child(id, [&](NodeId child) { todo.push_back(child); });
    }
  }
  return names;
}

}  // namespace fathom::lint
