// Which node an instruction comes from: a table beside the code of a function, made only in
// the mode that asks for it (code_mode.h).
//
// It has each instruction that builds or tests a value. A Load has the Literal that is loaded;
// a table jump, which makes tests of several clauses at once, its Case; an operand of a
// Binary that several constant segments make up, the Binary. Moves, jumps and returns have no
// entry, for they only take values on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/core.h"

namespace fathom::machine {

class NodeTable {
 public:
  // In ascending order of the offsets, in words of the function's code.
  void add(uint32_t offset, core::NodeId node) { entries_.push_back({offset, node}); }

  // Of the instruction at that offset. O(log instructions).
  std::optional<core::NodeId> find(uint32_t offset) const {
    const auto at = std::ranges::lower_bound(entries_, offset, {}, &Entry::offset);
    if (at == entries_.end() || at->offset != offset) return std::nullopt;
    return at->node;
  }
  bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    uint32_t offset;
    core::NodeId node;
  };
  std::vector<Entry> entries_;
};

}  // namespace fathom::machine
