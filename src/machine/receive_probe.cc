#include "machine/receive_probe.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "machine/interpreter.h"

namespace fathom::machine {
namespace {

// Values that a search keeps lie outside the heap, where words have no labels: a labelled machine
// looks at copies. They share what the originals share.
class Copies {
 public:
  explicit Copies(Heap& heap) : heap_(heap) {}

  Value copy(Value value) {
    copy_to(value);
    while (!todo_.empty()) {
      Value* const word = todo_.back();
      todo_.pop_back();
      copy_to(*word);
    }
    return value;
  }

 private:
  void copy_to(Value& place) {
    if (place.is_immediate()) return;
    const uint64_t* from = place.words();
    const bool is_cons = place.is_cons();
    const auto [known, is_new] = copies_.try_emplace(from, nullptr);
    if (is_new) {
      const size_t size = is_cons ? 2 : box_words(from);
      known->second = heap_.allocate(size);
      std::copy_n(from, size, known->second);
      const SlotRange slots = is_cons ? SlotRange{0, 2} : value_slots(from);
      for (size_t i = slots.from; i < slots.to; ++i) {
        todo_.push_back(reinterpret_cast<Value*>(known->second) + i);
      }
    }
    place = is_cons ? Value::cons_at(known->second) : Value::box(known->second);
  }

  Heap& heap_;
  std::unordered_map<const uint64_t*, uint64_t*> copies_;
  std::vector<Value*> todo_;
};

// Whether a message that is taken could be this one, as far as it has to have the reference as a
// part. Looks at some parts of it only; what is in a map is not looked for.
bool may_have_part(Value message, Value reference) {
  constexpr size_t kMost = 16;
  std::array<uint64_t, kMost> left;  // words of values
  size_t count = 0;
  const auto look_at = [&](Value part) {
    if (!part.is_immediate()) left[count++] = part.raw();
  };
  look_at(message);
  while (count > 0) {
    const Value next = Value::from_raw(left[--count]);
    if (next.is_box(BoxKind::Reference)) {
      if (next.reference_number() == reference.reference_number()) return true;
    } else if (next.is_tuple() && count + next.arity() <= kMost) {
      for (const Value part : next.elements()) look_at(part);
    } else if (next.is_cons() && count + 2 <= kMost) {
      look_at(next.tail());
      look_at(next.head());
    } else {
      return true;
    }
  }
  return false;
}

// Whether the message lacks a reference that each clause of the receive asks for (receive_parts.h).
// Processes that wait for answers have many messages before them that are none, and this is told
// ten times sooner than by running the receive.
bool lacks_part(const Event& receive, Value message) {
  const uint64_t* start = receive.receive - op_b(receive.receive);
  for (uint32_t i = 0; i < op_b(start); ++i) {
    const Value part = receive.frame[packed_register(start + 1, i)];
    if (part.is_box(BoxKind::Reference) && !may_have_part(message, part)) return true;
  }
  return false;
}

}  // namespace

// Asked so often that it does without what Machine::resume does beside running: nothing of it
// is to be seen later.
bool ReceiveProbe::would_take(const Event& receive, Value message) {
  if (lacks_part(receive, message)) return false;
  constexpr size_t kFrame = 1;       // after the site of its caller
  constexpr int64_t kFuel = 20'000;  // guards make no calls
  uint64_t* const top = machine_.heap().top();
  Process& p = process_;
  if (p.stack.size() < kFrame + receive.frame.size()) {
    machine_.grow_stack_of(p, kFrame + receive.frame.size());
  }
  p.stack[0] = Value::from_raw(reinterpret_cast<uint64_t>(kBaseSite));
  Value* const fp = p.stack.data() + kFrame;
  for (size_t i = 0; i < receive.frame.size(); ++i) fp[i] = receive.frame[i];
  p.pid = Value::pid(0);
  p.status = Process::Status::Waiting;
  p.is_at_event = false;
  p.mailbox.become(message);
  p.mailbox_next = 0;
  p.is_timer_set = true;
  InterpreterState& state = machine_.state;
  state.process = &p;
  machine_.use_stack_of(p);
  state.watermark = p.stack.data();
  state.stopped = false;
  state.pending = {};
  state.fuel = kFuel;
  machine_.events().allow_event(false);
  machine_.uses().pause(true);
  if (machine_.mode().code.labels) {
    Copies copies(machine_.heap());
    for (size_t i = 0; i < receive.frame.size(); ++i) fp[i] = copies.copy(fp[i]);
    p.mailbox.become(copies.copy(message));
  }
  run_loop(machine_, receive.receive, fp, machine_.heap().top());
  machine_.uses().pause(false);
  state.fuel = 0;
  state.process = nullptr;
  machine_.heap().drop(top);
  return p.is_at_event;
}

bool find_receive(Machine& m, const Process& p, Event& event) {
  if (p.status != Process::Status::Waiting || Instruction(*p.pc).op() != Op::ReceivePeek) {
    return false;
  }
  event.kind = EventKind::Receive;
  event.process = p.pid;
  event.receive = p.pc;
  event.timeout = p.receive_timeout;
  event.demonitored = p.demonitored;
  event.frame.assign(m.code().function_at(p.pc)->frame, Value::nil());
  LiveMask(p.pc[2]).for_each([&](size_t r) { event.frame[r] = p.stack[p.frame + r]; });
  return true;
}

}  // namespace fathom::machine
