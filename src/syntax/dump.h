// The tree laid open, for people (text) and programs (JSON). Both go by the
// schema of nodes.def, so they show every node of every kind and cannot fall
// after it; both walk with an explicit stack and are linear in the tree.
//
// The text has one node a line, its children indented below it:
//
//   function 3:1-4:10 add/2
//     clause 3:1-4:10
//       patterns
//         var 3:5-3:6 X
//         var 3:8-3:9 Y
//       body
//         op 4:5-4:10 +
//           var 4:5-4:6 X
//           var 4:9-4:10 Y
//
// First the kind, then where it stands in the author's text (with the file where
// that is not its form's; @line:column from debug info), then its own name or
// value. `in ?NAME` marks what came out of a macro, and `(written …)` says where
// in the macro's definition it was written. A field has a line with its name
// only where the children could not be told apart without it.
//
// Below kMaxIndent levels the indentation stays the same and each line starts
// with its depth in brackets: a chain of 100,000 operators is that deep.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "syntax/unit.h"

namespace fathom {

void dump_text(const Unit& unit, std::string& out);
// The same in pieces, for the text may be far larger than the tree.
void dump_text(const Unit& unit, const std::function<void(std::string_view)>& sink);

// One object; docs/json.md describes it, section `parse`.
void dump_json(const Unit& unit, JsonWriter& json);

}  // namespace fathom
