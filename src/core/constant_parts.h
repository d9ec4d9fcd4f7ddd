// The parts of constant data.
//
// `{ok, [1, 2]}` is one Literal: the machine builds it once. Analyses ask where a value
// inside it comes from, so each AST node below the literal's own that is a value is a part,
// and has a NodeId: here `ok`, the list, `1`, `2`. Parts are numbered after the nodes of the
// module, literal by literal, in the order of the text. A literal that is lowered twice (the
// default of a record's field) has parts of its own each time.
//
// Nothing is stored for a part: a module keeps one entry for each literal with parts, and the
// parts are found by a walk over the literal's AST. A walk over all parts of a literal is
// linear; a question about one part costs such a walk.
//
// Limits: the cells of a list are one part, and so are the characters of a string.
#pragma once

#include "core/core.h"

namespace fathom::core {

struct ConstantPart {
  NodeId id{};
  AstId origin = kNoNode;
  NodeId whole{};  // what it is directly part of: another part, or the literal
};

inline bool is_part(const Module& module, NodeId id) {
  return static_cast<size_t>(id) >= module.size();
}

// Those of a Literal, in ascending order of their ids; none for any other node.
std::vector<ConstantPart> parts_of(const Module& module, NodeId literal);
// The id must be that of a part.
NodeId literal_of(const Module& module, NodeId part);
// Of a node or of a part; kNoNode for a node that comes from no node of the AST.
AstId origin_of(const Module& module, NodeId id);
// Of a node or of a part.
FunctionId function_of(const Module& module, NodeId id);

// How many parts the AST of constant data has.
size_t count_parts(const Ast& ast, AstId constant);

}  // namespace fathom::core
