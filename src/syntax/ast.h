// The abstract syntax tree of one module.
//
// Nodes lie in one array and are named by dense 32-bit ids; a node's fields lie
// in a second array of 32-bit slots, laid out by the node's kind as nodes.def
// lists it. To read a node's fields, take its view:
//
//   const auto c = ast.get<node::Case>(id);
//   for (NodeId clause : ast.list(c.clauses)) …
//
// Generic code goes by the schema instead: for_each_child, schema_of(kind).
// The tree is the same whether it came from source or from debug info; ids are
// given out in the order in which nodes are finished, children before parents.
//
// A node's places:
//   begin, end  its extent. Text places, or tokens that came out of a macro, or
//               (debug info) bare positions; Unit resolves them.
//   anchor      the place that OTP's abstract format gives the node: the operator
//               of an operation, the first token of most others. Always a text
//               place or a position, never a macro token.
//
// Trees can be deep along operators (a ++ b ++ …): walk them with an explicit
// stack. All other nesting is bounded by the parser, see kMaxNesting.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/atom.h"
#include "base/plain_vector.h"
#include "base/source.h"

namespace fathom {

enum class NodeId : uint32_t {};
inline constexpr NodeId kNoNode{0xFFFFFFFF};
constexpr bool exists(NodeId id) { return id != kNoNode; }

// A list of nodes (or, for guards, of lists): an offset into the slots, where the
// count stands before the elements. Offset 0 is the empty list.
enum class ListId : uint32_t {};

// Brackets, blocks and the like may nest this deep; a source that nests deeper is
// refused with an error.
inline constexpr uint32_t kMaxNesting = 4000;

enum class NodeKind : uint8_t {
#define NODE(Id, Tag, Fields) Id,
#include "syntax/nodes.def"
#undef NODE
};

// The views: node::Case{NodeId subject; ListId clauses;} and so on.
namespace node {
#define ONE(f) NodeId f;
#define OPT(f) NodeId f;
#define MANY(f) ListId f;
#define GUARD(f) ListId f;
#define ATOM(f) ::fathom::Atom f;
#define NUM(f) uint32_t f;
#define NODE(Id, Tag, Fields)                       \
  struct Id {                                       \
    static constexpr NodeKind kKind = NodeKind::Id; \
    Fields                                          \
  };
#include "syntax/nodes.def"
#undef NODE
#undef ONE
#undef OPT
#undef MANY
#undef GUARD
#undef ATOM
#undef NUM
}  // namespace node

enum class FieldKind : uint8_t { One, Opt, Many, Guard, Atom, Num };

struct FieldSchema {
  FieldKind kind;
  std::string_view name;
};

struct NodeSchema {
  std::string_view tag;
  std::span<const FieldSchema> fields;
};

const NodeSchema& schema_of(NodeKind kind);

struct Node {
  enum Flag : uint8_t {
    kPooled = 1,     // Integer: see nodes.def
    kGenerated = 2,  // OTP marks the node's annotation as generated
  };
  NodeKind kind{};
  uint8_t flags = 0;
  Loc begin;
  Loc end;
  Loc anchor;
  uint32_t slots = 0;  // offset of the first field
};

class Ast {
 public:
  Ast() { clear(); }

  // Keeps the memory for the next module.
  void clear();

  // Nodes made since a mark can be taken back: those of a form with an error.
  struct Mark {
    size_t nodes;
    size_t slots;
  };
  Mark mark() const { return {nodes_.size(), slots_.size()}; }
  void rewind(Mark mark) {
    nodes_.truncate(mark.nodes);
    slots_.truncate(mark.slots);
  }

  NodeId add(NodeKind kind, Loc begin, Loc end, Loc anchor, std::initializer_list<uint32_t> fields,
             uint8_t flags = 0);
  NodeId add_fields(NodeKind kind, Loc begin, Loc end, Loc anchor, std::span<const uint32_t> fields,
                    uint8_t flags);
  ListId add_list(std::span<const NodeId> nodes);
  ListId add_guard(std::span<const ListId> alternatives);
  void add_form(NodeId form) { forms_.push_back(form); }
  void set_forms(std::vector<NodeId> forms) { forms_ = std::move(forms); }

  size_t size() const { return nodes_.size(); }
  const std::vector<NodeId>& forms() const { return forms_; }
  const Node& operator[](NodeId id) const { return nodes_[static_cast<size_t>(id)]; }
  Node& mutable_node(NodeId id) { return nodes_[static_cast<size_t>(id)]; }
  NodeKind kind(NodeId id) const { return (*this)[id].kind; }
  bool is(NodeId id, NodeKind kind) const { return exists(id) && this->kind(id) == kind; }

  template <class View>
  View get(NodeId id) const {
    const Node& n = (*this)[id];
    assert(n.kind == View::kKind);
    View view;
    if constexpr (!std::is_empty_v<View>)
      std::memcpy(static_cast<void*>(&view), &slots_[n.slots], sizeof(View));
    return view;
  }

  uint32_t slot(NodeId id, size_t field) const { return slots_[(*this)[id].slots + field]; }
  std::span<const NodeId> list(ListId id) const { return elements<NodeId>(id); }
  std::span<const ListId> guard(ListId id) const { return elements<ListId>(id); }

  // Calls f(child) for each child, left to right as in source (a spec's module
  // before its signatures, a receive's clauses before its timeout).
  template <class F>
  void for_each_child(NodeId id, F&& f) const {
    const Node& n = (*this)[id];
    const NodeSchema& schema = schema_of(n.kind);
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      const uint32_t value = slots_[n.slots + i];
      switch (schema.fields[i].kind) {
        case FieldKind::One:
        case FieldKind::Opt:
          if (exists(NodeId{value})) f(NodeId{value});
          break;
        case FieldKind::Many:
          for (const NodeId child : list(ListId{value})) f(child);
          break;
        case FieldKind::Guard:
          for (const ListId alternative : guard(ListId{value})) {
            for (const NodeId child : list(alternative)) f(child);
          }
          break;
        case FieldKind::Atom:
        case FieldKind::Num:
          break;
      }
    }
  }

 private:
  template <class T>
  std::span<const T> elements(ListId id) const {
    static_assert(sizeof(T) == sizeof(uint32_t));
    const uint32_t* at = &slots_[static_cast<size_t>(id)];
    return {reinterpret_cast<const T*>(at + 1), *at};
  }

  PlainVector<Node> nodes_;
  PlainVector<uint32_t> slots_;
  std::vector<NodeId> forms_;
};

inline NodeId Ast::add(NodeKind kind, Loc begin, Loc end, Loc anchor,
                       std::initializer_list<uint32_t> fields, uint8_t flags) {
  return add_fields(kind, begin, end, anchor, {fields.begin(), fields.size()}, flags);
}

inline NodeId Ast::add_fields(NodeKind kind, Loc begin, Loc end, Loc anchor,
                              std::span<const uint32_t> fields, uint8_t flags) {
  const auto at = static_cast<uint32_t>(slots_.size());
  slots_.append(fields);
  nodes_.push_back({kind, flags, begin, end, anchor, at});
  return NodeId{static_cast<uint32_t>(nodes_.size() - 1)};
}

inline uint32_t field(NodeId id) { return static_cast<uint32_t>(id); }
inline uint32_t field(ListId id) { return static_cast<uint32_t>(id); }
inline uint32_t field(Atom atom) { return atom.id(); }
inline uint32_t field(uint32_t number) { return number; }

}  // namespace fathom
