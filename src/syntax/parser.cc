#include "syntax/parser.h"

#include <fmt/format.h>

#include "base/term_print.h"
#include "syntax/anchors.h"

namespace fathom {
namespace {

const Token kEndToken{};

}  // namespace

NodeId Parser::parse_form(const Token* first) {
  p_ = form_ = last_ = first;
  failed_ = form_failed_ = false;
  depth_ = 0;
  stack_.clear();
  pending_.clear();
  guards_.clear();
  const Ast::Mark mark = ast_.mark();
  const NodeId node = form();
  if (!form_failed_) return node;
  ast_.rewind(mark);
  return error_form();
}

NodeId Parser::error_form() {
  unit_.has_errors = true;
  unit_.form_messages.push_back({error_span_, error_text_});
  const auto index = static_cast<uint32_t>(unit_.form_messages.size() - 1);
  return ast_.add(NodeKind::ErrorForm, error_span_.begin, error_span_.end, error_anchor_, {index});
}

std::vector<NodeId> Parser::parse_expressions(const Token* first) {
  p_ = form_ = last_ = first;
  failed_ = form_failed_ = false;
  depth_ = 0;
  stack_.clear();
  pending_.clear();
  push_expressions();
  if (!failed_ && !at(TokenKind::Dot)) fail_unexpected("a full stop");
  if (failed_) return {};
  return {stack_.begin(), stack_.end()};
}

Span Parser::span_of(const Token& t) const {
  if (t.loc.is_text()) return {t.loc, t.loc.plus(std::max(t.length, 1u))};
  // A token of a macro: the outermost use is what stands in the author's text.
  return unit_.expansions[unit_.expanded[t.loc.index()].expansion].outermost;
}

bool Parser::expect(TokenKind kind, const Token* opener) {
  if (accept(kind)) return true;
  if (failed_) return false;
  fail_unexpected(fmt::format("`{}`", token_text(kind)));
  if (opener) add_unclosed_note(*last_report_, *opener);
  return false;
}

void Parser::close_list(TokenKind kind, const Token& opener) {
  if (accept(kind) || failed_) return;
  fail_unexpected(fmt::format("`,` or `{}`", token_text(kind)));
  add_unclosed_note(*last_report_, opener);
}

// A note helps when the bracket that is still open is not in plain sight.
void Parser::add_unclosed_note(Diagnostic& diagnostic, const Token& opener) {
  const Span span = span_of(opener);
  const SourceMap& sources = unit_.sources();
  if (sources.file_of(span.begin) == sources.file_of(diagnostic.span.begin) &&
      sources.line_column(span.begin).line == sources.line_column(diagnostic.span.begin).line) {
    return;
  }
  diagnostic.notes.push_back(
      {Severity::Note, span, {}, fmt::format("`{}` was opened here", token_text(opener.kind)), {}});
}

void Parser::fail(const Token& at, std::string message) {
  if (failed_) return;
  const Span span = span_of(at);
  Diagnostic& diagnostic = diagnostics_.error(span, message);
  last_report_ = &diagnostic;
  if (!at.loc.is_text()) {
    const ExpandedToken& token = unit_.expanded[at.loc.index()];
    if (token.written.begin) {
      diagnostic.notes.push_back(
          {Severity::Note,
           token.written,
           {},
           fmt::format("in the expansion of ?{}", unit_.expansions[token.expansion].macro.text()),
           {}});
    }
  }
  if (!form_failed_) {
    error_text_ = std::move(message);
    error_span_ = span;
    error_anchor_ = anchor_of(at);
  }
  failed_ = form_failed_ = true;
  p_ = &kEndToken;
}

void Parser::fail_node(NodeId id, std::string message) {
  if (failed_) return;
  Token t;
  t.loc = ast_[id].begin;
  if (t.loc.is_text()) t.loc = first_anchor(unit_, id);  // (a) + b starts at a
  const Span used = unit_.token_span(id);
  t.length = used.end > t.loc && t.loc.is_text() ? used.end.index() - t.loc.index() : 1;
  const bool first = !form_failed_;
  fail(t, std::move(message));
  if (first) error_anchor_ = first_anchor(unit_, id);
}

std::string Parser::describe(const Token& t) const {
  switch (t.kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::Dot:
      return "the full stop";
    case TokenKind::Atom: {
      std::string text;
      append_atom(text, t.atom());
      return fmt::format("`{}`", text);
    }
    case TokenKind::Var:
      return fmt::format("variable `{}`", t.atom().text());
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Char:
    case TokenKind::OtherPunctuation:
      if (t.loc.is_text()) return fmt::format("`{}`", unit_.sources().slice(span_of(t)));
      return std::string(token_text(t.kind));
    case TokenKind::String:
    case TokenKind::SigilPrefix:
    case TokenKind::SigilSuffix:
      return fmt::format("a {}", token_text(t.kind));
    default:
      return fmt::format("`{}`", token_text(t.kind));
  }
}

// Whether the token looks like the first one of a new function, that is, whether
// the full stop before it was forgotten.
bool Parser::starts_new_form(const Token& t) const {
  if (&t == form_ || !t.loc.is_text()) return false;
  const bool head = (t.kind == TokenKind::Atom && (&t)[1].kind == TokenKind::LeftParen) ||
                    (t.kind == TokenKind::Minus && (&t)[1].kind == TokenKind::Atom);
  return head && unit_.sources().line_column(t.loc).column == 1;
}

void Parser::fail_unexpected(std::string_view expected) {
  if (failed_) return;
  const Token& t = peek();
  std::string message = fmt::format("syntax error before {}: expected {}", describe(t), expected);
  if (t.kind == TokenKind::Dot)
    message = fmt::format("unexpected end of form: expected {}", expected);
  if (t.kind == TokenKind::End)
    message = fmt::format("the file ends inside a form: expected {}", expected);
  if (starts_new_form(t)) message += "; is the full stop of the form before it missing?";
  if (!maybe_enabled_ && (t.is_atom(atoms::maybe_) || last_->is_atom(atoms::maybe_))) {
    message += "; `maybe` is a keyword only with -feature(maybe_expr, enable) before OTP 27";
  }
  Token place = t;
  if (t.kind == TokenKind::End && last_ != &t && last_->loc.is_text()) {
    place.loc = last_end();  // the file may go on for many empty lines
  }
  fail(place, std::move(message));
  if (t.kind == TokenKind::End && last_ != &t) {
    error_span_ = span_of(*last_);
    error_anchor_ = anchor_of(*last_);
  }
}

NodeId Parser::error_node() {
  return ast_.add(NodeKind::Atom, form_->loc, form_->loc, anchor_of(*form_), {0});
}

ListId Parser::take_list(size_t mark) {
  const ListId list = ast_.add_list(std::span<const NodeId>(stack_).subspan(mark));
  stack_.truncate(mark);
  return list;
}

}  // namespace fathom
