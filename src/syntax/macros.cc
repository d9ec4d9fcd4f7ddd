#include "syntax/macros.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/term_print.h"
#include "base/utf8.h"

namespace fathom {
namespace {

// More tokens than any form of real code has by orders of magnitude.
constexpr size_t kMaxFormTokens = 4'000'000;
constexpr size_t kTokenBytes = 8;  // so many bytes of a text that ??X makes count as a token
constexpr size_t kFewParameters = 8;

// The closing token of a bracket or block, Invalid if the token opens none.
TokenKind closer_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::LeftParen:
      return TokenKind::RightParen;
    case TokenKind::LeftBracket:
      return TokenKind::RightBracket;
    case TokenKind::LeftBrace:
      return TokenKind::RightBrace;
    case TokenKind::LeftBinary:
      return TokenKind::RightBinary;
    case TokenKind::Begin:
    case TokenKind::If:
    case TokenKind::Case:
    case TokenKind::Receive:
    case TokenKind::Try:
    case TokenKind::Cond:
    case TokenKind::Maybe:
      return TokenKind::EndWord;
    default:
      return TokenKind::Invalid;
  }
}

// `maybe` becomes a reserved word only when all is expanded.
TokenKind kind_in_arguments(const Token& t, MaybeBlocks maybe_blocks) {
  const bool maybe =
      maybe_blocks == MaybeBlocks::Yes && t.is_atom(atoms::maybe_) && !(t.flags & Token::kQuoted);
  return maybe ? TokenKind::Maybe : t.kind;
}

// Behind the argument that starts at `at`, on its comma or closing parenthesis
// or on End. Brackets and blocks are skipped as a whole.
template <class KindAt>
size_t skip_argument(KindAt kind_at, size_t at, std::vector<TokenKind>& closers) {
  closers.clear();
  for (;; ++at) {
    const TokenKind kind = kind_at(at);
    if (kind == TokenKind::End) return at;
    if (closers.empty() && (kind == TokenKind::Comma || kind == TokenKind::RightParen)) return at;
    if (kind == TokenKind::Fun) {
      const bool clauses =
          kind_at(at + 1) == TokenKind::LeftParen ||
          (kind_at(at + 1) == TokenKind::Var && kind_at(at + 2) == TokenKind::LeftParen);
      if (clauses) closers.push_back(TokenKind::EndWord);
    } else if (const TokenKind closer = closer_of(kind); closer != TokenKind::Invalid) {
      closers.push_back(closer);
    } else if (!closers.empty() && kind == closers.back()) {
      closers.pop_back();
    }
  }
}

// The arguments that stand after a macro's name; kind_at(0) is the token after
// it, End is what kind_at gives after the last one.
template <class KindAt>
void scan_arguments(KindAt kind_at, MacroArguments& out) {
  out.ranges.clear();
  out.parenthesized = kind_at(0) == TokenKind::LeftParen;
  out.bad = out.has_empty = false;
  out.close = 0;
  if (!out.parenthesized) return;
  out.close = 1;
  if (kind_at(1) == TokenKind::RightParen) return;
  std::vector<TokenKind> closers;
  for (size_t at = 1;; ++at) {
    const size_t begin = at;
    at = skip_argument(kind_at, at, closers);
    const bool empty = at == begin;
    out.bad = kind_at(at) == TokenKind::End ||
              (empty && (begin == 1 || kind_at(at) == TokenKind::RightParen));
    out.has_empty = out.has_empty || empty;
    out.close = at;
    if (out.bad) return;
    out.ranges.push_back({begin, at});
    if (kind_at(at) == TokenKind::RightParen) return;
  }
}

void append_char(std::string& out, uint32_t c) {
  out += '$';
  if (c == ' ') {
    out += "\\s";
  } else if (c == '"') {
    out += '"';
  } else {
    std::string utf8;
    append_utf8(utf8, c);
    std::string quoted;
    append_quoted_string(quoted, utf8);
    out.append(quoted, 1, quoted.size() - 2);
  }
}

