// The directives that are not conditionals: -define, -undef, -include, …
#include <fmt/format.h>

#include <cstdlib>
#include <unordered_set>

#include "syntax/abstract.h"
#include "syntax/paths.h"
#include "syntax/preprocessor.h"

namespace fathom {
namespace {

constexpr size_t kMaxIncludeDepth = 8;  // as in epp
// Headers that include each other several times each multiply; no honest module
// comes near these.
constexpr size_t kMaxIncluded = 10'000;
constexpr size_t kMaxIncludedBytes = 256 << 20;

bool is_name(const Token& t) { return t.kind == TokenKind::Atom || t.kind == TokenKind::Var; }

// Macros that no -define may define.
bool is_reserved_macro(Atom name) {
  switch (name.id()) {
    case atoms::FILE_.id():
    case atoms::LINE_.id():
    case atoms::MODULE.id():
    case atoms::MODULE_STRING.id():
    case atoms::BASE_MODULE.id():
    case atoms::BASE_MODULE_STRING.id():
    case atoms::MACHINE.id():
    case atoms::BEAM.id():
    case atoms::FUNCTION_NAME.id():
    case atoms::FUNCTION_ARITY.id():
    case atoms::OTP_RELEASE.id():
      return true;
    default:
      return false;
  }
}

// $NAME/rest with the environment variable's value, as epp expands it.
std::string expand_variable(const std::string& name) {
  if (!name.starts_with('$')) return name;
  const size_t slash = std::min(name.find('/'), name.size());
  const char* value = std::getenv(name.substr(1, slash - 1).c_str());
  if (!value) return name;
  return slash == name.size() ? value : join_paths(value, name.substr(slash + 1));
}

}  // namespace

// Whether the form is a directive; if so it has been obeyed.
bool Preprocessor::directive(Form tokens, const TokenForm& form, size_t index) {
  if (tokens[1].kind != TokenKind::Atom) return false;
  switch (tokens[1].value) {
    case atoms::define.id():
      define_directive(tokens, index);
      return true;
    case atoms::undef.id():
      in_prefix_ = false;
      undef_directive(tokens);
      return true;
    case atoms::include.id():
      include_directive(tokens, form, false);
      return true;
    case atoms::include_lib.id():
      include_directive(tokens, form, true);
      return true;
    case atoms::error.id():
    case atoms::warning.id():
      in_prefix_ = false;
      message_directive(tokens, tokens[1].atom() == atoms::error);
      return true;
    case atoms::file.id():
      file_directive(tokens, form);
      return true;
    case atoms::feature.id():
      feature_directive(tokens);
      return true;
    default:
      return false;
  }
}

void Preprocessor::define_all(const TokenBuffer& definitions, bool predefined) {
  for (const TokenForm& form : definitions.forms) {
    Macro macro;
    if (!read_definition(std::span(definitions.tokens).subspan(form.first, form.count), macro))
      continue;
    if (!predefined && !may_define(macro)) continue;
    if (note_uses(macro)) macros_.define(definitions_.add(std::move(macro)));
  }
}

void Preprocessor::define_directive(Form tokens, size_t index) {
  Macro macro;
  if (!read_definition(tokens, macro) || !may_define(macro) || !note_uses(macro)) return;
  // Not all uses may have been noted if the budget is used up, which is so for this
  // module only.
  macros_.define(macro_budget_.is_used_up() ? definitions_.add(std::move(macro))
                                            : file().definitions->add(index, std::move(macro)));
}

// -define(NAME, body). or -define(NAME(P1, …), body).; false after an error.
bool Preprocessor::read_definition(Form tokens, Macro& macro) {
  const size_t n = tokens.size();
  if (n < 5 || tokens[2].kind != TokenKind::LeftParen || !is_name(tokens[3])) {
    bad_directive(tokens, {TokenKind::LeftParen, TokenKind::Var, TokenKind::Comma}, "(NAME, Body)");
    return false;
  }
  macro.name = tokens[3].atom();
  macro.definition = {tokens[3].loc, tokens[3].loc.plus(tokens[3].length)};
  size_t at = 4;
  if (tokens[4].kind == TokenKind::LeftParen && !parameters(tokens, &at, macro)) return false;
  if (at >= n || tokens[at].kind != TokenKind::Comma) {
    error(tokens[std::min(at, n - 1)], "badly formed -define: a comma must follow the name");
    return false;
  }
  ++at;
  if (tokens[n - 1].kind != TokenKind::Dot) {
    error(tokens[n - 1], "the file ends inside this -define");
    return false;
  }
  if (n - 2 < at || tokens[n - 2].kind != TokenKind::RightParen) {
    error(tokens[n - 1], "badly formed -define: the closing parenthesis is missing");
    return false;
  }
  macro.body = tokens.subspan(at, n - 2 - at);
  return true;
}

// Whether nothing forbids the definition; false after an error.
bool Preprocessor::may_define(const Macro& macro) {
  if (is_reserved_macro(macro.name)) {
    error(macro.definition,
          fmt::format("?{} is predefined and cannot be defined", macro.name.text()));
    return false;
  }
  for (int i = macros_.find(macro.name); i >= 0; i = macros_.next(i)) {
    if (macros_[i].arity != macro.arity) continue;
    error(macro.definition,
          fmt::format("?{} is defined already; -undef it first", macro.name.text()));
    return false;
  }
  return true;
}

// The parameters, from the parenthesis at *at to after the closing one.
bool Preprocessor::parameters(Form tokens, size_t* at, Macro& macro) {
  size_t i = *at + 1;
  const auto bad = [&](size_t where) {
    error(tokens[std::min(where, tokens.size() - 1)],
          "badly formed -define: parameters are variables separated by commas");
    return false;
  };
  if (i < tokens.size() && tokens[i].kind == TokenKind::RightParen) {
    ++i;
  } else {
    std::unordered_set<Atom> seen;
    while (true) {
      // Behind a comma the comma is OTP's place.
      if (i + 1 >= tokens.size() || tokens[i].kind != TokenKind::Var)
        return bad(i - (macro.parameters.empty() ? 0 : 1));
      if (!seen.insert(tokens[i].atom()).second) {
        error(tokens[i], fmt::format("the parameter {} occurs twice", tokens[i].atom().text()));
        return false;
      }
      macro.parameters.push_back(tokens[i].atom());
      const TokenKind next = tokens[i + 1].kind;
      i += 2;
      if (next == TokenKind::RightParen) break;
      if (next != TokenKind::Comma) return bad(i - 1);
    }
  }
  macro.arity = static_cast<int>(macro.parameters.size());
  *at = i;
  return true;
}

// The macros that the body uses, for finding cycles.
bool Preprocessor::note_uses(Macro& macro) {
  for (size_t i = 0; i + 1 < macro.body.size(); ++i) {
    if (macro.body[i].kind != TokenKind::Question) continue;
    if (macro.body[i + 1].kind == TokenKind::Question) {
      ++i;
      continue;
    }
    if (!is_name(macro.body[i + 1])) continue;
    const auto arity =
        count_macro_arguments(macro.body.subspan(i + 2), maybe_blocks(), macro_budget_.steps);
    if (macro_budget_.is_used_up()) return true;  // no use will be expanded
    if (!arity) {
      error(macro.body[i + 1],
            fmt::format("badly formed arguments of ?{}", macro.body[i + 1].atom().text()));
      return false;
    }
    macro.uses.push_back({macro.body[i + 1].atom(), *arity});
  }
  return true;
}

void Preprocessor::undef_directive(Form tokens) {
  const bool ok = tokens.size() == 6 && tokens[2].kind == TokenKind::LeftParen &&
                  is_name(tokens[3]) && tokens[4].kind == TokenKind::RightParen &&
                  tokens[5].kind == TokenKind::Dot;
  if (!ok) {
    return bad_directive(
        tokens, {TokenKind::LeftParen, TokenKind::Var, TokenKind::RightParen, TokenKind::Dot},
        "(NAME)");
  }
  macros_.undefine(tokens[3].atom());
}

void Preprocessor::include_directive(Form tokens, const TokenForm& form, bool library) {
  std::string name;
  size_t at = 3;
  while (at < tokens.size() && tokens[at].kind == TokenKind::String) {
    name += literals_.strings[tokens[at++].value];
  }
  const bool ok = tokens.size() == at + 2 && at > 3 && tokens[2].kind == TokenKind::LeftParen &&
                  tokens[at].kind == TokenKind::RightParen && tokens[at + 1].kind == TokenKind::Dot;
  if (!ok) {
    return bad_directive(
        tokens, {TokenKind::LeftParen, TokenKind::String, TokenKind::RightParen, TokenKind::Dot},
        "(\"file.hrl\")");
  }
  if (!may_include(span_of(tokens[3]))) return;
  const std::string path = find_include(expand_variable(name), library);
  if (path.empty()) {
    if (!missing_include_.begin) missing_include_ = span_of(tokens[3]);
    return error(tokens[3], library ? fmt::format("can't find include lib \"{}\"", name)
                                    : fmt::format("can't find include file \"{}\"", name));
  }
  TokenCache::Entry& entry = cache_.open(path);
  if (!entry.tokens) return error(tokens[3], fmt::format("{}: {}", path, entry.error));
  enter(path, entry, form, span_of(tokens[3]));
}

// Whether there is room for one more header.
bool Preprocessor::may_include(Span at) {
  if (!may_include_) return false;
  if (unit_.included.size() >= kMaxIncluded || included_bytes_ > kMaxIncludedBytes) {
    may_include_ = false;
    error(at, included_bytes_ > kMaxIncludedBytes
                  ? fmt::format("this module includes more than {} MB of headers",
                                kMaxIncludedBytes >> 20)
                  : fmt::format("this module includes more than {} headers", kMaxIncluded));
    missing_include_ = at;
    leave_to_ = 1;
    return false;
  }
  if (files_.size() <= kMaxIncludeDepth) return true;
  const std::optional<size_t> again = included_again();
  if (!again) {
    error(at, fmt::format("headers include headers more than {} deep", kMaxIncludeDepth));
    return false;
  }
  // What the file's second reading said is of no interest; the first one goes on
  // as if it had not asked for it.
  const File& file = *files_[*again];
  diagnostics_.rewind(file.errors_before);
  error(file.included_at, fmt::format("{} includes itself without end", file.name));
  leave_to_ = *again;
  return false;
}

// The outermost open file that was open already when it was included.
std::optional<size_t> Preprocessor::included_again() const {
  const SourceMap& sources = unit_.sources();
  for (size_t i = 1; i < files_.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      // By what they hold: paths with .. in them differ at each level.
      if (sources.text(files_[i]->buffer->file) == sources.text(files_[j]->buffer->file)) return i;
    }
  }
  return std::nullopt;
}

