// From a node, or a part of constant data, to its place in the source.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/place.h"
#include "core/core.h"

namespace fathom::core {

// What OTP's stack traces say of a node: the file of the last -file before its form, and the
// line of its anchor. Costs O(log(number of -file attributes)). The view is the module's.
struct FileLine {
  std::string_view file;
  uint32_t line = 0;
};
FileLine file_line(const Module& module, AstId node);
// None: the node comes from no node of the AST.
std::optional<FileLine> file_line(const Module& module, NodeId node);

// The same, and the node's span in the author's text. The first span that is asked for in a
// module with macros costs a walk over its AST. A node that comes from no node of the AST
// has only the module's file.
Place place_of(const Module& module, AstId node);
Place place_of(const Module& module, NodeId node);

}  // namespace fathom::core
