// What the program has looked at that is no matter of the schedule (inputs.def).
//
// It is kept for a machine, whatever it goes back to: what was looked at in any execution counts
// for the verdict on all of them.
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom::machine {

enum class Input : uint8_t {
#define INPUT(name, assumption) name,
#include "machine/inputs.def"
#undef INPUT
};

class Inputs {
 public:
  void look_at(Input input) { seen_ |= bit(input); }
  // For whoever asks about one execution.
  void forget() { seen_ = 0; }
  bool was_seen(Input input) const { return (seen_ & bit(input)) != 0; }
  // Calls f(assumption) for each that was seen.
  template <class F>
  void for_each_assumption(F&& f) const {
#define INPUT(name, assumption) \
  if (was_seen(Input::name)) f(std::string_view(assumption));
#include "machine/inputs.def"
#undef INPUT
  }

 private:
  static constexpr uint32_t bit(Input input) { return 1u << static_cast<uint8_t>(input); }
  uint32_t seen_ = 0;
};

}  // namespace fathom::machine