// As ~w prints it: characters beyond latin-1 as \x{…}.
void append_latin1_atom(std::string& out, Atom atom) {
  std::string text;
  append_atom(text, atom);
  for (const char* p = text.data(); p < text.data() + text.size();) {
    const char* from = p;
    const uint32_t c = next_code_point(&p);
    if (c <= 0xFF) {
      out.append(from, p);
    } else {
      out += fmt::format("\\x{{{:X}}}", c);
    }
  }
}

// A token as epp writes it when it makes a string of a macro argument.
void append_token(std::string& out, const Token& t, const Literals& literals) {
  switch (t.kind) {
    case TokenKind::Atom:
      return append_latin1_atom(out, t.atom());
    case TokenKind::Var:
      out += t.atom().text();
      return;
    case TokenKind::Integer:
      out += t.flags & Token::kPooled ? literals.integers[t.value] : std::to_string(t.value);
      return;
    case TokenKind::Float:
      return append_float(out, literals.floats[t.value]);
    case TokenKind::Char:
      return append_char(out, t.value);
    case TokenKind::String:
      return append_quoted_string(out, literals.strings[t.value]);
    case TokenKind::SigilPrefix:
      out += fmt::format("~{}", t.atom().text());
      return;
    case TokenKind::SigilSuffix:
      return;
    default:
      out += token_text(t.kind);
  }
}

// The number of parameters up to the closing parenthesis, counted as epp counts:
// a first parameter that is an empty list, tuple or binary does not count. (So in
// f([]) ?FUNCTION_ARITY is 0, in OTP and therefore here.)
uint32_t count_parameters(std::span<const Token> tokens) {
  uint32_t count = 0;
  int depth = 1;
  for (const Token& t : tokens) {
    switch (t.kind) {
      case TokenKind::LeftParen:
      case TokenKind::LeftBrace:
      case TokenKind::LeftBracket:
      case TokenKind::LeftBinary:
        ++depth;
        break;
      case TokenKind::RightParen:
      case TokenKind::RightBrace:
      case TokenKind::RightBracket:
      case TokenKind::RightBinary:
        if (--depth == 0) return count;
        break;
      case TokenKind::Comma:
        if (depth == 1) ++count;
        break;
      default:
        count = std::max(count, 1u);
        break;
    }
  }
  return count;
}

std::string macro_name(Atom name, int arity) {
  if (arity == Macro::kNoArguments) return fmt::format("?{}", name.text());
  return fmt::format("?{}/{}", name.text(), arity);
}

}  // namespace

std::optional<int> count_macro_arguments(std::span<const Token> tokens, MaybeBlocks maybe_blocks,
                                         size_t& steps) {
  MacroArguments arguments;
  scan_arguments(
      [&](size_t i) {
        return i < tokens.size() ? kind_in_arguments(tokens[i], maybe_blocks) : TokenKind::End;
      },
      arguments);
  steps += arguments.close + 1;
  if (arguments.bad) return std::nullopt;
  return arguments.arity();
}

// --- the table

void MacroTable::clear() {
  ++epoch_;
  ++generation_;
  macros_.clear();
}

int MacroTable::find(Atom name) const {
  if (name.id() >= by_name_.size()) return -1;
  const Entry& entry = by_name_[name.id()];
  return entry.epoch == epoch_ ? entry.first : -1;
}

int MacroTable::find(Atom name, int arity) const {
  const int first = find(name);
  // A macro that is only defined without arguments leaves alone what follows.
  if (first >= 0 && next(first) < 0 && (*this)[first].arity == Macro::kNoArguments) return first;
  for (int i = first; i >= 0; i = next(i)) {
    if ((*this)[i].arity == arity) return i;
  }
  return -1;
}

void MacroTable::define(const Macro& macro) {
  if (macro.name.id() >= by_name_.size()) by_name_.resize(atom_count());
  Entry& entry = by_name_[macro.name.id()];
  macros_.push_back({&macro, entry.epoch == epoch_ ? entry.first : -1});
  entry = {epoch_, static_cast<int>(macros_.size() - 1)};
  ++generation_;
}