// The path under which the header is opened; empty if there is none.
std::string Preprocessor::find_include(const std::string& name, bool library) {
  if (is_absolute(name)) return cache_.open(name).exists ? name : "";
  std::string path = join_paths(file().directory, name);
  if (cache_.open(path).exists) return path;
  path = cache_.find(name, options_.include_dirs);
  if (!path.empty()) return path;
  if (!library || !options_.libraries) return "";
  const size_t slash = name.find('/');
  if (slash == std::string::npos) return "";
  const std::string directory = options_.libraries->library_dir(name.substr(0, slash));
  if (directory.empty()) return "";
  path = join_paths(directory, name.substr(slash + 1));
  return cache_.open(path).exists ? path : "";
}

void Preprocessor::enter(const std::string& path, TokenCache::Entry& header, const TokenForm& form,
                         Span at) {
  File& outer = file();
  const TokenBuffer& buffer = *header.tokens;
  File inner{&buffer, &header.definitions, path, path, directory_of(path), at, diagnostics_.mark()};
  unit_.included.push_back(buffer.file);
  included_bytes_ += unit_.sources().text(buffer.file).size();
  add_file_attribute(unit_.sources().start(buffer.file), path, 1, false);
  files_.push_back(&inner);
  set_macro(atoms::FILE_, {TokenKind::String, 0, {}, 0, literals_.add_owned_string(path)});
  read(inner);
  files_.pop_back();
  if (leave_to_ == files_.size()) leave_to_.reset();

  set_macro(atoms::FILE_,
            {TokenKind::String, 0, {}, 0, literals_.add_owned_string(outer.shown_name)});
  const LineColumn after = unit_.sources().line_column(form.after);
  if (outer.line_shift == 0 && outer.shown_name == outer.name) {
    return add_file_attribute(form.after, outer.name, after.line, false);
  }
  // epp goes back to the real line, then to the one that -file set.
  const Loc real = unit_.add_position({after.line, after.column, {}});
  add_file_attribute(real, outer.name, after.line, false);
  if (outer.shown_name != outer.name) {
    add_file_attribute(real, outer.shown_name, unit_.otp_position(form.after).line, true);
  }
}

