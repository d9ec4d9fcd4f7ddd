#include "explore/record.h"

#include <unordered_map>

namespace fathom::explore {

using machine::BoxKind;
using machine::Value;

namespace {

// Copies what lies in a range of the heap, and what that leads to inside of it.
class Keeper {
 public:
  using Blocks = std::vector<std::unique_ptr<uint64_t[]>>;
  Keeper(const uint64_t* from, const uint64_t* to, Blocks& blocks)
      : from_(from), to_(to), blocks_(blocks) {}

  // False: something cannot be copied.
  bool keep(Value& value) {
    if (!is_inside(value)) return true;
    waiting_.push_back(&value);
    while (!waiting_.empty()) {
      Value& next = *waiting_.back();
      waiting_.pop_back();
      if (!copy(next)) return false;
    }
    return true;
  }

 private:
  bool is_inside(Value value) const {
    if (!value.is_box() && !value.is_cons()) return false;
    return value.words() >= from_ && value.words() < to_;
  }

  bool copy(Value& value) {
    const uint64_t* old = value.words();
    const bool is_cons = value.is_cons();
    if (!is_cons && value.header().kind() == BoxKind::SharedBits) return false;
    const size_t size = is_cons ? 2 : machine::box_words(old);
    const auto [it, is_new] = copies_.try_emplace(old, nullptr);
    if (is_new) {
      blocks_.push_back(std::make_unique<uint64_t[]>(size));
      it->second = blocks_.back().get();
      std::copy_n(old, size, it->second);
      const machine::SlotRange slots =
          is_cons ? machine::SlotRange{0, 2} : machine::value_slots(it->second);
      auto* words = reinterpret_cast<Value*>(it->second);
      for (size_t i = slots.from; i < slots.to; ++i) {
        if (is_inside(words[i])) waiting_.push_back(&words[i]);
      }
    }
    value = is_cons ? Value::cons_at(it->second) : Value::box(it->second);
    return true;
  }

  const uint64_t* from_;
  const uint64_t* to_;
  Blocks& blocks_;
  std::vector<Value*> waiting_;
  std::unordered_map<const uint64_t*, uint64_t*> copies_;
};

}  // namespace

void Record::clear() {
  footprints.clear();
  filter = {};
  kinds = {};
  taken = {};
  taken_at = kNoEvent;
  may_time_out = by_timer = false;
  state.clear();
  disabled.clear();
  interrupted.clear();
  invisible_exits.clear();
  knows_values = true;
  blocks_.clear();
}

// On which it may depend whether two such events are dependent. Most events have none.
void Record::copy_values(const Record& other) {
  event.receive = other.event.receive;
  event.timeout = other.event.timeout;
  event.query = other.event.query;
  event.demonitored = other.event.demonitored;
  if (other.has_values()) {
    event.sent = other.event.sent;
    event.frame = other.event.frame;
    event.changes = other.event.changes;
  } else {
    event.sent.clear();
    event.frame.clear();
    event.changes.clear();
  }
}

RecordPtr Record::copy(RecordPool& pool) const {
  RecordPtr copy = pool.make();
  copy->clear();
  copy->id = id;
  copy->process = process;
  copy->event.kind = event.kind;
  copy->event.process = event.process;
  copy->copy_values(*this);
  copy->footprints = footprints;
  copy->filter = filter;
  copy->kinds = kinds;
  copy->taken = taken;
  copy->taken_at = taken_at;
  copy->may_time_out = may_time_out;
  copy->by_timer = by_timer;
  copy->knows_values = knows_values;
  return copy;
}

RecordPtr Record::persistent_copy(RecordPool& pool, const machine::Machine::Mark& mark,
                                  const uint64_t* top) const {
  RecordPtr copy = this->copy(pool);
  if (!has_values()) return copy;
  Keeper keeper(mark.heap.top, top, copy->blocks_);
  for (machine::SentMessage& sent : copy->event.sent) {
    copy->knows_values =
        copy->knows_values && keeper.keep(sent.message) && keeper.keep(sent.monitor);
  }
  for (Value& value : copy->event.frame) {
    copy->knows_values = copy->knows_values && keeper.keep(value);
  }
  for (machine::Change& change : copy->event.changes) {
    copy->knows_values = copy->knows_values && keeper.keep(change.key) &&
                         keeper.keep(change.before) && keeper.keep(change.after);
  }
  copy->knows_values =
      copy->knows_values && keeper.keep(copy->event.demonitored) && keeper.keep(copy->event.query);
  return copy;
}

}  // namespace fathom::explore
