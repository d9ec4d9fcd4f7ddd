#include "syntax/consult.h"

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "syntax/abstract.h"
#include "syntax/lexer.h"
#include "syntax/parser.h"

namespace fathom {

Result<std::vector<Term>> consult(const std::string& name, std::string text, TermArena& arena) {
  auto decoded = decode_source(std::move(text));
  if (!decoded) return Error{fmt::format("{}: {}", name, decoded.error().message)};
  SourceMap sources;
  Literals literals;
  const auto file = sources.add(name, std::move(decoded->text), decoded->encoding);
  if (!file) return Error{fmt::format("{}: {}", name, file.error().message)};
  const TokenBuffer tokens = lex(sources, *file, literals);
  const auto at = [&](Loc place, const std::string& message) {
    const LineColumn where = sources.line_column(place);
    return Error{fmt::format("{}:{}:{}: {}", name, where.line, where.column, message)};
  };
  if (!tokens.errors.empty()) return at(tokens.errors[0].span.begin, tokens.errors[0].message);

  std::vector<Term> terms;
  Unit unit(sources, literals);
  for (const TokenForm& form : tokens.forms) {
    Diagnostics diagnostics;
    Parser parser(unit, literals, diagnostics);
    const auto expressions = parser.parse_expressions(&tokens.tokens[form.first]);
    if (parser.failed()) {
      const Diagnostic& first = diagnostics.all()[0];
      return at(first.span.begin, first.message);
    }
    if (expressions.size() != 1)
      return at(tokens.tokens[form.first].loc, "expected one term before the full stop");
    auto term = constant_value(unit, expressions[0], arena, NameArity::Refused);
    if (!term) return at(tokens.tokens[form.first].loc, term.error().message);
    terms.push_back(*term);
  }
  return terms;
}

Result<std::vector<Term>> consult_file(const std::string& path, TermArena& arena) {
  auto bytes = read_file(path);
  if (!bytes) return Error{fmt::format("{}: {}", path, bytes.error().message)};
  return consult(path, std::move(*bytes), arena);
}

}  // namespace fathom
