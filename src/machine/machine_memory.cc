// Stacks and heap of a machine: growth, collection, marks.
//
// Both a collection and a mark want to know what has changed since the last one. Of
// a stack, that is what lies above its watermark: frames that were made since, and
// older ones to which control has come back, since a return to a frame below the
// watermark lowers it first (reenter). So deep recursion does not make collections
// slow, and a mark costs nothing, whatever the depth of the stacks.
//
// An epoch lasts from one such event to the next. A process that has not run in the
// present one has not changed its stack.
#include <algorithm>
#include <cstring>

#include "machine/interpreter.h"
#include "machine/live_values.h"
#include "machine/machine.h"
#include "values/collector.h"

namespace fathom::machine {
namespace {

constexpr size_t kStep = 256;  // words by which a stack grows, and its watermark sinks, at least
constexpr size_t kNurseryWords = (size_t{4} << 20) / sizeof(uint64_t);

Process& process_of(std::span<const uint64_t> words) {
  return *reinterpret_cast<Process*>(words[0]);
}

void restore_stack(std::span<const uint64_t> words) {
  std::ranges::copy(words.subspan(2),
                    reinterpret_cast<uint64_t*>(process_of(words).stack.data()) + words[1]);
}

void restore_labels(std::span<const uint64_t> words) {
  std::memcpy(process_of(words).stack_labels.data() + words[1], words.data() + 2,
              (words.size() - 2) * sizeof(uint64_t));
}

void record_labels(Journal& journal, Process& p, size_t from, size_t to) {
  if (p.stack_labels.size() == 0) return;
  journal.record(&restore_labels, {reinterpret_cast<uint64_t>(&p), from},
                 {reinterpret_cast<const uint64_t*>(p.stack_labels.data()) + from, to - from});
}

// Words [from, to) of the stack.
void record_stack(Journal& journal, Process& p, size_t from, size_t to) {
  journal.record(&restore_stack, {reinterpret_cast<uint64_t>(&p), from},
                 {reinterpret_cast<const uint64_t*>(p.stack.data()) + from, to - from});
  record_labels(journal, p, from, to);
}

// Where the process goes on, and its topmost frame: words from kControlWords on.
constexpr size_t kControlWords = 9;

void restore_state(std::span<const uint64_t> words) {
  Process& p = process_of(words);
  p.pc = reinterpret_cast<const uint64_t*>(words[1]);
  p.frame = words[2];
  p.top = words[3];
  p.reductions = words[4];
  p.mailbox_next = words[5];
  p.is_at_event = words[6] != 0;
  p.call = reinterpret_cast<const Export*>(words[7]);
  p.receive_timeout = Value::from_raw(words[8]);
  std::ranges::copy(words.subspan(kControlWords),
                    reinterpret_cast<uint64_t*>(p.stack.data()) + p.frame);
}

void record_state(Journal& journal, Process& p) {
  journal.record(&restore_state,
                 {reinterpret_cast<uint64_t>(&p), reinterpret_cast<uint64_t>(p.pc), p.frame, p.top,
                  p.reductions, p.mailbox_next, uint64_t{p.is_at_event},
                  reinterpret_cast<uint64_t>(p.call), p.receive_timeout.raw()},
                 {reinterpret_cast<const uint64_t*>(p.stack.data()) + p.frame, p.top - p.frame});
  record_labels(journal, p, p.frame, p.top);
}

}  // namespace

// ---- Stacks -----------------------------------------------------------------

Value* Machine::ensure_stack(Value* fp, size_t words) {
  return fp + words + 1 > state.stack_end ? grow_stack(fp, words + 1) : fp;
}

Value* Machine::grow_stack(Value* fp, size_t needed) {
  ZeroedArray<Value>& stack = state.process->stack;
  const auto at = static_cast<size_t>(fp - stack.data());
  const auto low = static_cast<size_t>(state.watermark - stack.data());
  grow_stack_of(*state.process, std::max(stack.size() * 2, at + needed + kStep));
  use_stack_of(*state.process);
  state.watermark = stack.data() + low;
  return stack.data() + at;
}

void Machine::grow_stack_of(Process& p, size_t words) {
  p.stack.grow(words);
  if (mode_.code.labels) p.stack_labels.grow(p.stack.size());
}

void Machine::reenter(Value* fp) {
  Value* const base = state.process->stack.data();
  if (!journal_.active()) {
    state.watermark = fp - base > static_cast<std::ptrdiff_t>(kStep) ? fp - kStep : base;
    return;
  }
  record_stack(journal_, *state.process, static_cast<size_t>(fp - base),
               static_cast<size_t>(state.watermark - base));
  state.watermark = fp;
}

void Machine::park(const uint64_t* pc, Value* fp, size_t live) {
  Process& p = *state.process;
  p.pc = pc;
  p.frame = static_cast<size_t>(fp - p.stack.data());
  p.top = p.frame + live;
}

void Machine::redirect(Process& p, const uint64_t* code) {
  using enum Process::Status;
  if (p.is_running) {  // the interpreter has its own copy of where it is: let_run() sees to it
    p.redirected = code;
    if (&p == state.process) state.stopped = true;
    return;
  }
  protect(p);
  p.pc = code;
  p.frame = p.top = 1;
  p.is_at_event = false;
  p.call = nullptr;
  // The last of those that can run.
  if (p.status == Runnable) processes_.set_status(p, Waiting);
  processes_.set_status(p, Runnable);
}

void Machine::mark_dirty(Process& p) {
  if (p.is_dirty || journal_.active()) return;
  p.is_dirty = true;
  dirty_.push_back(p.pid);
}

// ---- Collection -------------------------------------------------------------

void Machine::visit_stack(Collector& collector, Process& p, bool everything) {
  if (p.epoch != epoch_ && !everything) return;
  const Value* const low = p.stack.data() + (everything ? 0 : p.watermark);
  for_each_live_value(
      p, low, [&](Value& value) { collector.visit(value); }, [](const uint64_t*) {});
}

void Machine::collect() {
  statistics_.peak_heap = std::max(statistics_.peak_heap, heap_.used_bytes());
  state.process->watermark = static_cast<size_t>(state.watermark - state.process->stack.data());
  const bool full = heap_.wants_full_collection();
  const bool everything = full || everything_dirty_;
  Collector collector(heap_, full);
  const auto visit_process = [&](Process& p) {
    visit_stack(collector, p, everything);
    p.visit_values([&](Value& value) { collector.visit(value); });
    p.is_dirty = false;
  };
  if (everything) {
    processes_.for_each(visit_process);
  } else {
    for (const Value pid : dirty_) {
      if (Process* p = processes_.find(pid)) visit_process(*p);
    }
  }
  const auto visit = [&](Value& value) { collector.visit(value); };
  shared_.visit_values(visit);
  tables_.visit_values(visit);
  events_.visit_values(visit);
  collector.finish();
  ++statistics_.collections;
  statistics_.full_collections += full ? 1 : 0;
  state.heap_limit = heap_.top() + kNurseryWords;
  dirty_.clear();
  everything_dirty_ = false;
  ++epoch_;
  protect(*state.process);
  state.watermark = state.process->stack.data() + state.process->watermark;
}

// ---- Marks ------------------------------------------------------------------

// Before a process goes on: what it may change from now on is its topmost frame, and
// what reenter() allows.
void Machine::protect(Process& p) {
  mark_dirty(p);
  if (p.epoch == epoch_) return;
  if (journal_.active()) record_state(journal_, p);
  p.epoch = epoch_;
  p.watermark = p.frame;
}

Machine::Mark Machine::mark() {
  everything_dirty_ = true;
  state.heap_limit = reinterpret_cast<uint64_t*>(UINTPTR_MAX);
  ++epoch_;
  return {heap_.mark(), journal_.mark()};
}

void Machine::rewind(const Mark& mark) {
  journal_.rewind(mark.journal);
  heap_.rewind(mark.heap);
  outcome.reset();
  ++epoch_;
}

void Machine::release() {
  journal_.release();
  if (journal_.active()) return;
  processes_.drop_exited();
  tables_.drop_deleted();
  shared_.zlib.drop_originals();
  state.heap_limit = heap_.top();
}

}  // namespace fathom::machine
