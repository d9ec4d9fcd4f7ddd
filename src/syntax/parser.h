// The parser: the tokens of one form, macros expanded, to its node.
//
// Recursive descent, operators by precedence climbing; the grammar is that of
// erl_parse in OTP 28, which contains all older ones. What erl_parse rejects is
// rejected here too, what only erl_lint rejects is not: that needs the module.
//
// The token range ends with an End token, so one may always look one token
// ahead. The first error of a form (of each clause, in a function) is reported;
// from then on the cursor stands on an End token, every rule ends at once and
// the form becomes an ErrorForm. Nesting deeper than kMaxNesting is an error;
// long chains of operators are loops, not nesting.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/plain_vector.h"
#include "syntax/token.h"
#include "syntax/unit.h"

namespace fathom {

class Parser {
 public:
  Parser(Unit& unit, Literals& literals, Diagnostics& diagnostics)
      : unit_(unit), ast_(unit.ast), literals_(literals), diagnostics_(diagnostics) {}

  // Whether the word after `maybe`'s feature is known to be off: for hints only.
  void set_maybe_enabled(bool enabled) { maybe_enabled_ = enabled; }

  // A whole form, full stop included. Always gives a node.
  NodeId parse_form(const Token* first);
  // Expressions separated by commas, up to the full stop; empty on error.
  std::vector<NodeId> parse_expressions(const Token* first);
  bool failed() const { return failed_; }
  // What stands for expressions that could not be read.
  NodeId error_form();

 private:
  friend class NestingGuard;
  enum class Mode : uint8_t { Expression, Pattern };
  // What the # after an operand may go on with.
  enum class Chain : uint8_t { Open, Map, Record };
  // An operator whose right operand is still being read.
  struct PendingOperator {
    const Token* first;  // of the left operand
    const Token* token;
    NodeId left;
  };

  // A field in the braces of a -record; `type` is kNoNode if it has none.
  struct FieldText {
    const Token* first;
    Loc end;
    NodeId value;
    NodeId type;
  };

  // --- tokens
  const Token& peek() const { return *p_; }
  bool at(TokenKind kind) const { return p_->kind == kind; }
  bool at_next(TokenKind kind) const { return p_->kind != TokenKind::End && p_[1].kind == kind; }
  const Token& take() {
    last_ = p_;
    if (p_->kind != TokenKind::End) ++p_;
    return *last_;
  }
  bool accept(TokenKind kind) {
    if (!at(kind)) return false;
    take();
    return true;
  }
  bool expect(TokenKind kind, const Token* opener = nullptr);
  // The end of a list of things separated by commas.
  void close_list(TokenKind kind, const Token& opener);
  Loc begin_of(const Token& t) const { return t.loc; }
  Loc last_end() const { return last_->loc.plus(last_->length); }
  Loc anchor_of(const Token& t) const {
    return t.loc.is_text() ? t.loc : unit_.expanded[t.loc.index()].anchor;
  }
  Span span_of(const Token& t) const;

  // --- errors
  void fail(const Token& at, std::string message);
  void fail_node(NodeId at, std::string message);
  void fail_unexpected(std::string_view expected);
  void add_unclosed_note(Diagnostic& diagnostic, const Token& opener);
  std::string describe(const Token& t) const;
  bool starts_new_form(const Token& t) const;

  // --- building
  NodeId add(NodeKind kind, const Token& first, Loc anchor, std::initializer_list<uint32_t> fields,
             uint8_t flags = 0) {
    return ast_.add(kind, begin_of(first), last_end(), anchor, fields, flags);
  }
  NodeId leaf(NodeKind kind, const Token& t, uint32_t value, uint8_t flags = 0) {
    return ast_.add(kind, begin_of(t), t.loc.plus(t.length), anchor_of(t), {value}, flags);
  }
  NodeId error_node();
  ListId take_list(size_t mark);

  // --- forms (parse_form.cc)
  NodeId form();
  NodeId finish_form(NodeId node);
  NodeId function();
  void finish_function();
  void function_clause(Atom name, std::optional<size_t>* arity, const Token** mismatch);
  bool recover_to_next_clause(const Token* from, Atom name);
  NodeId attribute();
  NodeId attribute_values(const Token& minus, const Token& name);
  bool record_fields();
  bool has_typed_field() const;
  NodeId record_decl(const Token& minus, const Token& name, std::span<const NodeId> values,
                     bool braces);
  void record_field_decl(const FieldText& text);
  NodeId type_decl(const Token& minus, const Token& name, NodeId head, const Token* open);
  NodeId spec(const Token& minus, const Token& name);
  std::optional<uint32_t> signature_arity(NodeId signature_node) const;
  void check_attribute(const Token& name, std::span<const NodeId> values);
  void check_documentation(NodeId map);
  void check_variable_list(NodeId id);
  void check_name_arity_list(NodeId id);
  void fail_element(NodeId list, size_t index, std::string message);

