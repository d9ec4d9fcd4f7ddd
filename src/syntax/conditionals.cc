// -ifdef, -ifndef, -if, -elif, -else, -endif.
//
// A file's conditionals are a stack. From the first one that is skipped on, all
// above it are skipped too, and only that one can come back to life. The rules are
// epp's, one of which surprises: it does not remember that a branch was taken, only
// that the branch being skipped is the one right after it. So of
//   -if(true). … -elif(false). … -elif(true). … -endif.
// the first branch and the last one count. Such a second branch gets a warning.
#include <fmt/format.h>

#include "syntax/condition.h"
#include "syntax/preprocessor.h"

namespace fathom {

// Whether the form is one of them; they are obeyed in skipped parts too.
bool Preprocessor::conditional(Form tokens) {
  const Token& word = tokens[1];
  if (word.kind == TokenKind::If) {
    open_conditional(tokens, atoms::if_);
    return true;
  }
  if (word.kind != TokenKind::Atom) return false;
  switch (word.value) {
    case atoms::ifdef.id():
    case atoms::ifndef.id():
      open_conditional(tokens, word.atom());
      return true;
    case atoms::elif.id():
      elif_branch(tokens);
      return true;
    case atoms::else_.id():
      else_branch(tokens);
      return true;
    case atoms::endif.id():
      end_conditional(tokens);
      return true;
    default:
      return false;
  }
}

void Preprocessor::open_conditional(Form tokens, Atom word) {
  Conditional conditional{&tokens[1]};
  if (file().skipping()) {
    conditional.skipping = true;
  } else {
    conditional.taken =
        word == atoms::if_ ? expression_condition(tokens) : macro_condition(tokens, word);
    conditional.skipping = !conditional.taken;
  }
  file().conditionals.push_back(conditional);
}

// -ifdef(NAME). or -ifndef(NAME).; a badly formed one counts as false.
bool Preprocessor::macro_condition(Form tokens, Atom word) {
  const bool ok = tokens.size() == 6 && tokens[2].kind == TokenKind::LeftParen &&
                  (tokens[3].kind == TokenKind::Atom || tokens[3].kind == TokenKind::Var) &&
                  tokens[4].kind == TokenKind::RightParen && tokens[5].kind == TokenKind::Dot;
  if (!ok) {
    bad_directive(tokens,
                  {TokenKind::LeftParen, TokenKind::Var, TokenKind::RightParen, TokenKind::Dot},
                  "(NAME)");
    return false;
  }
  return is_defined(tokens[3].atom()) == (word == atoms::ifdef);
}

bool Preprocessor::expression_condition(Form tokens) {
  if (tokens.size() < 3 || tokens[2].kind != TokenKind::LeftParen) {
    bad_directive(tokens, {TokenKind::LeftParen}, "(Expression)");
    return false;
  }
  const Token* first = expanded(tokens.subspan(2));
  if (!first) return false;
  const Ast::Mark mark = unit_.ast.mark();
  const std::vector<NodeId> expressions = parser_.parse_expressions(first);
  Condition condition = Condition::False;
  if (expressions.size() == 1) {
    condition = evaluate_condition(unit_, expressions[0], [&](Atom name) {
      return is_defined(name) || name == atoms::MODULE || name == atoms::MODULE_STRING ||
             name == atoms::FUNCTION_NAME || name == atoms::FUNCTION_ARITY ||
             name == atoms::BASE_MODULE || name == atoms::BASE_MODULE_STRING;
    });
  }
  unit_.ast.rewind(mark);  // before any error, which adds a form
  if (parser_.failed()) {
    unit_.ast.add_form(parser_.error_form());
  } else if (expressions.size() != 1) {
    error(tokens[1], "-if takes one expression");
  } else if (condition == Condition::Illegal) {
    error(tokens[1], "the condition of -if is not a guard expression");
  } else if (condition == Condition::TooDeep) {
    error(tokens[1], "the condition of -if is nested too deeply");
  }
  return condition == Condition::True;
}

bool Preprocessor::is_outermost_skipped() const {
  const auto& open = files_.back()->conditionals;
  return open.back().skipping && (open.size() == 1 || !open[open.size() - 2].skipping);
}

void Preprocessor::elif_branch(Form tokens) {
  auto& open = file().conditionals;
  if (open.empty()) return error(tokens[1], "-elif without an -if before it");
  if (open.back().branch == Branch::Else) {
    open.back().skipping = true;
    return error(tokens[1], "-elif behind -else");
  }
  if (!open.back().skipping) {
    open.back().branch = Branch::Elif;
    open.back().skipping = true;
    return;
  }
  if (!is_outermost_skipped()) return;
  // The condition is evaluated as if outside.
  const Conditional saved = open.back();
  open.pop_back();
  const bool holds = expression_condition(tokens);
  open.push_back(saved);
  open.back().branch = Branch::If;
  if (holds) take_branch(tokens[1]);
}

// The innermost conditional is skipped no more.
void Preprocessor::take_branch(const Token& word) {
  Conditional& conditional = file().conditionals.back();
  if (conditional.taken) {
    diagnostics_.warning(span_of(word),
                         "OTP takes this branch too, though one before it has been taken");
  }
  conditional.taken = true;
  conditional.skipping = false;
}

void Preprocessor::else_branch(Form tokens) {
  auto& open = file().conditionals;
  const bool skipped = file().skipping();
  if (!skipped && (tokens.size() != 3 || tokens[2].kind != TokenKind::Dot)) {
    return bad_directive(tokens, {TokenKind::Dot}, "");
  }
  if (open.empty()) return error(tokens[1], "-else without an -ifdef, -ifndef or -if before it");
  if (open.back().branch == Branch::Else) {
    open.back().skipping = true;
    return error(tokens[1], "a second -else");
  }
  if (!skipped || open.back().branch == Branch::Elif) {
    open.back().branch = Branch::Else;
    open.back().skipping = true;
  } else if (is_outermost_skipped()) {
    open.back().branch = Branch::Else;
    take_branch(tokens[1]);
  }
}

void Preprocessor::end_conditional(Form tokens) {
  auto& open = file().conditionals;
  if (!file().skipping() && (tokens.size() != 3 || tokens[2].kind != TokenKind::Dot)) {
    return bad_directive(tokens, {TokenKind::Dot}, "");
  }
  if (open.empty()) return error(tokens[1], "-endif without an -ifdef, -ifndef or -if before it");
  open.pop_back();
}

// One that is forgotten leaves the outermost open. OTP's place is the file's end.
void Preprocessor::report_unclosed(const File& file) {
  const auto& open = file.conditionals;
  if (open.empty()) return;
  const Token& word = *open[0].opener;
  std::string message =
      fmt::format("this -{} has no -endif", word.kind == TokenKind::If ? "if" : word.atom().text());
  if (open.size() > 1) message += fmt::format(", nor have {} more behind it", open.size() - 1);
  error(span_of(word), std::move(message), file.buffer->end);
}

// Reports a directive at the first token that is not as it must be. In `pattern`
// Var is a name of either kind, String a row of strings; `form` is how to write what
// stands after the directive's word.
void Preprocessor::bad_directive(Form tokens, std::initializer_list<TokenKind> pattern,
                                 std::string_view form) {
  size_t at = 2;
  for (const TokenKind kind : pattern) {
    if (at >= tokens.size()) break;
    const TokenKind found = tokens[at].kind;
    if (found != kind && !(kind == TokenKind::Var && found == TokenKind::Atom)) break;
    ++at;
    while (kind == TokenKind::String && at < tokens.size() && tokens[at].kind == TokenKind::String)
      ++at;
  }
  const std::string_view word = tokens[1].kind == TokenKind::If ? "if" : tokens[1].atom().text();
  error(tokens[std::min(at, tokens.size() - 1)],
        fmt::format("badly formed -{0}: write -{0}{1}.", word, form));
}

}  // namespace fathom
