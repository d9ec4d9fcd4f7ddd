// The tree and OTP's abstract format, both ways.
//
// to_abstract gives a form exactly as epp:parse_file/2 gives it with columns;
// from_abstract reads such forms, from debug info or from a parse transform. What
// goes through both is the same, up to what OTP itself does not keep (the extents
// of nodes, where macros were used).
//
// Both work on explicit stacks: terms and trees may be deep. from_abstract trusts
// nothing: a term that is not a form is an error that says which part is wrong.
#pragma once

#include "base/result.h"
#include "base/term.h"
#include "syntax/unit.h"

namespace fathom {

enum class Columns : uint8_t { Kept, Dropped };
Term to_abstract(const Unit& unit, NodeId id, TermArena& arena, Columns columns = Columns::Kept);

// What name/arity is worth: in attributes {name, arity} (but not in the keys of
// maps), elsewhere it is not a constant.
enum class NameArity : uint8_t { Pair, Refused };

// The value of a constant expression, as erl_parse:normalise/1. An error if it is
// no constant.
Result<Term> constant_value(const Unit& unit, NodeId id, TermArena& arena, NameArity name_arity);

// The other way: an expression whose value is the term, all of it at one place.
// An error if there is none, as for a pid.
Result<NodeId> add_constant(Term term, Loc anchor, Unit& unit, Literals& literals);

// Adds a form to the unit's tree.
Result<NodeId> from_abstract(Term form, Unit& unit, Literals& literals);

}  // namespace fathom
