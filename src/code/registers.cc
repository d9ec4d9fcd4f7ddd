// Linear scan: variables in the order in which their ranges begin, each to the
// register where it is wanted, if that is free by then, or the lowest one that is. A
// register is free after the position of its variable's last use.
#include "code/registers.h"

#include <algorithm>
#include <queue>
#include <set>

namespace fathom::machine {

using core::VarId;

Result<Registers> assign_registers(const core::Module& module, const core::Function& function,
                                   const Liveness& liveness, const WantedRegisters& wanted) {
  Registers found;
  const size_t count = function.variables.size();
  found.of.assign(count, Registers::kNone);
  found.constants = liveness.constants;

  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < count; ++i) {
    const bool is_second_name = liveness.same_as[i] != VarId{i};
    const bool is_defined = liveness.ranges[i].first != UINT32_MAX;
    if (is_defined && !is_second_name && !liveness.constants[i]) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
    return liveness.ranges[x].first < liveness.ranges[y].first;
  });

  using InUse = std::pair<uint32_t, uint16_t>;  // until when, which
  std::priority_queue<InUse, std::vector<InUse>, std::greater<>> in_use;
  std::set<uint16_t> free;
  const auto entry = module.get<core::node::Entry>(module.nodes(function.body)[0]);
  for (const VarId v : module.vars(entry.parameters)) {
    const auto reg = static_cast<uint16_t>(found.count++);
    found.of[static_cast<size_t>(v)] = reg;
    in_use.emplace(liveness.ranges[static_cast<size_t>(v)].last, reg);
  }
  for (const uint32_t v : order) {
    if (found.of[v] != Registers::kNone) continue;
    const Liveness::Range& range = liveness.ranges[v];
    while (!in_use.empty() && in_use.top().first < range.first) {
      free.insert(in_use.top().second);
      in_use.pop();
    }
    // Those in front of one that is wanted are there, too.
    if (const auto at = wanted[v]; at && *at >= found.count && *at <= Registers::kMaxWanted) {
      while (found.count <= *at) free.insert(static_cast<uint16_t>(found.count++));
    }
    if (free.empty()) {
      if (found.count >= Registers::kNone - 300) return Error{"the function is too large"};
      free.insert(static_cast<uint16_t>(found.count++));
    }
    const auto at = wanted[v] ? free.find(static_cast<uint16_t>(*wanted[v])) : free.end();
    const auto chosen = at == free.end() ? free.begin() : at;
    const uint16_t reg = *chosen;
    free.erase(chosen);
    found.of[v] = reg;
    in_use.emplace(range.last, reg);
  }
  for (size_t i = 0; i < count; ++i) {
    found.of[i] = found.of[static_cast<size_t>(liveness.same_as[i])];
  }
  return found;
}

}  // namespace fathom::machine
