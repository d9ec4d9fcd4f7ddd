// A tree in one short line, for tables of tests: op{+ X call{f [1]}}. A node is its
// tag and its fields in braces; lists stand in brackets, a field that is not there
// is `-`, literals are as in source, names bare.
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/term_print.h"
#include "base/utf8.h"
#include "syntax/unit.h"

namespace fathom {

inline std::string terse(const Unit& unit, NodeId id);

inline std::string terse_list(const Unit& unit, ListId list) {
  std::string out = "[";
  for (const NodeId child : unit.ast.list(list)) {
    if (out.size() > 1) out += ' ';
    out += terse(unit, child);
  }
  return out + "]";
}

inline std::string terse_guard(const Unit& unit, ListId guard) {
  std::string out = "[";
  for (const ListId alternative : unit.ast.guard(guard)) {
    if (out.size() > 1) out += ' ';
    out += terse_list(unit, alternative);
  }
  return out + "]";
}

inline std::string terse_leaf(const Unit& unit, NodeId id) {
  const Node& n = unit.ast[id];
  const uint32_t value = unit.ast.slot(id, 0);
  std::string out;
  switch (n.kind) {
    case NodeKind::Atom:
      append_atom(out, Atom(value));
      break;
    case NodeKind::Var:
      out = Atom(value).text();
      break;
    case NodeKind::Integer:
      out = n.flags & Node::kPooled ? unit.literals().integers[value] : std::to_string(value);
      break;
    case NodeKind::Char:
      out = "$";
      append_utf8(out, value);
      break;
    case NodeKind::Float:
      append_float(out, unit.literals().floats[value]);
      break;
    default:
      append_quoted_string(out, unit.literals().strings[value]);
      break;
  }
  return out;
}

// Recursive: for trees that a person wrote.
inline std::string terse(const Unit& unit, NodeId id) {
  if (!exists(id)) return "-";
  const Node& n = unit.ast[id];
  if (n.kind <= NodeKind::String) return terse_leaf(unit, id);
  const NodeSchema& schema = schema_of(n.kind);
  std::string out(schema.tag);
  out += '{';
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const uint32_t value = unit.ast.slot(id, i);
    if (i > 0) out += ' ';
    switch (schema.fields[i].kind) {
      case FieldKind::One:
      case FieldKind::Opt:
        out += terse(unit, NodeId{value});
        break;
      case FieldKind::Many:
        out += terse_list(unit, ListId{value});
        break;
      case FieldKind::Guard:
        out += terse_guard(unit, ListId{value});
        break;
      case FieldKind::Atom:
        out += Atom(value).text();
        break;
      case FieldKind::Num:
        out += std::to_string(value);
        break;
    }
  }
  return out + '}';
}

}  // namespace fathom
