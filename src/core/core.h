// Core: a module as every part of Fathom after the front end sees it.
//
// Each operation is one node, every intermediate value has a name, patterns and
// guards are nodes down to their parts. A function's body is a region: nodes in
// sequence, and the variable that is its value; control nodes hold further
// regions. So Core is a tree whose leaves are operations on variables.
//
// Where control goes from a node is therefore plain:
//   - to the next node of its region; from the last one, out of the region, to
//     where the node that holds it goes on;
//   - a node of `patterns` or `guards` that fails goes to the next alternative of
//     the guard, then to the next clause, then to `otherwise`;
//   - a node that raises (raise.h) goes to the handler of the innermost Try
//     whose body it is in, or else leaves the function. In a guard it fails instead;
//   - Leave goes to the `otherwise` of a Maybe around it.
// There are no loops: repetition is recursion, that of comprehensions too.
//
// Variables belong to a function. On every path a variable is defined at most
// once before it is used (clauses that fail may have defined some of theirs); one
// that several clauses of a case export has a definition in each. A Case's result
// is defined by the value of whichever body was chosen.
//
// Funs and comprehensions are functions of their own, with what they capture as
// last parameters, and have the names that OTP gives them in stack traces.
//
// A module may be in several pieces, each of which is a Module here (parts.h).
//
// NodeIds are dense in a module. A node knows the AST node that it comes from,
// and by it its place in the source. Constant data is one Literal; its parts have
// NodeIds too, after those of the nodes (constant_parts.h). The modules of a run share
// one numbering (program.h).
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/atom.h"
#include "base/term.h"
#include "syntax/unit.h"

namespace fathom::core {

using AstId = fathom::NodeId;

enum class NodeId : uint32_t {};        // in its module
enum class GlobalNodeId : uint32_t {};  // in its program
enum class VarId : uint32_t {};
enum class FunctionId : uint32_t {};
enum class RegionId : uint32_t {};
enum class LiteralId : uint32_t {};
// A list of variables, nodes or regions: an offset into the slots, where the count
// stands before the elements. 0 is the empty one.
enum class ListId : uint32_t {};

inline constexpr VarId kNoVar{0xFFFFFFFF};
inline constexpr RegionId kNoRegion{0xFFFFFFFF};
constexpr bool exists(VarId v) { return v != kNoVar; }
constexpr bool exists(RegionId r) { return r != kNoRegion; }

enum class Kind : uint8_t {
#define CORE(Id, Tag, Raises, Fields) Id,
#include "core/kinds.def"
#undef CORE
};

namespace node {
#define USE(f) VarId f;
#define OPTUSE(f) VarId f;
#define USES(f) ListId f;
#define DEF(f) VarId f;
#define DEFS(f) ListId f;
#define NODES(f) ListId f;
#define REGION(f) RegionId f;
#define REGIONS(f) ListId f;
#define LIT(f) LiteralId f;
#define FUN(f) FunctionId f;
#define ATOM(f) ::fathom::Atom f;
#define NUM(f) uint32_t f;
#define CORE(Id, Tag, Raises, Fields)       \
  struct Id {                               \
    static constexpr Kind kKind = Kind::Id; \
    Fields                                  \
  };
#include "core/kinds.def"
#undef CORE
#undef USE
#undef OPTUSE
#undef USES
#undef DEF
#undef DEFS
#undef NODES
#undef REGION
#undef REGIONS
#undef LIT
#undef FUN
#undef ATOM
#undef NUM
}  // namespace node

enum class FieldKind : uint8_t {
  Use,
  OptUse,
  Uses,
  Def,
  Defs,
  Nodes,
  Region,
  Regions,
  Literal,
  Fun,
  Atom,
  Num,
};

struct FieldSchema {
  FieldKind kind;
  std::string_view name;
};

enum class Raises : uint8_t { Never, May, Always };

struct KindSchema {
  std::string_view tag;
  Raises raises;
  std::span<const FieldSchema> fields;
};

const KindSchema& schema_of(Kind kind);

struct Node {
  Kind kind{};
  bool in_guard = false;  // fails instead of raising
  VarId result = kNoVar;
  uint32_t slots = 0;  // offset of the first field
  AstId origin = kNoNode;
};

struct Region {
  ListId nodes{};
  VarId value = kNoVar;  // none: control does not come to its end, or patterns and guards
};

// How a segment of a binary is read or written: <<Value:Size/Type-Signedness-Endianness-unit:Unit>>
struct SegmentSpec {
  enum class Type : uint8_t { Integer, Float, Bits, Utf8, Utf16, Utf32 };
  Type type = Type::Integer;
  bool little = false;
  bool is_signed = false;
  bool all = false;   // no size: all the rest
  uint16_t unit = 1;  // 1 to 256

