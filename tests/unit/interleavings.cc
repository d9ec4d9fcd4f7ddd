#include "interleavings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "machine/driver.h"
#include "machine/process_name.h"
#include "machine_values.h"

namespace fathom::explore {
namespace {

using machine::AccessMode;
using machine::Event;
using machine::EventKind;
using machine::Machine;
using machine::Process;
using machine::SharedObject;
using machine::Transition;

// Time-outs from here on happen only when nothing else can.
constexpr int64_t kLong = 1'000'000'000;  // nanoseconds

struct Touched {
  SharedObject object;
  AccessMode mode;
  uint64_t id;
  std::string part;     // empty: all of it
  std::string content;  // that is there then; empty: it depends
};

using Message = std::pair<uint64_t, uint32_t>;  // to whom, which of its messages

struct Done {
  uint64_t choice;  // the number of the process, of the timer or of the channel
  // The same, but the time-out of a receive belongs to the process that waits.
  uint64_t who;
  size_t nth;  // of those of the same, from 0
  EventKind kind;
  std::vector<Touched> accesses;
  std::vector<Message> sent;                               // to whom, which of its messages
  std::optional<Message> taken;                            // the same
  std::vector<std::pair<std::string, std::string>> ended;  // process, reason
  std::vector<uint64_t> mailboxes;  // that it puts something into, or looks at
  std::vector<uint64_t> inspected;  // those of them into which it looks without a receive
};

bool is_in_conflict(const Touched& a, const Touched& b) {
  if (a.object != b.object || a.id != b.id) return false;
  if (!a.part.empty() && !b.part.empty() && a.part != b.part) return false;
  if (a.mode != b.mode) return true;
  const bool is_same = !a.part.empty() && !a.content.empty() && a.content == b.content;
  return a.mode == AccessMode::Write && !is_same;
}

bool meets_look(const Done& a, const Done& b) {
  return std::any_of(a.inspected.begin(), a.inspected.end(), [&](uint64_t mailbox) {
    const auto in = [&](const std::vector<uint64_t>& all) {
      return std::find(all.begin(), all.end(), mailbox) != all.end();
    };
    return in(b.mailboxes) && !in(b.inspected);
  });
}

bool is_in_conflict(const Done& a, const Done& b) {
  if (meets_look(a, b) || meets_look(b, a)) return true;
  for (const Touched& x : a.accesses) {
    for (const Touched& y : b.accesses) {
      if (is_in_conflict(x, y)) return true;
    }
  }
  return false;
}

// `ended`: the names of those that have, each with the reason; the others wait.
std::string ending_text(Machine& m, const std::map<std::string, std::string>& ended) {
  std::map<std::string, std::string> all;
  for (const auto& [process, reason] : ended) all[process] = ": " + reason;
  m.processes().for_each([&](const Process& p) {
    if (!p.is_system) all[machine::process_name(p)] = " waits";
  });
  std::string text;
  for (const auto& [process, end] : all) {
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ", process, end);
  }
  return text;
}

class Walk {
 public:
  Walk(Machine& m, uint64_t limit, bool only_counts)
      : m_(m), limit_(limit), only_counts_(only_counts) {}

  // If something is looked at of which the machine has not told (watched.h), from the beginning.
  Interleavings run() {
    const Machine::Mark beginning = m_.mark();
    walk();
    while (is_void_) {
      m_.rewind(beginning);
      m_.events().watch(watched_);
      is_void_ = false;
      count_ = 0;
      found_ = {};
      trace_.clear();
      walk();
    }
    m_.rewind(beginning);
    m_.release();
    return std::move(found_);
  }

 private:
  void walk() {
    come_to_events();
    enter();
    while (!stack_.empty() && found_.is_complete) {
      if (is_void_) {
        m_.release();
        stack_.pop_back();
        continue;
      }
      Level& level = stack_.back();
      m_.rewind(level.mark);
      if (!only_counts_) trace_.resize(stack_.size() - 1);
      if (level.next == level.choices.size()) {
        m_.release();
        stack_.pop_back();
        continue;
      }
      step(level.choices[level.next++]);
      enter();
    }
  }

  static constexpr int64_t kReductions = 100'000;

