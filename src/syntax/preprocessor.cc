#include "syntax/preprocessor.h"

#include <fmt/format.h>
#include <unistd.h>

#include "syntax/condition.h"
#include "syntax/lexer.h"
#include "syntax/paths.h"

namespace fathom {
namespace {

constexpr size_t kTooManyErrors = 10'000;  // this is no Erlang

}  // namespace

TokenCache::Entry& TokenCache::open(const std::string& path) {
  auto [at, added] = entries_.try_emplace(path);
  Entry& entry = at->second;
  if (!added) return entry;
  if (const auto file = load(path, entry)) {
    entry.tokens = std::make_unique<TokenBuffer>(lex(sources_, *file, literals_));
  }
  return entry;
}

std::optional<FileId> TokenCache::load(const std::string& path, Entry& entry) {
  Result<FileId> file = Error{};
  if (source_) {
    std::optional<std::string> text = source_(path);
    entry.exists = text.has_value();
    if (text) file = sources_.add_source(path, std::move(*text));
  } else {
    entry.exists = is_regular_file(path);
    if (entry.exists) file = sources_.load(path);
  }
  if (file) return *file;
  entry.error = file.error().message;
  return std::nullopt;
}

const std::string& TokenCache::find(const std::string& name,
                                    const std::vector<std::string>& directories) {
  if (directories != directories_) {
    directories_ = directories;
    found_.clear();
  }
  const auto [at, added] = found_.try_emplace(name);
  if (!added) return at->second;
  for (const std::string& directory : directories) {
    std::string path = join_paths(directory, name);
    if (!open(path).exists) continue;
    at->second = std::move(path);
    break;
  }
  return at->second;
}

Preprocessor::Preprocessor(TokenCache& cache, MacroTable& macros, Literals& literals, Unit& unit,
                           const ReadOptions& options, const Prelude& prelude,
                           Diagnostics& diagnostics)
    : cache_(cache),
      macros_(macros),
      literals_(literals),
      unit_(unit),
      options_(options),
      prelude_(prelude),
      diagnostics_(diagnostics),
      parser_(unit, literals, diagnostics),
      expander_(macros, unit, literals, macro_budget_),
      maybe_enabled_(options.otp_release >= 27) {
  macros_.clear();
  define_all(prelude_.common, true);
  define_features();
}

void Preprocessor::run(const TokenBuffer& main, const std::string& name) {
  File file{&main, &definitions_, name, name, directory_of(name), {}, diagnostics_.mark()};
  const Loc start = unit_.sources().start(main.file);
  files_.push_back(&file);
  set_macro(atoms::FILE_, {TokenKind::String, 0, {}, 0, literals_.add_owned_string(name)});
  add_file_attribute(start, name, 1, false);
  read(file);
  files_.pop_back();
  if (hidden_undefined_ > 0) {
    diagnostics_.warning(
        missing_include_,
        fmt::format("{} uses of undefined macros are not shown: the missing header may define them",
                    hidden_undefined_));
  }
  unit_.ast.add_form(unit_.ast.add(NodeKind::Eof, main.end, main.end, main.end, {}));
}

void Preprocessor::read(File& file) {
  unit_.bytes_read += unit_.sources().text(file.buffer->file).size();
  unit_.tokens_read += file.buffer->tokens.size() - file.buffer->forms.size();
  const auto& forms = file.buffer->forms;
  for (size_t i = 0; i < forms.size(); ++i) {
    form(forms[i], i);
    if (leave_to_ || diagnostics_.error_count() >= kTooManyErrors) return;
  }
  report_unclosed(file);
}

void Preprocessor::form(const TokenForm& form, size_t index) {
  if (const Macro* known = file().definitions->find(index)) {
    if (!file().skipping() && may_define(*known)) macros_.define(*known);
    return;
  }
  const Form tokens = std::span(file().buffer->tokens).subspan(form.first, form.count);
  const bool starts_with_minus = form.count >= 2 && tokens[0].kind == TokenKind::Minus;
  if (starts_with_minus && conditional(tokens)) return;
  if (file().skipping()) return;
  if (form.flags & TokenForm::kHasError) {
    const auto& errors = file().buffer->errors;
    const auto found = std::lower_bound(errors.begin(), errors.end(), index,
                                        [](const TokenError& e, size_t i) { return e.form < i; });
    return error(found->span, found->message);
  }
  if (starts_with_minus && directive(tokens, form, index)) return;
  ordinary_form(form, tokens);
}

void Preprocessor::ordinary_form(const TokenForm& form, Form tokens) {
  const Token* first = tokens.data();
  const bool feature_word = maybe_enabled_ && form.flags & TokenForm::kHasFeatureWord;
  if (form.flags & TokenForm::kHasMacro || feature_word) first = expanded(tokens);
  if (!first) return;
  if (in_prefix_) {
    in_prefix_ = first[0].kind == TokenKind::Minus && first[1].is_atom(atoms::module);
  }
  unit_.ast.add_form(parser_.parse_form(first));
  note_module(first);
}

// ?MODULE is known from the tokens of -module(name on, whatever the parser says.
void Preprocessor::note_module(const Token* t) {
  if (t[0].kind != TokenKind::Minus || t[1].kind != TokenKind::Atom ||
      t[2].kind != TokenKind::LeftParen || t[3].kind != TokenKind::Atom) {
    return;
  }
  const bool module = t[1].atom() == atoms::module &&
                      (t[4].kind == TokenKind::RightParen || t[4].kind == TokenKind::Comma);
  const bool extends = t[1].atom() == atoms::extends && t[4].kind == TokenKind::RightParen;
  if (!module && !extends) return;
  Token name = t[3];
  name.length = 0;
  name.loc = {};
  set_macro(module ? atoms::MODULE : atoms::BASE_MODULE, name);
  name.kind = TokenKind::String;
  name.flags = 0;
  name.value = literals_.add_string(t[3].atom().text());
  set_macro(module ? atoms::MODULE_STRING : atoms::BASE_MODULE_STRING, name);
}

void Preprocessor::set_macro(Atom name, Token value) {
  values_.push_back(value);
  Macro macro;
  macro.name = name;
  macro.body = {&values_.back(), 1};
  macros_.undefine(name);
  macros_.define(definitions_.add(std::move(macro)));
}

const Token* Preprocessor::expanded(Form tokens) {
  if (auto failure = expander_.expand(tokens, expanded_)) {
    const bool hidden = failure->undefined && missing_include_.begin;
    hidden_undefined_ += hidden;
    if (hidden || failure->repeated) {
      add_error_form(span_of(failure->at), std::move(failure->message), anchor_of(failure->at));
    } else {
      error(failure->at, std::move(failure->message));
    }
    return nullptr;
  }
  return expanded_.data();
}

bool Preprocessor::is_defined(Atom name) const {
  return macros_.find(name) >= 0 || name == atoms::LINE_;
}

// --- helpers

void Preprocessor::add_file_attribute(Loc anchor, const std::string& name, uint32_t line,
                                      bool generated) {
  Ast& ast = unit_.ast;
  const NodeId string =
      ast.add(NodeKind::String, anchor, anchor, anchor, {literals_.add_owned_string(name)});
  const NodeId number = ast.add(NodeKind::Integer, anchor, anchor, anchor, {line});
  const NodeId values[] = {string, number};
  ast.add_form(ast.add(NodeKind::Attribute, anchor, anchor, anchor,
                       {field(atoms::file), field(ast.add_list(values))},
                       generated ? Node::kGenerated : 0));
}

Span Preprocessor::span_of(const Token& at) const {
  if (at.loc.is_text()) return {at.loc, at.loc.plus(at.length)};
  return unit_.expansions[unit_.expanded[at.loc.index()].expansion].outermost;
}

Loc Preprocessor::anchor_of(const Token& at) const {
  return at.loc.is_text() ? at.loc : unit_.expanded[at.loc.index()].anchor;
}

void Preprocessor::error(const Token& at, std::string message) {
  error(span_of(at), std::move(message), anchor_of(at));
}

void Preprocessor::error(Span span, std::string message, Loc anchor) {
  diagnostics_.error(span, message);
  add_error_form(span, std::move(message), anchor);
}

void Preprocessor::add_error_form(Span span, std::string message, Loc anchor) {
  unit_.has_errors = true;
  unit_.form_messages.push_back({span, std::move(message)});
  const auto index = static_cast<uint32_t>(unit_.form_messages.size() - 1);
  unit_.ast.add_form(unit_.ast.add(NodeKind::ErrorForm, span.begin, span.end,
                                   anchor ? anchor : span.begin, {index}));
}

}  // namespace fathom
