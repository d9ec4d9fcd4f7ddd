// The tree as Erlang source that people like to read: four columns of
// indentation, lines of up to about 90, a blank line between functions, a spec
// right above its function.
//
// What is printed reads back as the same tree up to places, whatever the release
// that reads it (find_difference in syntax/compare.h is the judge). Parentheses
// stand where the grammar needs them, and around what it would accept bare but
// older releases or people do not: a `catch` or an `=` as an operand, a fun that
// is called on the spot.
//
// Limits: macros are expanded and comments are gone, as in the tree. What has no
// text in Erlang is printed as well as may be: variables of parse transforms
// whose names are none (rec0) print as they are and read back as atoms.
#pragma once

#include <cstdint>
#include <string>

#include "syntax/unit.h"

namespace fathom {

// All forms. Reading the text gives them again after the -file attribute that
// every reader puts first. Errors and warnings are comments.
std::string print_unit(const Unit& unit);

// One form, with its full stop and newline.
std::string print_form(const Unit& unit, NodeId form);

// Any node below a form, without a newline at the end: an expression, a pattern,
// a type, a clause.
std::string print_expr(const Unit& unit, NodeId node);

// $a, $\n, $\s
void append_character(std::string& out, uint32_t code_point);

}  // namespace fathom
