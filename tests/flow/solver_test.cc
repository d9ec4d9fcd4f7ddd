// The solver against the definition: on random systems of constraints, with cycles and rules that
// add constraints, its sets are those of the plain fixpoint.
#include "flow/solver.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "samples.h"

namespace fathom::flow {
namespace {

struct Edge {
  uint32_t from;
  uint32_t to;
};
// If the object is in the slot, there is the edge.
struct Condition {
  uint32_t slot;
  uint32_t object;
  Edge edge;
};
struct System {
  uint32_t slots = 0;
  std::vector<std::pair<uint32_t, uint32_t>> members;  // slot, object
  std::vector<Edge> edges;
  std::vector<Condition> conditions;
};

System random_system(uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  System s;
  s.slots = 2 + below(30);
  const uint32_t objects = 1 + below(300);
  for (uint32_t i = below(40); i > 0; --i) s.members.emplace_back(below(s.slots), below(objects));
  for (uint32_t i = below(60); i > 0; --i) s.edges.push_back({below(s.slots), below(s.slots)});
  for (uint32_t i = below(30); i > 0; --i) {
    s.conditions.push_back({below(s.slots), below(objects), {below(s.slots), below(s.slots)}});
  }
  return s;
}

std::vector<std::set<uint32_t>> fixpoint(const System& s) {
  std::vector<std::set<uint32_t>> sets(s.slots);
  for (const auto& [slot, object] : s.members) sets[slot].insert(object);
  bool has_changed = true;
  const auto follow = [&](const Edge& edge) {
    const size_t before = sets[edge.to].size();
    const std::set<uint32_t> from = sets[edge.from];
    sets[edge.to].insert(from.begin(), from.end());
    has_changed = has_changed || sets[edge.to].size() > before;
  };
  while (has_changed) {
    has_changed = false;
    for (const Edge& edge : s.edges) follow(edge);
    for (const Condition& c : s.conditions) {
      if (sets[c.slot].contains(c.object)) follow(c.edge);
    }
  }
  return sets;
}

std::vector<std::set<uint32_t>> solved(const System& s) {
  Solver solver;
  const Slot first = solver.add_slots(s.slots);
  for (const Condition& c : s.conditions) {
    solver.watch(first + c.slot, [&solver, first, c](const ObjectSet& added) {
      if (added.contains(ObjectId{c.object})) {
        solver.add_edge(first + c.edge.from, first + c.edge.to);
      }
    });
  }
  for (const Edge& edge : s.edges) solver.add_edge(first + edge.from, first + edge.to);
  solver.run();
  for (const auto& [slot, object] : s.members) solver.add(first + slot, ObjectId{object});
  solver.run();
  std::vector<std::set<uint32_t>> sets(s.slots);
  for (uint32_t i = 0; i < s.slots; ++i) {
    solver.values(first + i).for_each(
        [&](ObjectId id) { sets[i].insert(static_cast<uint32_t>(id)); });
  }
  return sets;
}

TEST(Solver, FindsTheFixpointOfRandomSystems) {
  for (uint32_t seed = 0; seed < (takes_samples() ? 500 : 5000); ++seed) {
    const System s = random_system(seed);
    ASSERT_EQ(solved(s), fixpoint(s)) << "seed " << seed;
  }
}

TEST(Solver, MergesWhatIsOnACycle) {
  Solver solver;
  const Slot first = solver.add_slots(3);
  for (size_t i = 0; i < 3; ++i) solver.add_edge(first + i, first + (i + 1) % 3);
  solver.add(first, ObjectId{7});
  solver.run();
  solver.add(first + 1, ObjectId{8});
  solver.run();
  EXPECT_EQ(solver.merged_count(), 2u);
  EXPECT_EQ(solver.values(first + 2).size(), 2u);
}

TEST(Solver, LeavesOutWhatIsCovered) {
  Solver solver;
  const Slot covered = solver.add_slots();
  const Slot a = solver.add_slots();
  const Slot b = solver.add_slots();
  solver.set_cover(ObjectId{0}, covered);
  solver.add(covered, ObjectId{5});
  solver.add(b, ObjectId{0});
  solver.add(a, ObjectId{5});
  solver.add(a, ObjectId{6});
  solver.add_edge(a, b);
  solver.run();
  EXPECT_TRUE(solver.values(b).contains(ObjectId{6}));
  EXPECT_FALSE(solver.values(b).contains(ObjectId{5}));
}

// What is covered lies on a cycle with a slot that holds the cover: it holds all, the other the
// cover alone.
TEST(Solver, KeepsApartWhatIsCovered) {
  Solver solver;
  const Slot covered = solver.add_slots();
  const Slot first = solver.add_slots(3);
  solver.set_cover(ObjectId{0}, covered);
  for (size_t i = 0; i + 1 < 3; ++i) solver.add_edge(first + i, first + i + 1);
  solver.add_edge(first + 2, covered);
  solver.add_edge(covered, first);
  size_t seen = 0;
  solver.watch(first + 1, [&](const ObjectSet& added) { seen += added.size(); });
  solver.add(first, ObjectId{0});
  solver.run();
  for (uint32_t id = 5; id < 50; ++id) solver.add(covered, ObjectId{id});
  solver.run();
  EXPECT_EQ(solver.values(covered).size(), 46u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(solver.values(first + i).size(), 1u);
  EXPECT_EQ(seen, 1u);
}

TEST(ObjectSet, IsASet) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::set<uint32_t> a, b;
    ObjectSet x, y;
    for (int i = 0; i < 40; ++i) {
      const uint32_t n = random() % 500;
      EXPECT_EQ(x.insert(ObjectId{n}), a.insert(n).second);
      const uint32_t k = random() % 500;
      EXPECT_EQ(y.insert(ObjectId{k}), b.insert(k).second);
    }
    bool intersects = false;
    std::set<uint32_t> fresh, left;
    for (const uint32_t n : b) {
      if (a.contains(n)) {
        intersects = true;
      } else {
        fresh.insert(n);
      }
    }
    for (const uint32_t n : a) {
      if (!b.contains(n)) left.insert(n);
    }
    EXPECT_EQ(x.intersects(y), intersects);
    EXPECT_EQ(x.without(y).size(), left.size());
    ObjectSet added;
    EXPECT_EQ(x.insert_all(y, added), !fresh.empty());
    EXPECT_EQ(added.size(), fresh.size());
    EXPECT_EQ(x.size(), a.size() + fresh.size());
    for (const uint32_t n : fresh) EXPECT_TRUE(added.contains(ObjectId{n}));
  }
}

}  // namespace
}  // namespace fathom::flow
