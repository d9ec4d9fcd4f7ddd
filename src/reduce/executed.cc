#include "reduce/executed.h"

#include "core/walk.h"

namespace fathom::reduce {

using core::Kind;
using core::NodeId;
using core::RegionId;

// Gives counters to the regions of a module, outer ones first.
class Executed::Numbering {
 public:
  Numbering(const core::Module& module, Counted& out) : module_(module), out_(out) {}

  struct Point {
    RegionId region;
    uint32_t index;
  };
  std::vector<Point> points;  // by counter

  void add(RegionId body) {
    todo_.push_back({body, kNone});
    while (!todo_.empty()) {
      const Item item = todo_.back();
      todo_.pop_back();
      if (core::exists(item.region)) number(item);
    }
  }

 private:
  struct Item {
    RegionId region;
    uint32_t counter;  // that all of its nodes have; none: each has its own
  };

  template <class T>
  static void set(std::vector<uint32_t>& to, T id, uint32_t value) {
    const auto i = static_cast<size_t>(id);
    if (to.size() <= i) to.resize(i + 1, kNone);
    to[i] = value;
  }
  uint32_t add_point(RegionId region, uint32_t index) {
    points.push_back({region, index});
    return static_cast<uint32_t>(points.size()) - 1;
  }

  void number(const Item& item) {
    const auto nodes = module_.nodes(item.region);
    const bool is_body = item.counter == kNone;
    uint32_t counter = is_body ? add_point(item.region, 0) : item.counter;
    set(out_.by_region, item.region, counter);
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      set(out_.by_node, nodes[i], counter);
      add_regions(nodes[i], counter);
      if (!is_body || i + 1 == nodes.size()) continue;
      const uint32_t next = add_point(item.region, i + 1);
      set(out_.after, nodes[i], next);
      counter = next;
    }
  }

  void add_regions(NodeId node, uint32_t counter) {
    const auto clauses = [&](core::ListId list) {
      for (const NodeId c : module_.nodes(list)) {
        set(out_.by_node, c, counter);
        const auto clause = module_.get<core::node::Clause>(c);
        todo_.push_back({clause.patterns, counter});
        for (const RegionId guard : module_.regions(clause.guards))
          todo_.push_back({guard, counter});
        todo_.push_back({clause.body, kNone});
      }
    };
    if (module_[node].kind == Kind::Case) clauses(module_.get<core::node::Case>(node).clauses);
    if (module_[node].kind == Kind::Receive) {
      clauses(module_.get<core::node::Receive>(node).clauses);
    }
    core::for_each_region(module_, node, [&](RegionId r) { todo_.push_back({r, kNone}); });
  }

  const core::Module& module_;
  Counted& out_;
  std::vector<Item> todo_;
};

void Executed::add(const core::Module& module) {
  if (by_module_.contains(&module)) return;
  Counted& counted = modules_.emplace_back();
  Numbering numbering(module, counted);
  for (const core::Function& f : module.functions) {
    if (core::exists(f.body)) numbering.add(f.body);
  }
  counted.counters.resize(numbering.points.size());
  std::vector<machine::Probe> probes;
  for (size_t i = 0; i < numbering.points.size(); ++i) {
    probes.push_back({.region = numbering.points[i].region,
                      .index = numbering.points[i].index,
                      .counter = &counted.counters[i]});
  }
  counted.probes = machine::Probes(std::move(probes), {});
  by_module_[&module] = &counted;
}

const machine::Probes* Executed::find(const core::Module& module) {
  const Counted* const counted = of(module);
  return counted ? &counted->probes : nullptr;
}

bool Executed::is_executed(const core::Module& module, NodeId node) const {
  const Counted* const counted = of(module);
  const auto i = static_cast<size_t>(node);
  if (!counted || i >= counted->by_node.size() || counted->by_node[i] == kNone) return true;
  return counted->counters[counted->by_node[i]] > 0;
}

bool Executed::is_entered(const core::Module& module, RegionId region) const {
  const Counted* const counted = of(module);
  const auto i = static_cast<size_t>(region);
  if (!counted || i >= counted->by_region.size() || counted->by_region[i] == kNone) return true;
  return counted->counters[counted->by_region[i]] > 0;
}

bool Executed::may_have_raised(const core::Module& module, NodeId node) const {
  const Counted* const counted = of(module);
  const auto i = static_cast<size_t>(node);
  if (!counted || i >= counted->after.size() || counted->after[i] == kNone) return true;
  return counted->counters[counted->by_node[i]] > counted->counters[counted->after[i]];
}

}  // namespace fathom::reduce
