#include "reduce/minimal.h"

#include <chrono>
#include <unordered_set>

#include "base/budget.h"
#include "reduce/aligned.h"
#include "reduce/reduced_tree.h"

namespace fathom::reduce {

using core::AstId;

namespace {

using Clock = std::chrono::steady_clock;

class Reducer {
 public:
  Reducer(session::Session& session, const TextSlice& texts, Oracle& oracle, Modules base)
      : session_(session), texts_(texts), oracle_(oracle), base_(std::move(base)) {}

  Result<void> prepare();
  void reduce_parts();
  void reduce_pairs(double seconds);
  Minimal result() const;

 private:
  struct Tree {
    ReducedTree tree;
    std::vector<Insertion> insertions;
  };

  bool remove_pair(Clock::time_point end);
  bool try_removal(size_t module, std::initializer_list<ReducedTree::Part> parts);

  session::Session& session_;
  const TextSlice& texts_;
  Oracle& oracle_;
  Modules base_;
  std::vector<Tree> trees_;
  Modules current_;  // what was accepted last
  std::unordered_set<std::string> refused_;
  size_t candidates_ = 0;
  size_t executed_ = 0;
};

Result<void> Reducer::prepare() {
  for (size_t i = 0; i < texts_.size(); ++i) {
    const Unit& unit = *base_[i].unit;
    const auto parents = parents_of(unit.ast);
    std::vector<AstId> pinned;
    std::vector<Insertion> insertions;
    for (const Mark& mark : texts_[i].marks) {
      const AstId node = slice::node_at(unit, mark.offset, mark.kind);
      if (!fathom::exists(node)) return Error{"the criterion is not in its slice"};
      pinned.push_back(node);
      auto shown = show_values(unit, parents, node, mark.number);
      if (!shown) return shown.error();
      insertions.insert(insertions.end(), shown->begin(), shown->end());
    }
    trees_.push_back({ReducedTree(unit, pinned), std::move(insertions)});
    Diagnostics diagnostics;
    auto found = session_.library().with_text(
        texts_[i].name, trees_[i].tree.text(trees_[i].insertions), diagnostics);
    if (!found) return found.error();
    current_.push_back(std::move(*found));
  }
  return {};
}

bool Reducer::try_removal(size_t module, std::initializer_list<ReducedTree::Part> parts) {
  spend(1000);
  Tree& t = trees_[module];
  for (const auto& part : parts) {
    if (!t.tree.has(part)) return false;
  }
  for (const auto& part : parts) t.tree.remove(part);
  const auto refuse = [&] {
    for (const auto& part : parts) t.tree.restore(part);
    return false;
  };
  ++candidates_;
  std::string text = t.tree.text(t.insertions);
  if (refused_.contains(text)) return refuse();
  Diagnostics diagnostics;
  auto found = session_.library().with_text(texts_[module].name, text, diagnostics);
  if (found) {
    ++executed_;
    Modules modules = current_;
    modules[module] = std::move(*found);
    if (oracle_.accepts(modules)) {
      current_ = std::move(modules);
      refused_.clear();
      return true;
    }
  }
  refused_.insert(std::move(text));
  return refuse();
}

void Reducer::reduce_parts() {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t i = 0; i < trees_.size(); ++i) {
      for (const auto& part : trees_[i].tree.parts()) {
        is_changed = try_removal(i, {part}) || is_changed;
      }
    }
  }
}

bool Reducer::remove_pair(Clock::time_point end) {
  for (size_t i = 0; i < trees_.size(); ++i) {
    const auto all = trees_[i].tree.statements();
    for (size_t a = 0; a < all.size(); ++a) {
      for (size_t b = a + 1; b < all.size(); ++b) {
        if (Clock::now() > end) return false;
        if (try_removal(i, {all[a], all[b]})) return true;
      }
    }
  }
  return false;
}

void Reducer::reduce_pairs(double seconds) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  while (remove_pair(end)) reduce_parts();
}

Minimal Reducer::result() const {
  Minimal result;
  result.candidates = candidates_;
  result.executed = executed_;
  for (size_t i = 0; i < trees_.size(); ++i) {
    const size_t count = trees_[i].tree.node_count();
    TextModule module = texts_[i];
    module.nodes_kept = count;
    std::vector<uint32_t> places;
    for (const Mark& mark : module.marks) places.push_back(mark.offset);
    module.text = trees_[i].tree.text_with(places);
    for (size_t j = 0; j < places.size(); ++j) module.marks[j].offset = places[j];
    result.texts.push_back(std::move(module));
    result.nodes_kept += count;
  }
  return result;
}

}  // namespace

void take_texts(slice::Slice& slice, const Minimal& minimal) {
  std::vector<slice::SlicedModule> left;
  for (const TextModule& text : minimal.texts) {
    for (slice::SlicedModule& m : slice.modules) {
      if (m.module->name() != text.name) continue;
      const Unit& unit = m.module->unit();
      m.text = text.text;
      m.kept = Alignment(unit.sources().text(*unit.file), m.text).kept();
      m.nodes_kept = text.nodes_kept;
      left.push_back(std::move(m));
      break;
    }
  }
  slice.modules = std::move(left);
  slice.nodes_kept = minimal.nodes_kept;
}

namespace {

Result<Minimal> reduced(session::Session& session, const TextSlice& texts, Oracle& oracle,
                        double pair_seconds) {
  auto base = read_modules(session, texts);
  if (!base) return Error{"the slice does not compile"};
  Reducer reducer(session, texts, oracle, std::move(*base));
  if (auto ready = reducer.prepare(); !ready) return ready.error();
  reducer.reduce_parts();
  reducer.reduce_pairs(pair_seconds);
  return reducer.result();
}

}  // namespace

Result<Minimal> minimised(session::Session& session, const TextSlice& texts, Oracle& oracle,
                          double pair_seconds,
                          const std::function<TextSlice(const TextSlice&)>& slice_again) {
  constexpr int kMostRounds = 4;
  auto best = reduced(session, texts, oracle, pair_seconds);
  for (int i = 0; best && slice_again && i < kMostRounds; ++i) {
    // What was removed may have been all that something else was there for.
    auto next = reduced(session, slice_again(best->texts), oracle, pair_seconds);
    if (!next) break;
    next->candidates += best->candidates;
    next->executed += best->executed;
    const bool is_smaller = next->nodes_kept < best->nodes_kept;
    if (is_smaller) {
      best = std::move(next);
    } else {
      best->candidates = next->candidates;
      best->executed = next->executed;
      break;
    }
  }
  return best;
}

}  // namespace fathom::reduce