  struct Level {
    Machine::Mark mark;
    std::vector<Transition> choices;
    size_t next = 0;
  };

  // What happens between two events of a process concerns nobody else.
  void come_to_events() {
    for (Process* p = unseen(); p; p = unseen()) m_.resume(*p, kReductions);
  }

  Process* unseen() const {
    for (Process* p = m_.processes().first_runnable(); p; p = p->next) {
      if (!p->is_at_event) return p;
    }
    return nullptr;
  }

  void step(const Transition& choice) {
    uint64_t who = number(choice);
    if (!choice.process && choice.to.is_none()) {
      const machine::Timer& timer = m_.shared().timers.get(choice.timer);
      if (timer.message.is_none()) who = timer.destination.local_number();
    }
    machine::perform(m_, choice);
    is_void_ = watched_.add(m_.events().event()) || is_void_;
    if (!only_counts_) note(choice, who, m_.events().event());
    come_to_events();
  }

  // Whether time can be up for it: not for a receive that has found its message.
  bool can_fire(const machine::Timer& timer) const {
    if (!timer.message.is_none()) return true;
    return m_.processes().find(timer.destination)->status == Process::Status::Waiting;
  }

  void enter() {
    std::vector<Transition> choices;
    for (Process* p = m_.processes().first_runnable(); p; p = p->next) {
      choices.push_back({.process = p});
    }
    m_.shared().transit.for_each([&](const machine::Transit::Pair& pair) {
      choices.push_back({.from = pair.from, .to = pair.to});
    });
    std::optional<Transition> last;
    m_.shared().timers.for_each([&](uint64_t number, const machine::Timer& timer) {
      if (!can_fire(timer)) return;
      // Of one that is set to a moment: since the beginning. That is enough for programs in which
      // no such timer is set after a long time.
      const int64_t duration =
          timer.is_absolute ? *m_.shared().timers.time_of(number) : timer.duration;
      if (duration < kLong) {
        choices.push_back({.timer = number});
      } else if (!last) {
        last = Transition{.timer = number};
      }
    });
    if (choices.empty() && last) choices.push_back(*last);
    if (choices.empty()) return complete();
    stack_.push_back({m_.mark(), std::move(choices)});
  }

  void note(const Transition& choice, uint64_t who, const Event& event) {
    Done done{.choice = number(choice),
              .who = who,
              .nth = 0,
              .kind = event.kind,
              .accesses = {},
              .sent = {},
              .taken = {},
              .ended = {},
              .mailboxes = {},
              .inspected = {}};
    // A process that performs an event lives, and its exit has not begun.
    done.accesses.push_back({SharedObject::Life, AccessMode::Read, who, "", ""});
    done.accesses.push_back({SharedObject::Exiting, AccessMode::Read, who, "", ""});
    for (const Done& before : trace_) done.nth += before.who == done.who ? 1 : 0;
    for (const machine::Access& t : event.accesses) {
      const std::string part = t.part.is_none() ? "" : machine::shown(t.part);
      const std::string content = t.content.is_none() ? "" : machine::shown(t.content);
      if (t.object != SharedObject::Mailbox) {
        done.accesses.push_back({t.object, t.mode, t.id, part, content});
        continue;
      }
      done.mailboxes.push_back(t.id);
      if (event.kind == EventKind::Info) done.inspected.push_back(t.id);
      if (event.kind == EventKind::Receive) {
        done.taken = {t.id, static_cast<uint32_t>(t.part.small())};
      } else if (t.mode == AccessMode::Append) {
        done.sent.emplace_back(t.id, static_cast<uint32_t>(t.part.small()));
      }
    }
    for (const machine::SentMessage& sent : event.sent) done.mailboxes.push_back(sent.to);
    for (const machine::ProcessExit& end : event.exits) {
      done.ended.emplace_back(machine::lineage_name(end.lineage), machine::shown(end.reason));
    }
    trace_.push_back(std::move(done));
  }

