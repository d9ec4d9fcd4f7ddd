// The search over the paths of a function: which way to take where there are several.
//
// The choices form a tree. A node is a way that was taken, and the search may go on from any node:
// it goes back to the last state in common by rewinding the machine, and forward by taking the
// same ways again. Which node is next is the strategy's to say (strategy.h).
//
// Invariant: stack_ is the path of nodes from the root to where the machine stands, with a mark at
// each. Cost: what the paths have in common is run again only where the strategy jumps.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "generate/options.h"
#include "generate/strategy.h"
#include "machine/machine.h"
#include "symbolic/asking.h"
#include "symbolic/store.h"

namespace fathom::generate {

class PathSearch {
 public:
  PathSearch(machine::Machine& m, symbolic::Store& store, symbolic::Asking& asking,
             const GenerateOptions& options);

  // The arguments, which the store has made. To be called once.
  void start(Atom module, Atom function, std::span<const machine::Value> arguments);
  // Goes to the end of another path. False: there is none left within the bounds.
  bool next_path();
  // After next_path: how it ended, and what it cost.
  const machine::Outcome& outcome() const { return *machine_.outcome; }
  int cost() const;
  // The messages that were there when the function was called.
  std::span<const machine::Value> messages() const { return messages_; }
  uint64_t states() const { return states_; }
  // Whether the path has shown anything new: strategies learn from it.
  void learn(bool is_new) { strategy_->ended(is_new); }
  // How far a function is from what is not covered yet; may be empty.
  std::function<int(const machine::Function&)> distance;
  // Whether messages may matter: else they are tried only where a path waits for one.
  bool is_receiving = false;
  // Why paths were given up.
  std::set<std::string> cut;

 private:
  struct TreeNode {
    NodeIndex parent;
    uint32_t way;
    int cost;
    int depth;
  };
  // A question at which the machine stood.
  struct Level {
    NodeIndex node;
    machine::Machine::Mark mark;
    symbolic::Store::Mark store;
    size_t reached;
    uint64_t reductions;
    std::vector<symbolic::Way> ways;
  };
  enum class Stop : uint8_t { Question, Ended, Dead, Cut };

  Stop advance();
  bool go_to(NodeIndex node);
  void back_to(const Level& level);
  void push_level(NodeIndex node);
  void add_children(NodeIndex node);
  void add_root();
  void add_messages();
  Stop take(NodeIndex node);

  machine::Machine& machine_;
  symbolic::Store& store_;
  symbolic::Asking& asking_;
  const GenerateOptions& options_;
  std::vector<TreeNode> nodes_;
  std::vector<Level> stack_;
  std::unique_ptr<SearchStrategy> strategy_;
  std::map<std::pair<const uint64_t*, uint32_t>, uint32_t> taken_;  // by place and way: how often
  machine::Value last_pid_ = machine::Value::none();
  machine::Value first_pid_ = machine::Value::none();
  std::vector<machine::Value> messages_;
  bool are_messages_added_ = false;
  NodeIndex current_ = 0;
  uint64_t states_ = 0;
  uint64_t start_reductions_ = 0;
  bool is_first_ = true;
};

}  // namespace fathom::generate
