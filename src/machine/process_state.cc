#include "machine/process_state.h"

#include "base/hash.h"
#include "machine/live_values.h"
#include "values/hash.h"

namespace fathom::machine {

uint64_t state_hash(Process& p) {
  constexpr size_t kMostWords = 500;
  size_t left = kMostWords;
  uint64_t hash = hash_words(reinterpret_cast<uint64_t>(p.pc), p.frame);
  const auto mix = [&](Value value) { hash = content_hash(value, hash, left); };
  const auto mix_site = [&](const uint64_t* site) {
    hash = hash_combine(hash, reinterpret_cast<uint64_t>(site));
  };
  for_each_live_value(p, p.stack.data(), mix, mix_site);
  mix(p.dictionary);
  mix(p.flags);
  // Elsewhere they are those of a receive that is over.
  if (Instruction(*p.pc).op() == Op::ReceivePeek) {
    mix(p.receive_timeout);
    mix(Value::boolean(p.is_timed_out));
  }
  return hash;
}

}  // namespace fathom::machine
