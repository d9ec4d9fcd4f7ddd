#include "expression.h"

#include <fmt/format.h>

namespace fathom {

Result<machine::ModuleSource::Found> read_expression(session::Library& library,
                                                     const std::string& expression,
                                                     Diagnostics& diagnostics) {
  std::string text = expression;
  while (!text.empty() &&
         (std::isspace(static_cast<unsigned char>(text.back())) || text.back() == '.')) {
    text.pop_back();
  }
  return library.from_text(
      "expression",
      fmt::format("-module({}). -export([{}/0]). {}() ->\n{}\n.\n", kExpressionModule,
                  kExpressionFunction, kExpressionFunction, text),
      diagnostics);
}

}  // namespace fathom