// -error(Term). and -warning(Term).
void Preprocessor::message_directive(Form tokens, bool is_error) {
  const char* word = is_error ? "error" : "warning";
  if (tokens.size() < 4 || tokens[2].kind != TokenKind::LeftParen)
    return bad_directive(tokens, {TokenKind::LeftParen}, "(Term)");
  if (!is_constant(tokens.subspan(2))) {
    return error(tokens[1], fmt::format("badly formed -{0}: write -{0}(Term).", word));
  }
  const Span span{tokens[0].loc, tokens.back().loc};
  const std::string text(unit_.sources().slice(span));
  if (is_error) return error(span, text, tokens[1].loc);
  diagnostics_.warning(span, text);
  unit_.form_messages.push_back({span, text});
  const auto index = static_cast<uint32_t>(unit_.form_messages.size() - 1);
  unit_.ast.add_form(
      unit_.ast.add(NodeKind::WarningForm, span.begin, span.end, tokens[1].loc, {index}));
}

// Whether the tokens, macros expanded, are one constant term and a full stop.
bool Preprocessor::is_constant(Form tokens) {
  if (expander_.expand(tokens, expanded_)) return false;
  const Ast::Mark mark = unit_.ast.mark();
  Diagnostics ignored;
  const std::vector<NodeId> expressions =
      Parser(unit_, literals_, ignored).parse_expressions(expanded_.data());
  TermArena arena;
  const bool ok =
      expressions.size() == 1 && constant_value(unit_, expressions[0], arena, NameArity::Refused);
  unit_.ast.rewind(mark);
  return ok;
}

