// What a search assumes until it is proved wrong, and the protocol by which it then restarts.
//
// Four assumptions make executions shorter and the dependence relation smaller:
//
//   - Nobody refers to a process after its last event. The exit of a process is an event because
//     others may see it, but of many processes no other ever does: the parent drops the pid. Such a
//     process, with nothing left to do, exits *invisibly*, in the same step as its last event, or
//     as the event that has started it. Its exit commutes with everything that others do, so no
//     class of executions is lost.
//   - No event looks at what is a process's own affair: no query of a table by pattern (ets:match,
//     ets:select, …), no look at the messages or the dictionary of another process, no other group
//     leader from outside. Then events need not report it (machine/watched.h).
//   - Nobody can tell whether a signal takes effect when it is sent or later (late_signals.h).
//   - The program uses no service (machine/services.h) but those that have been started before the
//     first event. OTP's services are there from the beginning: that one is started is not
//     something that the first process to ask it does.
//
// Whether they hold shows only in the course of the search. A process is *referenced* if another
// one does anything with it, whether it is alive or not. Once a process is referenced that has
// exited invisibly in any execution, or something is watched that was not, what has been explored
// so far may lack executions; once a service is started, it has events that it should not have:
// needs_restart() is then true, the search drops everything and starts over, with the assumption
// weakened. It ends, since each restart adds a process to the referenced ones, or a service, or
// switches something off; and after kMaxRestarts because of exits all exits are visible.
//
// Example: C = spawn(fun() -> P ! a end), receive a -> is_process_alive(C) end. In the first
// execution C sends a and exits invisibly; then P refers to C. The search restarts, with C
// referenced: now C's exit is an event of its own, and both its orders with is_process_alive(C)
// are explored.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/by_process.h"
#include "explore/record.h"

namespace fathom::explore {

class Assumptions {
 public:
  explicit Assumptions(machine::Machine& m) : machine_(m), watched_(m.events().watched()) {}

  // The search starts, or starts over: starts services.
  void begin();
  // From now on processes may exit invisibly. Without it there is never a restart because of that.
  void allow_invisible_exits() { allows_invisible_exits_ = true; }

  // Of a process that has run as far as it could: whether it may exit now, since nobody would see
  // its exit.
  bool may_exit_invisibly(const machine::Process& p) const;
  void exit_invisibly(machine::Process& p);
  // An event was performed: it may refer to processes, or look at something.
  void note(const Record& record);
  // It can be told when signals of the channel take effect.
  void note_late(const machine::Channel& channel) {
    if (watched_.add_late(channel)) needs_restart_ = true;
  }

  // Whether an assumption was wrong, and the search has to be restarted.
  bool needs_restart() const { return needs_restart_; }
  void restart();

 private:
  static constexpr uint32_t kMaxRestarts = 8;

  struct ProcessInfo {
    bool is_referenced = false;
    bool has_exited_invisibly = false;  // in any execution
    // Also in any execution.
    bool asks = false;        // another process, and waits for the answer
    bool shows_mail = false;  // process_info of another one has shown its messages
  };

  void note_references(const Record& record);
  void note_answers(const Record& record);
  void add_reference(uint64_t process);

  machine::Machine& machine_;
  ByProcess<ProcessInfo> processes_;
  machine::Watched watched_;  // in any execution; the machine knows of it from the restart on
  bool allows_invisible_exits_ = false;
  bool has_invisible_exits_ = false;  // there was one, in any execution
  bool needs_restart_ = false;
  bool is_exit_visible_ = false;  // that is why
  uint64_t services_ = 0;         // that were there at the beginning
  uint32_t restarts_ = 0;         // because of exits
};

}  // namespace fathom::explore
