// Signals on their way: from the moment in which a process sends one to that in which it
// arrives. Only those that take time are ever here (signals.h).
//
// As OTP promises, signals from one process to another arrive in the order in which they
// were sent; between others there is no order. So of each pair of processes the oldest
// signal can arrive next. Those to a process that has ended arrive without an effect.
#pragma once

#include "machine/journal.h"
#include "values/heap.h"
#include "values/maps.h"

namespace fathom::machine {

class Transit {
 public:
  // Sender and receiver. Either may have ended: they have names by their lineages all the same.
  struct Pair {
    Value from;
    Value to;
    Value from_lineage;
    Value to_lineage;
  };

  bool empty() const { return pairs_.is_none() || map_size(pairs_) == 0; }
  // Whether there is one of the pair.
  bool has(Heap& heap, Value from, Value to) const {
    return !empty() && !map_get(pairs_, heap.tuple({from, to})).is_none();
  }
  // How many there ever were.
  int64_t sent(Heap& heap, Value from, Value to) const {
    const Value count = sent_.is_none() ? sent_ : map_get(sent_, heap.tuple({from, to}));
    return count.is_none() ? 0 : count.small();
  }
  // After all others of the pair.
  void add(Heap& heap, Journal& journal, const Pair& pair, Value signal);
  // The oldest of the pair; none() if there is none.
  Value take(Heap& heap, Journal& journal, Value from, Value to);

  // f(pair), for each pair that has one.
  template <class F>
  void for_each(F&& f) const {
    if (pairs_.is_none()) return;
    MapPairs pairs(pairs_);
    for (Value key, queue; pairs.next(key, queue);) {
      const Value lineages = queue.element(0);
      f(Pair{key.element(0), key.element(1), lineages.head(), lineages.tail()});
    }
  }

  template <class Visitor>
  void visit_values(Visitor&& visit) {
    visit(pairs_);
    visit(sent_);
  }
  Value value() const { return pairs_; }  // all of it

 private:
  // {from, to} => {[from_lineage | to_lineage], the oldest signals, the later ones backwards};
  // none() until the first one.
  Value pairs_ = Value::none();
  Value sent_ = Value::none();  // {from, to} => how many were added
};

}  // namespace fathom::machine
