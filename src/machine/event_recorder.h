// What is reported of the step that is going on.
//
// A machine that is observed (Mode::is_observed) performs at most one event in a step. While
// it does, whatever code accesses a shared object, sends a message or ends a process adds
// that here; a step that performs no event records nothing. A driver may have the event written
// where it keeps it (report_to), so that it is not copied.
//
// A step goes like this: begin_step() clears the event; allow_event() says that the process may
// perform the one event before which it stands; the instruction or native function that is an event
// takes that permission, and calls begin_event(). Until the step is over, what is accessed belongs
// to the event. If there is no permission, the process stops before the event instead.
//
// Invariant: at most one event in a step, since the permission is taken once.
#pragma once

#include <utility>

#include "machine/event.h"
#include "machine/process.h"
#include "machine/watched.h"

namespace fathom::machine {

class EventRecorder {
 public:
  const Event& event() const { return *event_; }
  Event& current() { return *event_; }
  // An event is being performed.
  bool is_recording() const { return event_->kind != EventKind::None; }
  // From now on events are written there; null: as at first.
  void report_to(Event* into) { event_ = into ? into : &own_; }

  void begin_step() { event_->clear(); }
  // The process that goes on stands before an event: it may perform that one, and no other.
  void allow_event(bool is_allowed) { is_allowed_ = is_allowed; }
  bool take_permission() { return std::exchange(is_allowed_, false); }
  void begin_event(EventKind kind, Value process) {
    event_->kind = kind;
    event_->process = process;
  }

  void access(const Access& access) {
    if (is_recording()) event_->accesses.push_back(access);
  }
  void access(SharedObject object, AccessMode mode, uint64_t id, Value part = Value::none()) {
    access({object, mode, id, part});
  }
  void access(SharedObject object, AccessMode mode, const Process& p, Value part = Value::none()) {
    access(object, mode, p.pid.local_number(), part);
  }
  void send(const SentMessage& message) {
    if (!is_recording()) return;
    event_->sent.push_back(message);
    if (!watched_.has_mailbox(message.to)) return;
    // Equal messages commute.
    access({SharedObject::MailboxOrder, AccessMode::Write, message.to, Value::small(0),
            message.message});
  }
  // A message that reaches nobody: the process has ended, or does not want it any more.
  void lose(uint64_t process, Value message, Value monitor = Value::none()) {
    send({process, message, SentMessage::kUndelivered, monitor});
  }
  void end(const ProcessExit& process) {
    if (is_recording()) event_->exits.push_back(process);
  }

  // What is reported because others look at it. It stays so when the machine goes back: a search
  // restarts instead (explore/assumptions.h).
  const Watched& watched() const { return watched_; }
  void watch(const Watched& watched) { watched_ = watched; }

  template <class Visitor>
  void visit_values(Visitor&& visit) {
    event_->visit_values(visit);
  }

 private:
  Event own_;
  Event* event_ = &own_;
  bool is_allowed_ = false;
  Watched watched_;
};

}  // namespace fathom::machine