  // --- expressions (parse_expr.cc)
  NodeId expression(int min_precedence = 0) { return operators(Mode::Expression, min_precedence); }
  NodeId pattern() { return operators(Mode::Pattern, 0); }
  NodeId operators(Mode mode, int min_precedence);
  NodeId operation(const PendingOperator& op, NodeId right);
  NodeId prefixed(Mode mode);
  NodeId postfixed();
  NodeId primary(Mode mode);  // expr_max
  NodeId pattern_operand();
  NodeId call_or_remote(const Token& first, NodeId callee);
  NodeId hash_suffixes(const Token& first, NodeId base, Chain chain);
  NodeId hash_prefix(Mode mode);
  NodeId map_expression(Mode mode, const Token& first, const Token& hash, NodeId base);
  NodeId record_expression(const Token& first, const Token& hash, NodeId base);
  NodeId name_atom();
  NodeId integer(const Token& t);
  NodeId strings();
  NodeId sigil();
  NodeId list_or_comprehension(Mode mode);
  NodeId binary_or_comprehension(Mode mode);
  NodeId segment(const Token& first, NodeId value);
  NodeId segment_value();
  void segment_types();
  NodeId tuple();
  ListId arguments(Mode mode);
  ListId expressions();
  void push_expressions();
  NodeId map_field();
  NodeId comprehension(NodeKind kind, const Token& open, NodeId body, TokenKind close);
  void qualifier();
  NodeId generator();
  NodeId fun();
  NodeId fun_reference(const Token& start);
  NodeId fun_clauses(const Token& start);

  // --- blocks (parse_block.cc)
  NodeId block();
  NodeId if_expression();
  NodeId case_expression();
  NodeId receive_expression();
  NodeId try_expression();
  NodeId maybe_expression();
  ListId case_clauses();
  NodeId case_clause();
  NodeId try_clause();
  ListId guard();
  ListId clause_guard();
  ListId clause_body();
  void close_block(const Token& opener);

  // --- types (parse_type.cc)
  NodeId top_type();
  NodeId union_type(const Token& start, size_t mark, NodeId last);
  NodeId type(int min_precedence);
  NodeId type_operand();
  NodeId type_prefix();
  NodeId named_type();
  NodeId list_type();
  NodeId tuple_type();
  NodeId hash_type();
  NodeId map_type(const Token& hash);
  NodeId binary_type();
  NodeId fun_type_in_parens();
  NodeId fun_type();
  NodeId signature();
  NodeId constraint();
  void push_top_types();
  NodeId zero(const Token& at);

  Unit& unit_;
  Ast& ast_;
  Literals& literals_;
  Diagnostics& diagnostics_;
  const Token* p_ = nullptr;
  const Token* last_ = nullptr;  // the token taken last
  const Token* form_ = nullptr;
  PlainVector<NodeId> stack_;  // elements of the lists being collected
  std::vector<PendingOperator> pending_;
  std::vector<ListId> guards_;     // alternatives of the guards being collected
  std::vector<FieldText> fields_;  // of the attribute being read, if it has braces
  uint32_t depth_ = 0;
  bool failed_ = false;  // since the last recovery
  bool form_failed_ = false;
  bool maybe_enabled_ = false;
  uint64_t constant_bytes_ = 0;  // that the values of attributes take
  std::string error_text_;       // of the form's first error
  Span error_span_;
  Loc error_anchor_;  // the place that OTP gives the error
  Diagnostic* last_report_ = nullptr;
};

// Counts nesting for as long as it lives; a rule that nests makes one and gives
// up when it is not ok.
class NestingGuard {
 public:
  explicit NestingGuard(Parser& parser) : parser_(parser) {
    if (++parser_.depth_ == kMaxNesting)
      parser_.fail(parser_.peek(), "this is nested too deeply (4000 levels)");
  }
  ~NestingGuard() { --parser_.depth_; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;

 private:
  Parser& parser_;
};

}  // namespace fathom
