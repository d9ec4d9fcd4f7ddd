// Choices and paths: which actor goes on, and in which order they did.
//
// Whatever explores, replays, resumes or hands over executions speaks of them
// as paths of choices. A choice names its actor independently of an execution,
// of a machine and of the run of this program: a process by its lineage (P.1.2
// is the second process that P.1 has started), a timer by the process that has
// set it and how many that one had set before, a signal by its channel. Pids,
// timer references and pointers are not part of it: they mean something on one
// machine only.
//
// In each state an actor has at most one thing to do next (actors.h), so naming
// the actor is enough. Where later one actor has several alternatives (the
// value of an unknown, say), the alternative becomes a member of Choice.
//
// Example: in P = self(), spawn(fun() -> P ! a end), receive a -> ok after 5 ->
// late end the paths are P P.1 P (spawn, send, receive: the child first) and P
// P P.1 (spawn, time-out, send).
//
// Cost: a choice is three words, compared and hashed by value. The texts of
// names are kept once for the whole program, in a table that several threads
// may use at once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "machine/process_name.h"

namespace fathom::explore {

// The logical name of a process (machine/process_name.h), interned.
class ProcessName {
 public:
  ProcessName() : text_(&kNone) {}  // of no process
  explicit ProcessName(std::string_view text);
  static ProcessName of_lineage(machine::Value lineage) {
    return ProcessName(machine::lineage_name(lineage));
  }

  const std::string& text() const { return *text_; }
  bool empty() const { return text_->empty(); }
  bool operator==(const ProcessName&) const = default;
  size_t hash() const { return std::hash<const void*>()(text_); }

 private:
  static const std::string kNone;

  const std::string* text_;
};

enum class ActorKind : uint8_t {
  Process,
  Timer,    // that sends a message. The timer of a receive is part of the process
            // that waits
  Channel,  // from one process to another, with signals in transit
};

struct Choice {
  ActorKind kind = ActorKind::Process;
  uint32_t ordinal = 0;   // Timer: which of those that `process` has set
  ProcessName process{};  // Process: itself; Timer: the one that has set it; Channel:
                          // the sender
  ProcessName to{};       // Channel: the receiver

  bool operator==(const Choice&) const = default;
  // As schedules write it: "P.1", "P.1#3", "P.1>P".
  std::string name() const;
};
// None: this is not the name of such an actor.
std::optional<Choice> parse_choice(ActorKind kind, std::string_view name);

using Path = std::vector<Choice>;

}  // namespace fathom::explore

template <>
struct std::hash<fathom::explore::Choice> {
  size_t operator()(const fathom::explore::Choice& c) const {
    return fathom::hash_words(c.kind, c.ordinal, c.process.hash(), c.to.hash());
  }
};