  uint32_t pack() const {
    return static_cast<uint32_t>(type) | uint32_t{little} << 4 | uint32_t{is_signed} << 5 |
           uint32_t{all} << 6 | uint32_t{unit} << 8;
  }
  static SegmentSpec unpack(uint32_t bits) {
    return {static_cast<Type>(bits & 0xF), (bits >> 4 & 1) != 0, (bits >> 5 & 1) != 0,
            (bits >> 6 & 1) != 0, static_cast<uint16_t>(bits >> 8)};
  }
};

struct Function {
  Atom name;
  uint32_t arity = 0;  // captured variables, the last ones, included
  uint32_t captures = 0;
  bool exported = false;
  bool is_fun = false;  // the code of a fun expression
  AstId origin = kNoNode;
  RegionId body = kNoRegion;    // from Entry to Return; none: in another part of the module
  std::vector<Atom> variables;  // by VarId: the name in the source, or '' for one of ours
};

// From this node on, nodes belong to that function, up to the next of these.
struct FunctionStart {
  NodeId from{};
  FunctionId function{};
};

// A Literal of constant data with parts, and how many parts those before it have.
struct FoldedLiteral {
  NodeId literal{};
  uint32_t parts_before = 0;
};

// Where an expression of a body, or a part of a comprehension that is evaluated by itself (its
// template, a filter, the source of a generator), begins: before the node with that index of the
// region; after the last one, where it has no node of its own.
struct StatementStart {
  RegionId region{};
  uint32_t index = 0;
  AstId origin = kNoNode;
};

// From this AST node on, stack traces name that file: there is a -file attribute.
struct FileStart {
  AstId from{};
  std::string file;
};

class Module {
 public:
  explicit Module(const Unit& unit) : unit_(&unit) {}

  const Unit& unit() const { return *unit_; }
  Atom name() const { return unit_->module; }

  std::vector<Function> functions;
  std::vector<Term> literals;                     // in `arena`
  std::vector<std::pair<Atom, Term>> attributes;  // as module_info(attributes) gives them
  std::vector<FileStart> files;                   // in ascending order
  std::vector<StatementStart> statements;         // those of a region in ascending order
  TermArena arena;

  std::optional<FunctionId> find(Atom function, uint32_t arity) const;
  void index_functions();
  // The file that OTP's stack traces name for a node of the AST.
  const std::string& file_of(AstId node) const;
  // The function whose body holds the node. Costs O(log functions).
  FunctionId function_of(NodeId node) const;

  // Ids below size() are nodes, those from there to id_count() parts of constant data.
  size_t size() const { return nodes_.size(); }
  size_t id_count() const { return nodes_.size() + parts_; }
  std::span<const FoldedLiteral> folded_literals() const { return folded_; }

  // In a program the module's ids are those from its base on.
  uint32_t base() const { return base_; }
  void set_base(uint32_t base) { base_ = base; }
  GlobalNodeId global(NodeId id) const { return GlobalNodeId{base_ + static_cast<uint32_t>(id)}; }

  const Node& operator[](NodeId id) const { return nodes_[static_cast<size_t>(id)]; }
  const Function& operator[](FunctionId id) const { return functions[static_cast<size_t>(id)]; }
  Function& operator[](FunctionId id) { return functions[static_cast<size_t>(id)]; }
  const Region& operator[](RegionId id) const { return regions_[static_cast<size_t>(id)]; }
  Term operator[](LiteralId id) const { return literals[static_cast<size_t>(id)]; }

  template <class View>
  View get(NodeId id) const {
    const Node& n = (*this)[id];
    assert(n.kind == View::kKind);
    View view;
    std::memcpy(static_cast<void*>(&view), &slots_[n.slots], sizeof(View));
    return view;
  }
  uint32_t slot(NodeId id, size_t field) const { return slots_[(*this)[id].slots + field]; }
  std::span<const VarId> vars(ListId id) const { return elements<VarId>(id); }
  std::span<const NodeId> nodes(ListId id) const { return elements<NodeId>(id); }
  std::span<const NodeId> nodes(RegionId id) const { return nodes((*this)[id].nodes); }
  std::span<const RegionId> regions(ListId id) const { return elements<RegionId>(id); }

  // Nodes that are added from now on belong to the function.
  void begin_function(FunctionId function);
  NodeId add(Kind kind, VarId result, AstId origin, bool in_guard,
             std::initializer_list<uint32_t> fields);
  RegionId add_region(std::span<const NodeId> nodes, VarId value);
  template <class Id>
  ListId add_list(std::span<const Id> ids) {
    static_assert(sizeof(Id) == sizeof(uint32_t));
    return add_words({reinterpret_cast<const uint32_t*>(ids.data()), ids.size()});
  }
  LiteralId add_literal(Term term);
  // The node that was added last is a Literal of constant data with so many parts.
  void add_parts(size_t count);

 private:
  ListId add_words(std::span<const uint32_t> words);
  template <class Id>
  std::span<const Id> elements(ListId id) const {
    const uint32_t* at = &slots_[static_cast<size_t>(id)];
    return {reinterpret_cast<const Id*>(at + 1), *at};
  }

  const Unit* unit_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> slots_{0};  // the empty list
  std::vector<Region> regions_;
  std::vector<FunctionStart> function_starts_;  // in ascending order
  std::vector<FoldedLiteral> folded_;           // in ascending order
  uint32_t parts_ = 0;
  uint32_t base_ = 0;
  std::unordered_map<uint64_t, FunctionId> by_name_;
};

template <class Id>
uint32_t word(Id id) {
  return static_cast<uint32_t>(id);
}
inline uint32_t word(Atom atom) { return atom.id(); }

}  // namespace fathom::core
