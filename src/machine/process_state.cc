#include "machine/process_state.h"

#include "base/hash.h"
#include "machine/live_values.h"
#include "values/hash.h"

namespace fathom::machine {
namespace {

bool is_in_receive(const Process& p) { return Instruction(*p.pc).op() == Op::ReceivePeek; }

// It calls a native function in tail position, and was not called by anything itself.
bool is_last_call(const Process& p) {
  return p.call && is_tail_call(p.pc) &&
         p.stack[p.frame - 1].raw() == reinterpret_cast<uint64_t>(kBaseSite);
}

}  // namespace

void ProcessState::save(Process& p) {
  if (p.top > kMostStack) return clear();
  pc_ = p.pc;
  frame_ = p.frame;
  hash_ = 0;
  values_.clear();
  sites_.clear();
  for_each_live_value(
      p, p.stack.data(), [&](Value value) { values_.push_back(value); },
      [&](const uint64_t* site) { sites_.push_back(site); });
  values_.push_back(p.dictionary);
  values_.push_back(p.flags);
  // Elsewhere they are those of a receive that is over. That `after 0` is over shows only once no
  // message was found.
  if (is_in_receive(p)) {
    values_.push_back(p.receive_timeout);
    values_.push_back(Value::boolean(p.is_timed_out && p.receive_timeout != Value::small(0)));
  }
}

uint64_t ProcessState::hash() const {
  if (hash_ == 0) hash_ = compute_hash();
  return hash_;
}

uint64_t ProcessState::compute_hash() const {
  constexpr size_t kMostWords = 500;
  size_t left = kMostWords;
  uint64_t hash = hash_words(reinterpret_cast<uint64_t>(pc_), frame_);
  for (const Value value : values_) hash = content_hash(value, hash, left);
  for (const uint64_t* site : sites_) hash = hash_combine(hash, reinterpret_cast<uint64_t>(site));
  return hash == 0 ? 1 : hash;
}

ProcessState ProcessState::hashed() const {
  ProcessState copy;
  if (!exists()) return copy;
  copy.pc_ = pc_;
  copy.frame_ = frame_;
  copy.hash_ = hash();
  return copy;
}

// A process whose last call it is has no more to do after it.
bool may_change_nothing(const Process& p) {
  static const Value infinity = atom("infinity");
  if (is_last_call(p)) return false;
  return is_in_receive(p) ? p.receive_timeout != infinity : p.call != nullptr;
}

}  // namespace fathom::machine
