// The printer proper: a tree to the operations of a Layout.
//
// A tree may be deep, so nothing recurses: printing a node is a row of steps
// (text, break, child), and the steps wait on a stack. A node's handler, one for
// each kind of nodes.def, only says its row, in order:
//
//   void SourcePrinter::on(const node::Catch& n, const Visit&) {
//     text("catch ");
//     visit(n.body, GrammarPlace::Any);
//   }
//
// The place of a child in the grammar says what the grammar accepts there; whether the child
// needs parentheses follows from it. Expressions and types have different kinds
// of nodes but for literals and operators, which look alike in both, so one
// dispatch serves both. Every step is pushed and popped once: linear.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "syntax/print_layout.h"
#include "syntax/unit.h"

namespace fathom {

// How tightly a construct binds, loosest first; erl_parse's numbers in order.
enum class Precedence : uint8_t {
  Catch,
  Match,     // = and !
  Annotate,  // :: in types; orelse
  Andalso,
  Union,  // | in types
  Compare,
  List,  // ++ --
  Add,
  Multiply,
  Prefix,
  Hash,  // maps and records
  Call,
  Remote,
  Primary,
};

// Where a node stands. Up to Primary: as an operand that must bind at least as
// tightly as this; the numbers are those of Precedence. Behind it: places with a
// grammar of their own.
enum class GrammarPlace : uint8_t {
  Any = static_cast<uint8_t>(Precedence::Catch),
  Primary = static_cast<uint8_t>(Precedence::Primary),
  PrefixOperand,
  Callee,
  RemotePart,
  MapBase,
  RecordBase,
  FunctionClause,
  FunClause,
  CaseClause,
  IfClause,
  Handler,
  Signature,  // a function type without its fun(…)
};

constexpr GrammarPlace at_least(Precedence p) { return static_cast<GrammarPlace>(p); }
constexpr GrammarPlace tighter_than(Precedence p) {
  return static_cast<GrammarPlace>(static_cast<uint8_t>(p) + 1);
}

Precedence precedence_of_operator(Atom op);

enum class Associativity : uint8_t { None, Left, Right };
Associativity associativity_of(Precedence p);

class SourcePrinter {
 public:
  explicit SourcePrinter(const Unit& unit) : unit_(unit), ast_(unit.ast) {}

  // A form has its full stop, but no newline; the end of the file is nothing.
  void print(NodeId id, GrammarPlace place, std::string& out);

 private:
  struct Visit {
    NodeId node;
    GrammarPlace place;
    Atom name;  // FunctionClause, FunClause: of the function
  };
  using Step = std::variant<LayoutOp, Visit>;
  using Op = LayoutOp::Kind;

  enum class Between : uint8_t { Line, Fill };

  // --- steps (printer.cc)
  void run(NodeId id, GrammarPlace place);
  void text(std::string_view utf8) { row_.emplace_back(layout_.text(utf8)); }
  void op(Op kind) { row_.emplace_back(LayoutOp{kind}); }
  void indent(uint32_t columns = Layout::kIndent) {
    row_.emplace_back(LayoutOp{Op::Indent, 0, columns});
  }
  void dedent() { op(Op::Dedent); }
  void visit(NodeId id, GrammarPlace place, Atom name = {}) {
    row_.emplace_back(Visit{id, place, name});
  }
  void dispatch(const Visit& v);

  // --- one handler for each kind (print_expr.cc, print_block.cc, print_type.cc,
  // print_form.cc)
#define NODE(Id, Tag, Fields) void on(const node::Id& n, const Visit& v);
#include "syntax/nodes.def"
#undef NODE

  // --- grammar (print_grammar.cc)
  Precedence precedence_of(NodeId id) const;
  bool needs_parentheses(NodeId id, GrammarPlace place) const;
  // Whether its own brackets break well, so that it may start after `X =`.
  bool hugs(NodeId id) const;
  bool is_bracketed(NodeId id) const;
  bool is_fun(NodeId id) const;
  bool is_text_of_lines(NodeId id) const;
  bool is_leaf(NodeId id) const;
  bool are_leaves(std::span<const NodeId> list) const;

  // --- parts that many constructs share (printer.cc)
  void atom(Atom name);
  void separated(std::span<const NodeId> list, GrammarPlace place, std::string_view separator,
                 Between between);
  void bracketed(std::string_view open, std::span<const NodeId> list, std::string_view close);
  void behind(std::string_view sign, NodeId value, GrammarPlace place = GrammarPlace::Any);

  // --- expressions (print_expr.cc)
  void quoted_lines(std::string_view utf8);
  void field(NodeId key, std::string_view sign, NodeId value);
  void prefix(Atom operation, NodeId operand, GrammarPlace place);
  void operator_chain(NodeId id, Precedence precedence);
  void assignment(NodeId id);
  void comprehension(std::string_view open, NodeId body_node, GrammarPlace place, ListId qualifiers,
                     std::string_view close, Op edge);
  // --- blocks (print_block.cc)
  void handler_head(NodeId pattern);
  void guard(ListId guard_list);
  void clause_guard(ListId guard_list);
  void body(ListId expressions);
  void clause_body(ListId expressions, GrammarPlace place);
  void clauses(ListId list, GrammarPlace place, Atom name = {});
  void subject(std::string_view before, NodeId id, std::string_view after);
  void fun(ListId list, Atom name);
  // --- types (print_type.cc)
  bool special_type(Atom name, std::span<const NodeId> arguments, GrammarPlace place);
  void function_type(std::span<const NodeId> arguments, GrammarPlace place);
  void record_type(std::span<const NodeId> arguments);
  void binary_type(std::span<const NodeId> arguments);
  void union_type(std::span<const NodeId> arguments);
  void named_type(Atom name, ListId arguments);
  // --- forms (print_form.cc)
  void message(std::string_view severity, uint32_t index);

  const Unit& unit_;
  const Ast& ast_;
  Layout layout_;
  std::vector<Step> row_;    // of the node that is being visited
  std::vector<Step> stack_;  // still to be done, the next one last
};

}  // namespace fathom