  void complete() {
    if (++count_ > limit_) {
      found_.is_complete = false;
      return;
    }
    if (only_counts_) return;
    const std::string* in = &*found_.classes.insert(class_of_trace()).first;
    const std::string* end = &*found_.endings.insert(ending()).first;
    Steps sequence;
    sequence.reserve(trace_.size());
    for (const Done& done : trace_) sequence.push_back(done.choice);
    for (size_t i = 0; i + 1 < trace_.size(); ++i) {
      if (!may_change_places(i)) continue;
      Steps other = sequence;
      std::swap(other[i], other[i + 1]);
      found_.swapped.emplace(std::move(other), in);
    }
    found_.sequences[std::move(sequence)] = {in, end};
  }

  // The event and the next one. Of two that have to do with one mailbox only the receiver's
  // patterns could tell, which nobody knows here.
  bool may_change_places(size_t i) const {
    const Done& a = trace_[i];
    const Done& b = trace_[i + 1];
    if (a.who == b.who || is_in_conflict(a, b)) return false;
    for (const uint64_t mailbox : a.mailboxes) {
      if (std::find(b.mailboxes.begin(), b.mailboxes.end(), mailbox) != b.mailboxes.end()) {
        return false;
      }
    }
    const std::vector<Transition>& before = stack_[i].choices;
    return std::any_of(before.begin(), before.end(),
                       [&](const Transition& choice) { return number(choice) == b.choice; });
  }

  static uint64_t number(const Transition& choice) {
    if (choice.process) return choice.process->pid.local_number();
    if (choice.to.is_none()) return choice.timer;
    constexpr uint64_t kChannels = uint64_t{1} << 60;  // beyond all processes and timers
    return kChannels + (choice.from.local_number() << 30) + choice.to.local_number();
  }

  std::string class_of_trace() const {
    std::map<Message, size_t> senders;
    std::set<std::string> facts;
    for (size_t i = 0; i < trace_.size(); ++i) {
      const Done& done = trace_[i];
      const std::string name = fmt::format("{}.{}", done.who, done.nth);
      facts.insert(fmt::format("{}={}", name, static_cast<int>(done.kind)));
      for (const auto& message : done.sent) senders[message] = i;
      if (done.taken) facts.insert(fmt::format("{}<-{}", name, sender_text(*done.taken, senders)));
      for (size_t j = 0; j < i; ++j) {
        const Done& before = trace_[j];
        if (before.who == done.who || !is_in_conflict(before, done)) continue;
        facts.insert(fmt::format("{}.{}<{}", before.who, before.nth, name));
      }
    }
    std::string text;
    for (const std::string& fact : facts) text += fact + " ";
    return text;
  }

  // Who has sent it, in which event, as which of its messages to that process. Services act
  // inside the events of others; what they send is known by its number.
  std::string sender_text(const Message& taken, const std::map<Message, size_t>& senders) const {
    const auto found = senders.find(taken);
    if (found == senders.end()) return fmt::format("message {}", taken.second);
    const Done& sender = trace_[found->second];
    size_t which = 0;
    for (const Message& message : sender.sent) {
      if (message == taken) break;
      which += message.first == taken.first ? 1 : 0;
    }
    return fmt::format("{}.{}.{}", sender.who, sender.nth, which);
  }

  std::string ending() const {
    std::map<std::string, std::string> ended;
    for (const Done& done : trace_) ended.insert(done.ended.begin(), done.ended.end());
    return ending_text(m_, ended);
  }

  Machine& m_;
  uint64_t limit_;
  bool only_counts_;
  uint64_t count_ = 0;
  bool is_void_ = false;
  machine::Watched watched_;
  Interleavings found_;
  std::vector<Level> stack_;
  std::vector<Done> trace_;
};

}  // namespace

std::string ending_text(const Execution& execution) {
  std::map<std::string, std::string> ended;
  for (EventIndex i{}; i < execution.trace().end(); ++i) {
    const Record& record = execution.trace()[i];
    for (const machine::ProcessExit& end : record.event.exits) {
      ended[machine::lineage_name(end.lineage)] = machine::shown(end.reason);
    }
    for (const uint64_t exited : record.invisible_exits)
      ended[*execution.actors().find_name(exited)] = "normal";
  }
  return ending_text(execution.machine(), ended);
}

Interleavings all_interleavings(Machine& m, uint64_t limit) { return Walk(m, limit, false).run(); }

bool has_at_most(Machine& m, uint64_t limit) { return Walk(m, limit, true).run().is_complete; }

}  // namespace fathom::explore