// -file("name", Line).: from here on OTP counts lines from Line and calls the
// file by that name.
void Preprocessor::file_directive(Form tokens, const TokenForm& form) {
  const Token* t = tokens.data();
  if (form.flags & TokenForm::kHasMacro) {
    t = expanded(tokens);
    if (!t) return;
  }
  std::string name;
  size_t at = 3;
  for (; t[at - 1].kind != TokenKind::End && t[at].kind == TokenKind::String; ++at) {
    name += literals_.strings[t[at].value];
  }
  const bool ok = t[2].kind == TokenKind::LeftParen && at > 3 && t[at].kind == TokenKind::Comma &&
                  t[at + 1].kind == TokenKind::Integer && !(t[at + 1].flags & Token::kPooled) &&
                  t[at + 2].kind == TokenKind::RightParen && t[at + 3].kind == TokenKind::Dot;
  if (!ok) {
    size_t count = 0;
    while (t[count].kind != TokenKind::End) ++count;
    return bad_directive({t, count},
                         {TokenKind::LeftParen, TokenKind::String, TokenKind::Comma,
                          TokenKind::Integer, TokenKind::RightParen, TokenKind::Dot},
                         "(\"name\", Line)");
  }
  const uint32_t line = t[at + 1].value;
  add_file_attribute(unit_.add_position(unit_.otp_position(tokens[1].loc)), name, line, true);
  file().shown_name = name;
  file().line_shift = static_cast<int64_t>(line) - unit_.sources().line_column(tokens[1].loc).line;
  unit_.line_shifts[form.after] = file().line_shift;
  set_macro(atoms::FILE_, {TokenKind::String, 0, {}, 0, literals_.add_owned_string(name)});
}

// -feature(name, enable | disable).
void Preprocessor::feature_directive(Form tokens) {
  const bool ok = tokens.size() == 8 && tokens[2].kind == TokenKind::LeftParen &&
                  tokens[3].kind == TokenKind::Atom && tokens[4].kind == TokenKind::Comma &&
                  tokens[5].kind == TokenKind::Atom && tokens[6].kind == TokenKind::RightParen &&
                  tokens[7].kind == TokenKind::Dot;
  if (ok && !in_prefix_) {
    return error(tokens[1], "-feature must stand before exports, records and functions");
  }
  if (!ok || (!tokens[5].is_atom(atoms::enable) && !tokens[5].is_atom(atoms::disable))) {
    return bad_directive(tokens, {}, "(name, enable)");
  }
  if (tokens[3].atom() != atoms::maybe_expr) {
    return error(span_of(tokens[3]), fmt::format("unknown feature `{}`", tokens[3].atom().text()),
                 tokens[1].loc);
  }
  maybe_enabled_ = tokens[5].atom() == atoms::enable;
  define_features();
}

// epp forgot `maybe` where it looks for the ends of arguments (erlang/otp#8268) until
// the last patches of OTP 25 and 26. Of 25 the first releases are followed, of 26 the
// last.
MaybeBlocks Preprocessor::maybe_blocks() const {
  return maybe_enabled_ && options_.otp_release >= 26 ? MaybeBlocks::Yes : MaybeBlocks::No;
}

// Brings all that depends on the features up to date.
void Preprocessor::define_features() {
  parser_.set_maybe_enabled(maybe_enabled_);
  expander_.enable_maybe(maybe_enabled_, maybe_blocks());
  macros_.undefine(atoms::FEATURE_ENABLED);
  define_all(maybe_enabled_ ? prelude_.maybe_enabled : prelude_.maybe_disabled, true);
}

}  // namespace fathom
