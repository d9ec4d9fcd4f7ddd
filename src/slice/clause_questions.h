// What the tests of a clause's patterns ask, of which part of which subject: so that clauses can be
// compared, though each has variables of its own.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/core.h"

namespace fathom::slice {

// What a test asks of the value at a path from a subject.
struct Question {
  enum class What : uint8_t { Else, Tuple, Cons, Map, Bits, Nil, Atom, Integer };
  core::NodeId node{};
  uint32_t path = 0;
  What what = What::Else;
  uint64_t detail = 0;  // the size, the atom, the number

  bool is_known() const { return what != What::Else; }
  bool is_same(const Question& other) const {
    return is_known() && path == other.path && what == other.what && detail == other.detail;
  }
  bool is_contrary(const Question& other) const {
    return is_known() && other.is_known() && path == other.path &&
           (what != other.what || detail != other.detail);
  }
};

// Paths are numbers, the same for all clauses that one object is asked about.
class Questions {
 public:
  explicit Questions(const core::Module& module) : module_(module) {}

  // Those of the clause's patterns, in order.
  std::vector<Question> of(core::NodeId clause);
  // The paths of the variables of the clause that was asked about last.
  const std::unordered_map<core::VarId, uint32_t>& paths() const { return paths_; }

 private:
  uint32_t path(core::VarId v);
  uint32_t below(uint32_t whole, uint32_t part);
  void part(core::VarId v, uint32_t whole, size_t index);
  Question question(core::NodeId n);

  const core::Module& module_;
  std::unordered_map<core::VarId, uint32_t> paths_;
  std::unordered_map<uint64_t, uint32_t> ids_;
};

}  // namespace fathom::slice
