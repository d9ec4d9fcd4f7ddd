#include "interleavings.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <vector>

#include "machine/driver.h"
#include "machine/process_name.h"
#include "machine_values.h"

namespace fathom::explore {
namespace {

using machine::Choice;
using machine::Choices;
using machine::Event;
using machine::EventKind;
using machine::Machine;
using machine::Process;
using machine::Thing;
using machine::TouchMode;

// Time-outs from here on happen only when nothing else can.
constexpr int64_t kLong = 1'000'000'000;  // nanoseconds

struct Touched {
  Thing thing;
  TouchMode mode;
  uint64_t id;
  std::string part;  // empty: all of it
};

struct Done {
  uint64_t who;  // number of the process, or of the timer
  size_t nth;    // of those of the same, from 0
  EventKind kind;
  std::vector<Touched> touched;
  std::vector<std::pair<uint64_t, uint32_t>> sent;            // to whom, which of its messages
  std::optional<std::pair<uint64_t, uint32_t>> taken;         // the same
  std::vector<std::pair<std::string, std::string>> ended;     // process, reason
};

bool is_in_conflict(const Touched& a, const Touched& b) {
  if (a.thing != b.thing || a.id != b.id) return false;
  if (!a.part.empty() && !b.part.empty() && a.part != b.part) return false;
  return a.mode != b.mode || a.mode == TouchMode::Write;
}

bool is_in_conflict(const Done& a, const Done& b) {
  for (const Touched& x : a.touched) {
    for (const Touched& y : b.touched) {
      if (is_in_conflict(x, y)) return true;
    }
  }
  return false;
}

class Walk {
 public:
  Walk(Machine& m, uint64_t limit) : m_(m), limit_(limit) {}

  Interleavings run() {
    come_to_events();
    enter();
    while (!stack_.empty() && found_.is_complete) {
      Level& level = stack_.back();
      m_.rewind(level.mark);
      trace_.resize(stack_.size() - 1);
      if (level.next == level.choices.size()) {
        m_.release();
        stack_.pop_back();
        continue;
      }
      step(level.choices[level.next++]);
      enter();
    }
    return std::move(found_);
  }

 private:
  struct Level {
    Machine::Mark mark;
    std::vector<Choice> choices;
    size_t next = 0;
  };

  // What happens between two events of a process concerns nobody else.
  void come_to_events() {
    constexpr int64_t kReductions = 100'000;
    for (Process* p = unseen(); p; p = unseen()) m_.resume(*p, kReductions);
  }

  Process* unseen() const {
    for (Process* p = m_.processes().first_runnable(); p; p = p->next) {
      if (!p->is_at_event) return p;
    }
    return nullptr;
  }

  void step(const Choice& choice) {
    machine::perform(m_, choice);
    note(choice, m_.event());
    come_to_events();
  }

  void enter() {
    std::vector<Choice> choices;
    for (Process* p = m_.processes().first_runnable(); p; p = p->next) {
      choices.push_back({.process = p});
    }
    std::optional<Choice> last;
    m_.shared().timers.for_each([&](uint64_t number, const machine::Timer& timer) {
      if (timer.duration < kLong) {
        choices.push_back({.timer = number});
      } else if (!last) {
        last = Choice{.timer = number};
      }
    });
    if (choices.empty() && last) choices.push_back(*last);
    if (choices.empty()) return complete();
    stack_.push_back({m_.mark(), std::move(choices)});
  }

  void note(const Choice& choice, const Event& event) {
    Done done{.who = choice.process ? choice.process->pid.local_number() : choice.timer,
              .nth = 0,
              .kind = event.kind,
              .touched = {},
              .sent = {},
              .taken = {},
              .ended = {}};
    for (const Done& before : trace_) done.nth += before.who == done.who ? 1 : 0;
    for (const machine::Touch& t : event.touched) {
      const std::string part = t.part.is_none() ? "" : machine::shown(t.part);
      if (t.thing != Thing::Mailbox) {
        done.touched.push_back({t.thing, t.mode, t.id, part});
      } else if (event.kind == EventKind::Receive) {
        done.taken = {t.id, static_cast<uint32_t>(t.part.small())};
      } else if (t.mode == TouchMode::Append) {
        done.sent.emplace_back(t.id, static_cast<uint32_t>(t.part.small()));
      }
    }
    for (const machine::Ended& end : event.ended) {
      done.ended.emplace_back(machine::lineage_name(end.lineage), machine::shown(end.reason));
    }
    trace_.push_back(std::move(done));
  }

  void complete() {
    if (++found_.count > limit_) found_.is_complete = false;
    found_.classes.insert(class_of_trace());
    found_.endings.insert(ending());
  }

  std::string class_of_trace() const {
    std::map<std::pair<uint64_t, uint32_t>, size_t> senders;
    std::set<std::string> facts;
    for (size_t i = 0; i < trace_.size(); ++i) {
      const Done& done = trace_[i];
      const std::string name = fmt::format("{}.{}", done.who, done.nth);
      facts.insert(fmt::format("{}={}", name, static_cast<int>(done.kind)));
      for (const auto& message : done.sent) senders[message] = i;
      if (done.taken) {
        const Done& sender = trace_[senders.at(*done.taken)];
        size_t which = 0;  // of those that the event has sent to the process
        for (const auto& message : sender.sent) {
          if (message == *done.taken) break;
          which += message.first == done.taken->first ? 1 : 0;
        }
        facts.insert(fmt::format("{}<-{}.{}.{}", name, sender.who, sender.nth, which));
      }
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

  std::string ending() const {
    std::map<std::string, std::string> ends;
    for (const Done& done : trace_) {
      for (const auto& [process, reason] : done.ended) ends[process] = ": " + reason;
    }
    m_.processes().for_each([&](const Process& p) {
      if (!p.is_system) ends[machine::process_name(p)] = " waits";
    });
    std::string text;
    for (const auto& [process, end] : ends) text += (text.empty() ? "" : "; ") + process + end;
    return text;
  }

  Machine& m_;
  uint64_t limit_;
  Interleavings found_;
  std::vector<Level> stack_;
  std::vector<Done> trace_;
};

}  // namespace

Interleavings all_interleavings(Machine& m, uint64_t limit) { return Walk(m, limit).run(); }

}  // namespace fathom::explore
