// The calls that a machine has made, in the mode of code that reports them (CodeMode): for tests
// that compare what is seen with what was predicted.
//
// Each pair of a call instruction and a function is kept once for each process, and once more if
// the function has returned to the call. Going back does not forget: what was seen was possible.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "base/hash.h"

namespace fathom::machine {

struct Function;

struct RecordedCall {
  const uint64_t* site = nullptr;  // the call instruction; null: the process starts with it
  const Function* callee = nullptr;
  uint64_t process = 0;    // the number of its pid
  bool is_return = false;  // the callee goes back to the call
  bool operator==(const RecordedCall&) const = default;
};

class CallRecorder {
 public:
  void add(const RecordedCall& call) { calls_.insert(call); }

  template <class F>
  void for_each(F&& f) const {
    for (const RecordedCall& call : calls_) f(call);
  }

 private:
  struct Hash {
    size_t operator()(const RecordedCall& call) const {
      return hash_words(reinterpret_cast<uint64_t>(call.site),
                        reinterpret_cast<uint64_t>(call.callee),
                        call.process << 1 | call.is_return);
    }
  };
  std::unordered_set<RecordedCall, Hash> calls_;
};

}  // namespace fathom::machine