void MacroTable::undefine(Atom name) {
  if (name.id() < by_name_.size()) by_name_[name.id()] = {};
  ++generation_;
}

// Depth first over the uses; a macro that was left without a cycle is done.
std::optional<MacroUse> MacroTable::find_cycle(int index, size_t& steps) {
  if ((*this)[index].uses.empty() || at(index).checked == generation_) return std::nullopt;
  struct Visit {
    int macro;
    size_t next_use = 0;
  };
  std::vector<Visit> path{{index}};
  at(index).on_path = true;
  while (!path.empty()) {
    ++steps;
    Visit& top = path.back();
    const Macro& macro = (*this)[top.macro];
    if (top.next_use == macro.uses.size()) {
      at(top.macro).checked = generation_;
      at(top.macro).on_path = false;
      path.pop_back();
      continue;
    }
    const MacroUse use = macro.uses[top.next_use++];
    int used = find(use.name, use.arity);
    if (used < 0) used = find(use.name, Macro::kNoArguments);
    if (used < 0 || at(used).checked == generation_) continue;
    if (at(used).on_path) {
      for (const Visit& visit : path) at(visit.macro).on_path = false;
      return use;
    }
    at(used).on_path = true;
    path.push_back({used});
  }
  return std::nullopt;
}

// --- expansion

std::optional<MacroError> MacroExpander::expand(std::span<const Token> form,
                                                std::vector<Token>& out) {
  form_ = form;
  head_.reset();
  error_.reset();
  budget_ = std::min(kMaxFormTokens, module_budget_.tokens);
  todo_.assign(form.rbegin(), form.rend());
  out.clear();
  run(out);
  if (!error_) {
    if (maybe_enabled_) {
      for (Token& t : out) {
        if (t.kind != TokenKind::Atom || t.flags & Token::kQuoted) continue;
        if (t.atom() == atoms::maybe_) t.kind = TokenKind::Maybe;
        if (t.atom() == atoms::else_) t.kind = TokenKind::Else;
      }
    }
    Token end;
    if (!out.empty()) end.loc = out.back().loc.plus(out.back().length);
    out.push_back(end);
  }
  return std::move(error_);
}

void MacroExpander::run(std::vector<Token>& out) {
  while (!todo_.empty() && !error_) {
    const Token t = todo_.back();
    todo_.pop_back();
    if (t.kind == TokenKind::Question) {
      macro_call(t, out);
    } else if (t.kind != TokenKind::End) {
      out.push_back(t);
    }
  }
}

void MacroExpander::fail(const Token& at, std::string message) {
  if (!error_) error_ = MacroError{at, std::move(message)};
}

void MacroExpander::fail_too_large(const Token& name) {
  if (error_) return;
  if (!module_budget_.is_used_up()) {
    Atom macro = name.atom();
    if (!name.loc.is_text()) {  // the one that the author sees there
      const Expansion* e = &unit_.expansions[unit_.expanded[name.loc.index()].expansion];
      while (e->parent) e = &unit_.expansions[*e->parent];
      macro = e->macro;
    }
    return fail(name, fmt::format("the expansion of ?{} is too large", macro.text()));
  }
  fail(name, "the macros of this file expand to too much");
  error_->repeated = told_;
  told_ = true;
}

void MacroExpander::macro_call(const Token& question, std::vector<Token>& out) {
  // A `?` that ends a macro's body goes on with what follows the use.
  while (!todo_.empty() && todo_.back().kind == TokenKind::End) todo_.pop_back();
  if (todo_.empty()) return fail(question, "a macro's name must follow the `?`");
  const Token name = todo_.back();
  if (name.kind != TokenKind::Atom && name.kind != TokenKind::Var) {
    if (name.kind == TokenKind::Question) {
      return fail(name, "`??` makes a string of a parameter, inside a macro's definition only");
    }
    return fail(name,
                fmt::format("illegal macro call: `{}` names no macro", token_text(name.kind)));
  }
  todo_.pop_back();
  if (name.kind == TokenKind::Var && special_macro(question, name, out)) return;
  expand_use(question, name);
}

