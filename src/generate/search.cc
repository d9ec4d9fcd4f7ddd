#include "generate/search.h"

#include <algorithm>

#include "base/budget.h"
#include "code/code_table.h"
#include "machine/driver.h"

namespace fathom::generate {

using machine::Outcome;
using machine::Process;

PathSearch::PathSearch(machine::Machine& m, symbolic::Store& store, symbolic::Asking& asking,
                       const GenerateOptions& options)
    : machine_(m),
      store_(store),
      asking_(asking),
      options_(options),
      strategy_(make_strategy(options.strategy, options.seed, options.size)) {}

void PathSearch::start(Atom module, Atom function, std::span<const machine::Value> arguments) {
  machine_.mark();  // nothing is collected: unknown values stay where they are
  machine::Process& first = machine_.start(module, function, arguments);
  first_pid_ = first.pid;
  store_.set_identifiers(first_pid_,
                         machine_.heap().reference(machine_.numbers().reference(first)));
  nodes_.push_back({0, 0, 0, 0});
  start_reductions_ = machine_.statistics().reductions;
}

int PathSearch::cost() const { return nodes_[current_].cost; }

// One process runs until it waits or ends, then another: which one does not matter to a path.
PathSearch::Stop PathSearch::advance() {
  constexpr int64_t kPortion = 20'000;
  while (true) {
    // First of all: a question may have been left half asked.
    if (machine_.outcome && machine_.outcome->kind == Outcome::Kind::Limit) {
      throw BudgetSpent{machine_.outcome->message};
    }
    if (asking_.has_question()) return Stop::Question;
    if (asking_.is_dead()) return Stop::Dead;
    if (machine_.outcome) return Stop::Ended;
    spend(10);
    if (machine_.statistics().reductions - start_reductions_ > options_.calls) {
      cut.insert("paths that make more calls than --calls allows");
      return Stop::Cut;
    }
    Process* p = last_pid_.is_none() ? nullptr : machine_.processes().find(last_pid_);
    if (!p || p->status != Process::Status::Runnable) p = machine_.processes().first_runnable();
    const machine::Enabled enabled(machine_);
    if (p) {
      last_pid_ = p->pid;
      machine_.resume(*p, kPortion);
      continue;
    }
    // Nothing goes on without a message, or a time that has passed.
    is_receiving = true;
    if (enabled.empty()) {
      machine_.stop(Outcome::Kind::Deadlock, "it waits for a message that nobody sends");
    } else {
      machine::RoundRobin in_turn;
      machine::perform(machine_, *in_turn.choose(enabled));
    }
  }
}

// The first choice of all: how many messages are there before the function is called. That of none
// is taken at once.
void PathSearch::add_root() {
  std::vector<symbolic::Way> ways;
  for (uint32_t count = 0; count <= options_.messages; ++count) {
    const auto send = [this, count] {
      messages_.clear();
      for (uint32_t i = 0; i < count; ++i) {
        messages_.push_back(store_.fresh(symbolic::TypeId::Any));
        machine_.deliver(*machine_.processes().find(first_pid_), messages_.back());
      }
      return true;
    };
    ways.push_back({.apply = send, .cost = static_cast<int>(count)});
  }
  push_level(0);
  stack_.back().ways = std::move(ways);
  nodes_.push_back({0, 0, 0, 0});
}

void PathSearch::add_messages() {
  if (std::exchange(are_messages_added_, true)) return;
  cut.insert("more messages than --messages");
  for (uint32_t count = 1; count <= options_.messages; ++count) {
    const auto cost = static_cast<int>(count);
    if (cost > options_.size) break;
    nodes_.push_back({0, count, cost, 0});
    strategy_->add({.node = static_cast<NodeIndex>(nodes_.size() - 1),
                    .parent = 0,
                    .cost = cost,
                    .depth = 0,
                    .distance = 0,
                    .is_new = true});
  }
}

void PathSearch::push_level(NodeIndex node) {
  stack_.push_back({node, machine_.mark(), store_.mark(), asking_.reached_clauses.size(),
                    machine_.statistics().reductions - start_reductions_, asking_.take_question()});
}

void PathSearch::back_to(const Level& level) {
  machine_.rewind(level.mark);
  store_.rewind(level.store);
  asking_.forget_question();
  asking_.reached_clauses.resize(level.reached);
  start_reductions_ = machine_.statistics().reductions - level.reductions;
}

void PathSearch::add_children(NodeIndex node) {
  constexpr uint32_t kTimesNew = 8;
  const TreeNode parent = nodes_[node];
  const std::vector<symbolic::Way>& ways = stack_.back().ways;
  const uint64_t* place = asking_.place();
  const machine::Function* function = distance ? machine_.code().function_at(place) : nullptr;
  const int away = function ? distance(*function) : 0;
  for (uint32_t i = 0; i < ways.size(); ++i) {
    const int cost = parent.cost + ways[i].cost;
    if (cost > options_.size) {
      cut.insert("inputs larger than --size");
      continue;
    }
    if (parent.depth >= options_.depth) {
      cut.insert("paths with more choices than --depth");
      continue;
    }
    nodes_.push_back({node, i, cost, parent.depth + 1});
    // A branch may lead on only with other values than it was first met with; so it counts as new
    // a few times while something is not covered there.
    const uint32_t times = taken_[{place, i}]++;
    const bool is_new = ways[i].is_branch && times < (function && away == 0 ? kTimesNew : 1);
    strategy_->add({.node = static_cast<NodeIndex>(nodes_.size() - 1),
                    .parent = node,
                    .cost = cost,
                    .depth = parent.depth + 1,
                    .distance = away,
                    .is_new = is_new});
  }
}

// Takes the way of a node whose parent is the last of the stack.
PathSearch::Stop PathSearch::take(NodeIndex node) {
  ++states_;
  spend(500);
  back_to(stack_.back());
  current_ = node;
  if (!asking_.take(stack_.back().ways[nodes_[node].way])) return Stop::Dead;
  return advance();
}

// To the question at that node. False: it cannot be reached again.
bool PathSearch::go_to(NodeIndex node) {
  std::vector<NodeIndex> path;
  for (NodeIndex n = node;; n = nodes_[n].parent) {
    path.push_back(n);
    if (n == 0) break;
  }
  std::ranges::reverse(path);
  size_t common = 0;
  while (common < path.size() && common < stack_.size() && stack_[common].node == path[common]) {
    ++common;
  }
  stack_.resize(common);
  for (size_t i = common; i < path.size(); ++i) {
    if (take(path[i]) != Stop::Question) return false;
    push_level(path[i]);
  }
  return true;
}

bool PathSearch::next_path() {
  if (std::exchange(is_first_, false)) {
    add_root();
    const Stop stop = take(1);
    if (stop == Stop::Ended) return true;
    if (stop == Stop::Question) {
      push_level(1);
      add_children(1);
    }
  }
  while (true) {
    if (is_receiving) add_messages();
    const auto next = strategy_->next();
    if (!next) return false;
    spend(10);
    if (!go_to(nodes_[*next].parent)) continue;
    switch (take(*next)) {
      case Stop::Ended:
        return true;
      case Stop::Question:
        push_level(*next);
        add_children(*next);
        break;
      case Stop::Dead:
      case Stop::Cut:
        break;
    }
  }
}

}  // namespace fathom::generate
