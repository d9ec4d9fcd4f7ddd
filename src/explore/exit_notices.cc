#include "explore/exit_notices.h"

#include <algorithm>

#include "explore/execution.h"

namespace fathom::explore {

using machine::Event;
using machine::EventKind;
using machine::SentMessage;
using machine::Value;

namespace {

template <class T>
void drop_from(std::vector<T>& items, EventIndex from) {
  while (!items.empty() && items.back().event >= from) items.pop_back();
}

bool is_exit_message(Value message) {
  static const Atom exit = Atom::intern("EXIT");
  return message.is_tuple(3) && message.element(0).is_atom(exit) &&
         message.element(1).is_local_pid();
}

// Of which process the 'DOWN' message is; it may have been monitored by its name. 0: not known.
uint64_t subject_of(const Event& event, Value message) {
  const Value item = message.element(3);
  if (item.is_local_pid()) return item.local_number();
  return event.exits.empty() ? 0 : event.exits[0].process.local_number();
}

// exit(Pid, kill) by an application master, of a process that its application has left.
bool is_end_of_application(const Event& event) {
  static const Atom application_master = Atom::intern("application_master");
  static const Atom exit = Atom::intern("exit");
  return event.native && event.native->name == exit && event.arguments.size() == 2 &&
         event.arguments[0].is_local_pid() && event.place &&
         event.place->module == application_master;
}

bool is_system(const EndedExecution& e, uint64_t process) {
  const machine::Process* p = e.execution.machine().processes().find(Value::pid(process));
  return p && p->is_system;
}

}  // namespace

void ExitNotices::note(const EndedExecution& e) {
  drop_from(notices_, e.fresh_from);
  drop_from(flushed_, e.fresh_from);
  drop_from(taken_, e.fresh_from);
  for (EventIndex i = e.fresh_from; i < e.trace().end(); ++i) {
    const EventKind kind = e.trace().summary(i).kind;
    const bool may_tell = e.trace().summary(i).sends || kind == EventKind::ExitSignal;
    if (!may_tell && kind != EventKind::Demonitor && kind != EventKind::Receive) continue;
    const Event& event = e.trace()[i].event;
    if (event.kind == EventKind::Demonitor) note_demonitor(i, event);
    if (event.kind == EventKind::Receive) note_receive(i, event);
    if (is_end_of_application(event)) {
      notices_.push_back({.event = i,
                          .of = event.arguments[0].local_number(),
                          .watcher = event.process.local_number(),
                          .monitor = {},
                          .reason = event.arguments[1]});
    }
    // What a program sends itself is not a notice, whatever it looks like.
    if (event.kind == EventKind::Send || event.kind == EventKind::Timer) continue;
    for (const SentMessage& sent : event.sent) note_sent(e, i, sent);
  }
}

void ExitNotices::note_sent(const EndedExecution& e, EventIndex i, const SentMessage& sent) {
  const Value message = sent.message;
  ExitNotice notice{.event = i, .watcher = sent.to, .monitor = {}, .reason = {}};
  if (!sent.monitor.is_none() && message.is_tuple(5)) {
    notice.of = subject_of(e.trace()[i].event, message);
    notice.monitor = sent.monitor.reference_number();
    notice.reason = message.element(4);
  } else if (is_exit_message(message)) {
    notice.of = message.element(1).local_number();
    notice.reason = message.element(2);
  } else {
    return;
  }
  if (notice.of != 0 && notice.of != notice.watcher && !is_system(e, notice.watcher)) {
    notices_.push_back(notice);
  }
}

void ExitNotices::note_demonitor(EventIndex i, const Event& event) {
  static const Atom flush = Atom::intern("flush");
  if (event.arguments.size() < 2 || !event.arguments[0].is_box(machine::BoxKind::Reference)) return;
  for (Value option = event.arguments[1]; option.is_cons(); option = option.tail()) {
    if (!option.head().is_atom(flush)) continue;
    return flushed_.push_back({i, event.arguments[0].reference_number()});
  }
}

// What may be a notice; a message that only looks like one does no harm.
void ExitNotices::note_receive(EventIndex i, const Event& event) {
  const Value message = event.arguments[0];
  const uint64_t watcher = event.process.local_number();
  if (is_exit_message(message)) {
    taken_.push_back({i, watcher, {}, message.element(1).local_number()});
  } else if (message.is_tuple(5) && message.element(1).is_box(machine::BoxKind::Reference)) {
    taken_.push_back({i, watcher, message.element(1).reference_number(), 0});
  }
}

bool ExitNotices::is_taken(const ExitNotice& notice) const {
  return std::any_of(taken_.begin(), taken_.end(), [&](const Taken& taken) {
    return taken.watcher == notice.watcher && taken.monitor == notice.monitor &&
           (notice.monitor || taken.of == notice.of);
  });
}

bool ExitNotices::is_flushed(const ExitNotice& notice) const {
  return notice.monitor && std::any_of(flushed_.begin(), flushed_.end(), [&](const Flushed& f) {
           return f.monitor == *notice.monitor;
         });
}

void ExitNotices::clear() {
  notices_.clear();
  flushed_.clear();
  taken_.clear();
}

}  // namespace fathom::explore