// Macros whose value depends on the place of the use.
bool MacroExpander::special_macro(const Token& question, const Token& name,
                                  std::vector<Token>& out) {
  const Atom macro = name.atom();
  const bool function = macro == atoms::FUNCTION_NAME || macro == atoms::FUNCTION_ARITY;
  if (!function && macro != atoms::LINE_) return false;
  Token value = name;
  value.flags = 0;
  if (function) {
    if (finding_head_) {  // stays as it is; it is not part of the head's name
      out.push_back(question);
      out.push_back(name);
      return true;
    }
    const FunctionHead* head = function_head(name);
    if (!head) return true;
    const bool is_name = macro == atoms::FUNCTION_NAME;
    value.kind = is_name ? TokenKind::Atom : TokenKind::Integer;
    value.value = is_name ? head->name.id() : head->arity;
  } else {
    value.kind = TokenKind::Integer;
    value.value = unit_.otp_position(anchor_of(name)).line;
  }
  const uint32_t expansion = add_expansion(question, name, name, {});
  out.push_back(in_expansion(value, expansion, anchor_of(name)));
  out.back().length = 0;
  unit_.expanded.back().written = {};
  return true;
}

void MacroExpander::expand_use(const Token& question, const Token& name) {
  const Atom macro = name.atom();
  collect_arguments();
  if (module_budget_.is_used_up()) return fail_too_large(name);
  if (arguments_.bad) {
    return fail(name, fmt::format("badly formed arguments of ?{}", macro.text()));
  }
  const int arity = arguments_.arity();
  const int found = macros_.find(macro, arity);
  if (found < 0) {
    if (macros_.find(macro) >= 0) {
      return fail(name, fmt::format("?{} is not defined with {} arguments", macro.text(),
                                    std::max(arity, 0)));
    }
    fail(name, fmt::format("undefined macro {}", macro_name(macro, arity)));
    error_->undefined = true;
    return;
  }
  if (const auto cycle = macros_.find_cycle(found, module_budget_.steps)) {
    return fail(name, fmt::format("{} expands to itself", macro_name(cycle->name, cycle->arity)));
  }
  const Macro& definition = macros_[found];
  const bool with_arguments = definition.arity != Macro::kNoArguments;
  if (with_arguments && arguments_.has_empty) {
    return fail(name, fmt::format("an argument of ?{} is empty", macro.text()));
  }
  const Token& last = with_arguments ? next_token(arguments_.close) : name;
  const uint32_t expansion = add_expansion(question, name, last, definition.definition);
  const size_t after = with_arguments ? todo_.size() - 1 - arguments_.close : todo_.size();
  body_.clear();
  push_body(definition, name, expansion);
  if (error_) return;
  todo_.resize(after);
  if (!with_arguments) todo_.push_back(Token{});  // the barrier
  todo_.insert(todo_.end(), body_.rbegin(), body_.rend());
}

// The body with its parameters replaced, into body_.
void MacroExpander::push_body(const Macro& macro, const Token& name, uint32_t expansion) {
  Loc anchor = anchor_of(name);
  const bool few = macro.parameters.size() <= kFewParameters;
  if (!few) {
    parameters_.clear();
    for (size_t i = 0; i < macro.parameters.size(); ++i) parameters_[macro.parameters[i]] = i;
  }
  auto parameter = [&](const Token& t) -> const MacroArguments::Range* {
    if (t.kind != TokenKind::Var) return nullptr;
    if (!few) {
      const auto found = parameters_.find(t.atom());
      return found == parameters_.end() ? nullptr : &arguments_.ranges[found->second];
    }
    for (size_t i = 0; i < macro.parameters.size(); ++i) {
      if (macro.parameters[i] == t.atom()) return &arguments_.ranges[i];
    }
    return nullptr;
  };
  const size_t room = std::min(budget_, module_budget_.tokens);
  size_t text_tokens = 0;
  for (size_t i = 0; i < macro.body.size(); ++i) {
    const Token& t = macro.body[i];
    const bool two = t.kind == TokenKind::Question && i + 2 < macro.body.size() &&
                     macro.body[i + 1].kind == TokenKind::Question &&
                     macro.body[i + 2].kind == TokenKind::Var;
    if (two) {
      i += 2;
      Token string = macro.body[i];
      if (const auto* argument = parameter(string)) {
        string.kind = TokenKind::String;
        std::string text = stringify(*argument);
        text_tokens += text.size() / kTokenBytes;
        string.value = literals_.add_owned_string(std::move(text));
      }
      body_.push_back(in_expansion(string, expansion, anchor));
    } else if (const auto* argument = parameter(t)) {
      for (size_t at = argument->begin; at < argument->end; ++at) body_.push_back(next_token(at));
      anchor = anchor_of(body_.back());
    } else {
      body_.push_back(in_expansion(t, expansion, anchor));
    }
    if (body_.size() + text_tokens > room) {
      module_budget_.tokens -= room;
      return fail_too_large(name);
    }
  }
  budget_ -= body_.size() + text_tokens;
  module_budget_.tokens -= body_.size() + text_tokens;
}

