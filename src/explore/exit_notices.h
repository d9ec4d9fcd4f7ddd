// Who is told of the exit of a process: those that monitor it, by a 'DOWN' message, and those that
// are linked to it and trap exits, supervisors among them, by an 'EXIT' message. Whether it was
// watched before its exit or only afterwards (the reason is noproc then) makes no difference.
//
// An application master that ends what its application has left (application:stop/1) knows what it
// does, as a supervisor does, and counts as told.
//
// Not told are those that have removed the monitor, or remove it with `flush`, which looks at
// nothing, and the system's own processes: what timer_server knows does not help the program.
//
// Two events may commute here although one tells and the other ends who is told: then the message
// is lost, and the machine says so (EventRecorder::lose). Since the search explores only one of
// the two orders, a lost message counts like any other: who watches when it ends itself would have
// been told. The same holds for a monitor that is removed with `flush`, before or after the exit:
// neither counts.
//
// Kept from one execution to the next for the part that they share. O(fresh events, and what
// they send).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/ended_execution.h"

namespace fathom::explore {

struct ExitNotice {
  EventIndex event;
  uint64_t of = 0;                  // the process that has exited: the number of its pid
  uint64_t watcher = 0;             // that is told
  std::optional<uint64_t> monitor;  // its reference; none: by a link
  machine::Value reason;            // as it is told
};

class ExitNotices {
 public:
  void note(const EndedExecution& e);
  void clear();
  // Whether the watcher has received it: only then can it have acted on it.
  bool is_taken(const ExitNotice& notice) const;
  // In the order of time: f(notice) for those that count.
  template <class F>
  void for_each_of(uint64_t process, F&& f) const {
    for (const ExitNotice& notice : notices_) {
      if (notice.of == process && !is_flushed(notice)) f(notice);
    }
  }

 private:
  struct Flushed {
    EventIndex event;
    uint64_t monitor;
  };
  struct Taken {
    EventIndex event;
    uint64_t watcher;
    std::optional<uint64_t> monitor;  // none: an 'EXIT' message
    uint64_t of;                      // of that: whose
  };
  void note_receive(EventIndex i, const machine::Event& event);
  void note_sent(const EndedExecution& e, EventIndex i, const machine::SentMessage& sent);
  void note_demonitor(EventIndex i, const machine::Event& event);
  bool is_flushed(const ExitNotice& notice) const;

  std::vector<ExitNotice> notices_;
  std::vector<Flushed> flushed_;
  std::vector<Taken> taken_;
};

}  // namespace fathom::explore
