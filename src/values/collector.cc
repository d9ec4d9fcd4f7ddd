// What was moved says where to: a box has its new address in the place of its
// header (whose low bits are 111, an address' are 000), a cons cell has
// Value::moved() as its head and its new place as its tail.
//
// In the target, objects follow each other without gaps. A word at which one
// begins is a header, which tells how long the box is and which of its words are
// values; or it is the head of a cons cell, for no value's low bits are 111.
//
// A list is copied along its spine at once, so that walking it later walks through
// memory; the heads follow when the scan comes to them.
#include "values/collector.h"

#include <algorithm>
#include <vector>

namespace fathom::machine {

Collector::Collector(Heap& heap, bool full) : heap_(heap), full_(full) {
  if (full) {
    target_ = Space(heap.old_.reserved_bytes(), heap.is_labelled());
    for (Buffer* buffer : heap.buffers_) buffer->reached = false;
  } else {
    target_.swap(heap.old_);
  }
  scan_ = target_.top;
}

template <bool IsLabelled>
Value Collector::copy_list(Value list) {
  uint64_t* to = target_.top;
  const Value result = Value::cons_at(to);
  if (list.head() == Value::moved()) return list.tail();
  for (;;) {
    uint64_t* from = list.words();
    const Value next = list.tail();
    to[0] = from[0];
    if constexpr (IsLabelled) {
      heap_.labels_of(to) = heap_.labels_of(from);
      heap_.labels_of(to + 1) = heap_.labels_of(from + 1);
    }
    from[0] = Value::moved().raw();
    from[1] = Value::cons_at(to).raw();
    target_.top = to + 2;
    if (!next.is_cons() || !is_from(next)) {
      to[1] = next.raw();  // seen to by the scan
      return result;
    }
    if (next.head() == Value::moved()) {
      to[1] = next.tail().raw();
      return result;
    }
    to[1] = Value::cons_at(to + 2).raw();
    to += 2;
    list = next;
  }
}

template <bool IsLabelled>
Value Collector::copy_box(Value box) {
  uint64_t* from = box.words();
  if (!box.header().is_header()) return Value::box(reinterpret_cast<const uint64_t*>(from[0]));
  const size_t size = box_words(from);
  uint64_t* to = target_.top;
  std::copy_n(from, size, to);
  if constexpr (IsLabelled) std::copy_n(&heap_.labels_of(from), size, &heap_.labels_of(to));
  target_.top = to + size;
  if (box.header().kind() == BoxKind::SharedBits)
    reinterpret_cast<Buffer*>(from[3])->reached = true;
  from[0] = reinterpret_cast<uint64_t>(to);
  return Value::box(to);
}

Value Collector::copy(Value value) {
  if (heap_.is_labelled()) return value.is_cons() ? copy_list<true>(value) : copy_box<true>(value);
  return value.is_cons() ? copy_list<false>(value) : copy_box<false>(value);
}

void Collector::scan() {
  while (scan_ < target_.top) {
    if (!Header(*scan_).is_header()) {
      visit(*reinterpret_cast<Value*>(scan_++));
      continue;
    }
    const SlotRange slots = value_slots(scan_);
    const size_t size = box_words(scan_);
    auto* words = reinterpret_cast<Value*>(scan_);
    for (size_t i = slots.from; i < slots.to; ++i) visit(words[i]);
    scan_ += size;
  }
}

// In a young collection the older buffers stay: values that nobody looked at may
// use them.
void Collector::free_buffers() {
  std::vector<Buffer*>& buffers = heap_.buffers_;
  size_t kept = full_ ? 0 : heap_.young_buffers_;
  for (size_t i = kept; i < buffers.size(); ++i) {
    if (buffers[i]->reached) {
      buffers[kept++] = buffers[i];
    } else {
      heap_.free_buffer(buffers[i]);
    }
  }
  buffers.resize(kept);
  heap_.young_buffers_ = kept;
}

void Collector::set_thresholds() {
  heap_.old_buffer_bytes_ = heap_.buffer_bytes_;
  heap_.buffer_threshold_ =
      heap_.buffer_bytes_ + std::max(Heap::threshold_for(0), heap_.buffer_bytes_ / 2);
  if (!full_) return;
  heap_.old_threshold_ = Heap::threshold_for(heap_.old_.used_bytes());
  heap_.old_buffer_threshold_ = Heap::threshold_for(heap_.buffer_bytes_);
}

void Collector::finish() {
  scan();
  free_buffers();
  heap_.old_.swap(target_);
  // Pages that will be written again soon are kept.
  heap_.young_.clear(2 * Heap::kNursery);
  target_ = Space();
  set_thresholds();
}

}  // namespace fathom::machine
