// Core as text: one node a line, what it holds indented below it.
//
//   f/2 exported
//     entry %0 %1
//     %5 = case
//       clause
//         match_tuple %0 {%2 _}
//         match_literal %2 ok
//         X = bind %1
//       ->
//         %4 = call_remote erlang:'+' X %3
//
// A variable of the source has its name, with its number if the function has
// several of that name; one of ours is %number. `?` after a tag: the node is in a
// guard.
#pragma once

#include <string>

#include "core/core.h"

namespace fathom::core {

void dump(const Module& module, std::string& out);

}  // namespace fathom::core
