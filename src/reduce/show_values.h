// How a program shows the values of an expression or variable while it runs: text that is put
// into it, which calls fathom_criterion:seen/2 and changes nothing else.
//
// An expression is wrapped into the call. A variable of a pattern is shown when the pattern has
// matched: at the beginning of the clause's body, after the match, in a filter after the generator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/core.h"
#include "slice/unit_edits.h"

namespace fathom::reduce {

struct Insertion {
  uint32_t at = 0;  // in the text of the unit
  std::string text;
};

// The AST node above each, or none.
std::vector<core::AstId> parents_of(const Ast& ast);

// Of the node; `number` is what its values are shown with. An error: no call can stand there.
Result<std::vector<Insertion>> show_values(const Unit& unit,
                                           const std::vector<core::AstId>& parents,
                                           core::AstId node, size_t number);

}  // namespace fathom::reduce
