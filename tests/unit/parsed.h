// A text, read: what the tests of all that works on trees start from.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "syntax/reader.h"

namespace fathom {

struct Parsed {
  std::unique_ptr<Reader> reader;
  Unit unit;
  std::string errors;  // rendered, empty if there are none

  const Ast& ast() const { return unit.ast; }

  // The forms of the text itself, without the -file that stands before them all
  // and the end of the file after them.
  std::span<const NodeId> forms() const {
    const std::span<const NodeId> all = unit.ast.forms();
    return all.size() < 2 ? all.subspan(0, 0) : all.subspan(1, all.size() - 2);
  }

  // The first expression of the first function.
  NodeId expression() const {
    for (const NodeId form : forms()) {
      if (!ast().is(form, NodeKind::Function)) continue;
      const auto function = ast().get<node::Function>(form);
      const auto clause = ast().get<node::Clause>(ast().list(function.clauses)[0]);
      return ast().list(clause.body)[0];
    }
    return kNoNode;
  }
};

inline Parsed parse_text(std::string text, const std::string& name = "test.erl") {
  auto reader = std::make_unique<Reader>();
  Unit unit = reader->make_unit();
  Diagnostics diagnostics;
  std::string errors;
  if (!reader->read_text(name, std::move(text), {}, unit, diagnostics) ||
      diagnostics.has_errors()) {
    for (const Diagnostic& d : diagnostics.all()) errors += render(d, reader->sources());
  }
  return {std::move(reader), std::move(unit), std::move(errors)};
}

}  // namespace fathom
