// What there is to cover: the clauses of the functions that a function can come to, within the
// modules of the project. They are read from compiled code, which reports each clause that is
// chosen (CodeMode::unknowns): what the compiler has decided is no item.
#pragma once

#include <set>
#include <unordered_map>
#include <vector>

#include "generate/options.h"
#include "machine/machine.h"
#include "session/session.h"

namespace fathom::generate {

class Items {
 public:
  // `own`: the modules that count. The function must be there.
  Items(machine::Machine& m, session::Session& session, machine::Function& function,
        const std::set<Atom>& own);

  const std::vector<Item>& all() const { return items_; }
  // The items among the clauses: their indices in ascending order, each once.
  std::vector<uint32_t> covered(std::span<const uint32_t> clauses) const;
  // The clauses that are items, in the order in which they were chosen.
  std::vector<uint32_t> path(std::span<const uint32_t> clauses) const;

 private:
  std::vector<Item> items_;
  std::unordered_map<uint32_t, uint32_t> by_node_;
};

}  // namespace fathom::generate
