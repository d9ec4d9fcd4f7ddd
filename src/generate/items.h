// What there is to cover: the clauses of the functions that a function can come to, within the
// modules of the project. They are read from compiled code, which reports each clause that is
// chosen (CodeMode::unknowns): what the compiler has decided is not an item.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <tuple>
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
  // Whether one of the functions has a receive.
  bool has_receive() const { return has_receive_; }
  // Whether one of the functions performs an event: sends, registers, puts, …
  bool has_effects() const { return has_effects_; }
  // The items among the clauses: their indices in ascending order, each once.
  std::vector<uint32_t> covered(std::span<const uint32_t> clauses) const;
  // How many calls lie between a function and one with a clause that is not covered, forth or back:
  // what is called now may return, and its caller come there. 0 also if there is none.
  int distance(const machine::Function& function, const std::set<uint32_t>& covered);
  // The clauses that are items, in the order in which they were chosen.
  std::vector<uint32_t> path(std::span<const uint32_t> clauses) const;

 private:
  using Name = std::tuple<Atom, Atom, uint32_t>;  // a machine has functions of its own
  static Name name_of(const machine::Function& f) { return {f.module, f.name, f.arity}; }
  void find_distances(const std::set<uint32_t>& covered);

  std::vector<Item> items_;
  bool has_receive_ = false;
  bool has_effects_ = false;
  std::vector<Name> owners_;                      // by item
  std::map<Name, std::vector<Name>> neighbours_;  // who calls, and is called
  std::map<Name, int> distances_;
  std::optional<size_t> covered_then_;  // when they were computed
  std::unordered_map<uint32_t, uint32_t> by_node_;
};

}  // namespace fathom::generate
