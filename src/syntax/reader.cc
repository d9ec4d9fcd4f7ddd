#include "syntax/reader.h"

#include <fmt/format.h>

#include <map>

#include "syntax/lexer.h"
#include "syntax/preprocessor.h"

namespace fathom {

struct Reader::State {
  SourceMap sources;
  Literals literals;
  TokenCache headers{sources, literals};
  MacroTable macros;
  TokenBuffer main_tokens;               // of the module being read
  std::map<uint32_t, Prelude> preludes;  // by release
  std::map<std::pair<std::string, std::string>, TokenBuffer> command_line;

  TokenBuffer lex_text(const char* name, std::string text) {
    const auto file = sources.add(name, std::move(text));
    return file ? lex(sources, *file, literals) : TokenBuffer{};
  }

  const Prelude& prelude(uint32_t release) {
    const auto [at, added] = preludes.try_emplace(release);
    if (added) {
      at->second.common = lex_text(
          "predefined", fmt::format("-define(MACHINE, 'BEAM').\n"
                                    "-define('BEAM', true).\n"
                                    "-define(OTP_RELEASE, {}).\n"
                                    "-define(FEATURE_AVAILABLE(X), ((X) == maybe_expr)).\n",
                                    release));
      at->second.maybe_enabled =
          lex_text("predefined", "-define(FEATURE_ENABLED(X), ((X) == maybe_expr)).\n");
      at->second.maybe_disabled = lex_text("predefined", "-define(FEATURE_ENABLED(X), false).\n");
    }
    return at->second;
  }

  // -D NAME=VALUE as the -define that it amounts to.
  const TokenBuffer& definition(const MacroDefinition& macro) {
    const auto [at, added] = command_line.try_emplace({macro.name, macro.value});
    if (added) {
      at->second =
          lex_text("command line", fmt::format("-define('{}', {}).\n", macro.name,
                                               macro.value.empty() ? "true" : macro.value));
    }
    return at->second;
  }

  void read(FileId file, const std::string& name, const ReadOptions& options, Unit& unit,
            Diagnostics& diagnostics) {
    TokenBuffer& tokens = main_tokens;
    lex(sources, file, literals, tokens);
    unit.file = file;
    unit.comments = tokens.comments;
    Preprocessor preprocessor(headers, macros, literals, unit, options,
                              prelude(options.otp_release), diagnostics);
    for (const MacroDefinition& macro : options.macros)
      preprocessor.define_all(definition(macro), false);
    preprocessor.run(tokens, name);
  }
};

Reader::Reader() : state_(std::make_unique<State>()) {}
Reader::~Reader() = default;

const SourceMap& Reader::sources() const { return state_->sources; }
SourceMap& Reader::sources() { return state_->sources; }
Literals& Reader::literals() { return state_->literals; }
const Literals& Reader::literals() const { return state_->literals; }

Unit Reader::make_unit() const { return Unit(state_->sources, state_->literals); }

void Reader::read_headers_from(HeaderSource source) {
  state_->headers.set_source(std::move(source));
}

bool Reader::read_source(const std::string& path, const ReadOptions& options, Unit& unit,
                         Diagnostics& diagnostics) {
  unit.clear();
  unit.path = path;
  const auto file = state_->sources.load(path);
  if (!file) {
    diagnostics.file_error(path, file.error().message);
    return false;
  }
  state_->read(*file, path, options, unit, diagnostics);
  return true;
}

bool Reader::read_text(const std::string& name, std::string text, const ReadOptions& options,
                       Unit& unit, Diagnostics& diagnostics) {
  unit.clear();
  unit.path = name;
  const auto file = state_->sources.add_source(name, std::move(text));
  if (!file) {
    diagnostics.file_error(name, file.error().message);
    return false;
  }
  state_->read(*file, name, options, unit, diagnostics);
  return true;
}

}  // namespace fathom