Token MacroExpander::in_expansion(const Token& t, uint32_t expansion, Loc anchor) {
  Token token = t;
  token.loc = Loc::expanded(static_cast<uint32_t>(unit_.expanded.size()));
  const Span written =
      t.loc.is_text() ? Span{t.loc, t.loc.plus(t.length)} : unit_.expanded[t.loc.index()].written;
  unit_.expanded.push_back({anchor, written, expansion});
  return token;
}

uint32_t MacroExpander::add_expansion(const Token& question, const Token& name, const Token& last,
                                      Span definition) {
  Expansion expansion;
  expansion.macro = name.atom();
  expansion.definition = definition;
  if (question.loc.is_text()) {
    const Token& end = last.loc.is_text() && last.loc >= name.loc ? last : name;
    expansion.use = {question.loc,
                     end.loc.is_text() ? end.loc.plus(end.length) : question.loc.plus(1)};
    expansion.outermost = expansion.use;
  } else {
    const ExpandedToken& outer = unit_.expanded[question.loc.index()];
    expansion.parent = outer.expansion;
    expansion.outermost = unit_.expansions[outer.expansion].outermost;
    expansion.use = outer.written;
    if (!name.loc.is_text()) expansion.use.end = unit_.expanded[name.loc.index()].written.end;
  }
  unit_.expansions.push_back(expansion);
  return static_cast<uint32_t>(unit_.expansions.size() - 1);
}

void MacroExpander::collect_arguments() {
  scan_arguments(
      [this](size_t i) {
        return i < todo_.size() ? kind_in_arguments(next_token(i), maybe_blocks_) : TokenKind::End;
      },
      arguments_);
  module_budget_.steps += arguments_.close + 1;
}

std::string MacroExpander::stringify(MacroArguments::Range argument) const {
  std::string text;
  for (size_t at = argument.begin; at < argument.end; ++at) {
    if (!text.empty()) text += ' ';
    append_token(text, next_token(at), literals_);
  }
  return text;
}

// The name and arity of the function that the form defines, from its tokens:
// there is no tree yet.
const MacroExpander::FunctionHead* MacroExpander::function_head(const Token& macro) {
  if (head_) return &*head_;
  MacroExpander inner(macros_, unit_, literals_, module_budget_);
  inner.finding_head_ = true;
  inner.maybe_blocks_ = maybe_blocks_;
  std::vector<Token> tokens;
  if (inner.expand(form_, tokens)) {
    head_ = FunctionHead{atoms::underscore, 0};  // the error comes again where it belongs
    return &*head_;
  }
  const std::string_view text = macro.atom().text();
  if (tokens[0].kind == TokenKind::Question) {
    fail(macro, fmt::format("?{} must not begin a form", text));
    return nullptr;
  }
  if (tokens[0].kind != TokenKind::Atom || tokens[1].kind != TokenKind::LeftParen) {
    fail(macro, fmt::format("?{} can only be used within a function", text));
    return nullptr;
  }
  head_ = FunctionHead{tokens[0].atom(), count_parameters(std::span(tokens).subspan(2))};
  return &*head_;
}

}  // namespace fathom
