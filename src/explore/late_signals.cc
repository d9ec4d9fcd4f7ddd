#include "explore/late_signals.h"

#include <algorithm>
#include <optional>
#include <span>

namespace fathom::explore {

using machine::Access;
using machine::AccessMode;
using machine::EventKind;
using machine::SharedObject;
using machine::Value;

namespace {

// What a process does to itself on which the effect of signals depends that it was sent before.
struct Action {
  enum class Kind : uint8_t { Exit, Remove, Unlink, Flag, Look } kind;
  uint64_t process;              // that does it, and is the receiver of the signals
  Value object = Value::none();  // the reference that is removed, or the other end of the link
};

const Access* find_access(const Record& record, SharedObject object, AccessMode mode, uint64_t id) {
  const auto& accesses = record.event.accesses;
  const auto found = std::ranges::find_if(accesses, [&](const Access& access) {
    return access.object == object && access.mode == mode && access.id == id;
  });
  return found == accesses.end() ? nullptr : &*found;
}

// It is not what it was before.
bool changes_trapping(const machine::Event& event) {
  return event.arguments.size() == 2 && event.arguments[0] == machine::atom("trap_exit") &&
         event.arguments[1] != event.result;
}

std::optional<Action> action_of(const Record& record) {
  const machine::Event& event = record.event;
  switch (event.kind) {
    case EventKind::Exiting:
    case EventKind::Exit:
    case EventKind::ExitSignal:  // of the process itself
    case EventKind::Arrival: {
      const auto& accesses = event.accesses;
      const auto begun = std::ranges::find_if(accesses, [](const Access& access) {
        return access.object == SharedObject::Exiting && access.mode == AccessMode::Write;
      });
      if (begun == accesses.end()) return std::nullopt;
      return Action{Action::Kind::Exit, begun->id};
    }
    case EventKind::Unalias:
    case EventKind::Demonitor:
      return Action{Action::Kind::Remove, record.process, event.arguments[0]};
    case EventKind::Unlink:
      return Action{Action::Kind::Unlink, record.process, event.arguments[0]};
    case EventKind::Flag:
      if (!changes_trapping(event)) return std::nullopt;
      return Action{Action::Kind::Flag, record.process};
    case EventKind::Info:
      // At its own messages.
      if (!find_access(record, SharedObject::Mailbox, AccessMode::Read, record.process)) {
        return std::nullopt;
      }
      return Action{Action::Kind::Look, record.process};
    default:
      return std::nullopt;
  }
}

// Kinds of events that can be one.
bool may_be_action(EventKind kind) {
  switch (kind) {
    case EventKind::Exiting:
    case EventKind::Exit:
    case EventKind::ExitSignal:
    case EventKind::Arrival:
    case EventKind::Unalias:
    case EventKind::Demonitor:
    case EventKind::Unlink:
    case EventKind::Flag:
    case EventKind::Info:
      return true;
    default:
      return false;
  }
}

// Kinds of events that can send a signal whose effect depends on its receiver.
bool may_be_signal(EventKind kind) {
  switch (kind) {
    case EventKind::Link:
    case EventKind::Monitor:
    case EventKind::Send:
    case EventKind::ExitSignal:
    case EventKind::Exit:
      return true;
    default:
      return false;
  }
}

// Whether the effect of such a signal may depend on the action, as far as their kinds say.
bool may_depend(EventKind signal, Action::Kind action) {
  switch (action) {
    case Action::Kind::Exit:
      return signal == EventKind::Link || signal == EventKind::Monitor;
    case Action::Kind::Unlink:
      return signal == EventKind::Exit;
    default:
      return true;
  }
}

// Of events of the process that has set a monitor: whether the monitor has been sent by then.
bool lets_go(EventKind kind) {
  switch (kind) {
    case EventKind::Receive:
    case EventKind::Link:
    case EventKind::Unlink:
    case EventKind::Monitor:
    case EventKind::Demonitor:
    case EventKind::ExitSignal:
      return true;
    default:
      return false;
  }
}

bool sends_to(const Record& record, uint64_t process) {
  return std::ranges::any_of(record.event.sent,
                             [&](const machine::SentMessage& sent) { return sent.to == process; });
}

// Whether a process has told itself that there is no process to link to or to monitor.
bool is_refused(const Record& record) {
  const EventKind kind = record.event.kind;
  return (kind == EventKind::Monitor || kind == EventKind::Link) &&
         sends_to(record, record.process);
}

bool has_reference(const Record& record, Value reference) {
  return std::ranges::any_of(record.event.accesses, [&](const Access& access) {
    return access.object == SharedObject::Links && access.id == 0 && access.part == reference;
  });
}

// Who has sent the signal, if the effect of one that the event sends depends on the action.
std::optional<uint64_t> sender_of(const Record& record, const Action& action) {
  const machine::Event& event = record.event;
  const uint64_t to = action.process;
  if (record.process == 0 || record.process == to) return std::nullopt;
  switch (action.kind) {
    case Action::Kind::Look:
      return sends_to(record, to) ? std::optional(record.process) : std::nullopt;
    case Action::Kind::Exit: {
      const bool is_request = event.kind == EventKind::Link || event.kind == EventKind::Monitor;
      const bool is_its =
          is_request && find_access(record, SharedObject::Links, AccessMode::Write, to);
      return is_its ? std::optional(record.process) : std::nullopt;
    }
    case Action::Kind::Remove: {
      const bool is_its = has_reference(record, action.object) && sends_to(record, to);
      return is_its ? std::optional(record.process) : std::nullopt;
    }
    case Action::Kind::Unlink: {
      const bool is_its =
          action.object == Value::pid(record.process) && event.kind == EventKind::Exit;
      return is_its && sends_to(record, to) ? std::optional(record.process) : std::nullopt;
    }
    case Action::Kind::Flag:
      return find_access(record, SharedObject::Flags, AccessMode::Read, to)
                 ? std::optional(record.process)
                 : std::nullopt;
  }
  return std::nullopt;
}

// Looks for the signals on which one action has an effect.
class ActionSearch {
 public:
  ActionSearch(const Trace& trace, Actors& actors, EventIndex index, const Action& action)
      : trace_(trace),
        action_(action),
        before_(event_before(actors, index)),
        post_(post_of(index)) {}

  // Whether an event of the receiver before the action happens after it, or the action is the
  // arrival of a signal that was sent after it: else the action can come first. It can also if the
  // first such event is an action that could. That link/1 fails is not the same as a link that
  // comes too late.
  bool must_come_first(EventIndex signal) const {
    if (is_link_that_would_fail(signal)) return true;
    if (is_after(post_, signal)) return true;
    if (!is_after(before_, signal)) return false;
    EventIndex first = before_;
    while (is_after(trace_.previous(first), signal)) first = trace_.previous(first);
    const std::optional<Action> action = action_of(trace_[first]);
    if (!action || !sender_of(trace_[signal], *action)) return true;
    return std::ranges::none_of(trace_.predecessors(first), [&](const Predecessor& p) {
      return p.index == signal && p.reason != Predecessor::Reason::Enabled &&
             trace_.is_direct(first, p);
    });
  }

  // Whether the receiver has looked at its signals since, at those up to a later one.
  bool was_looked_at(EventIndex signal) const {
    if (exists(post_) && is_behind(post_, signal)) return true;
    const auto receives = trace_.receives_of(action_.process);
    return std::ranges::any_of(receives, [&](EventIndex receive) {
      const Record& record = trace_[receive];
      if (!exists(before_) || receive > before_) return false;
      // One that has timed out has looked at all messages.
      if (!record.takes()) return action_.kind == Action::Kind::Look && is_after(receive, signal);
      return exists(record.taken_at) && is_behind(record.taken_at, signal);
    });
  }

 private:
  // By a process that does not trap exits.
  bool is_link_that_would_fail(EventIndex signal) const {
    static const Value trap_exit = machine::atom("trap_exit");
    if (trace_[signal].event.kind != EventKind::Link) return false;
    for (EventIndex i = trace_.previous(signal); exists(i); i = trace_.previous(i)) {
      const machine::Event& event = trace_[i].event;
      const bool is_trapping = event.kind == EventKind::Flag && event.arguments[0] == trap_exit;
      if (is_trapping) return event.arguments[1] != Value::boolean(true);
    }
    return true;
  }

  bool is_after(EventIndex event, EventIndex signal) const {
    return exists(event) && event > signal && trace_.happens_before(signal, event);
  }

  // Whether what the event has sent the receiver lies behind the signal in its queue. In OTP the
  // scheduler of who sets a monitor holds that back until the process sends the receiver a message,
  // or anybody a signal that is none, or waits itself.
  bool is_behind(EventIndex sent, EventIndex signal) const {
    if (sent == signal) return true;
    if (!is_after(sent, signal)) return false;
    if (trace_[signal].event.kind != EventKind::Monitor) return true;
    const ActorId sender = trace_[signal].id.actor;
    if (trace_[sent].id.actor == sender) return true;
    for (EventIndex i = signal + 1; i < sent; ++i) {
      const bool was_sent = trace_[i].id.actor == sender && lets_go(trace_[i].event.kind);
      if (was_sent && trace_.happens_before(i, sent)) return true;
    }
    return false;
  }

  // The last one of the process before the action.
  EventIndex event_before(Actors& actors, EventIndex index) const {
    if (trace_[index].process == action_.process) return trace_.previous(index);
    EventIndex last = trace_.last_of(actors.of_process(action_.process));
    while (exists(last) && last >= index) last = trace_.previous(last);
    return last;
  }

  // Of the arrival of a signal: the event that has sent it.
  EventIndex post_of(EventIndex index) const {
    if (trace_[index].event.kind != EventKind::Arrival) return kNoEvent;
    const auto predecessors = trace_.predecessors(index);
    const auto post =
        std::ranges::find(predecessors, Predecessor::Reason::Enabled, &Predecessor::reason);
    return post == predecessors.end() ? kNoEvent : post->index;
  }

  const Trace& trace_;
  Action action_;
  EventIndex before_;
  EventIndex post_;
};

}  // namespace

// ---- Refusals ---------------------------------------------------------------

namespace {

// Whether demonitor returns the same, and leaves the same, whether or not the message has come.
bool is_quiet(const machine::Event& demonitor) {
  static const Value flush = machine::atom("flush");
  static const Value info = machine::atom("info");
  bool flushes = false;
  if (demonitor.arguments.size() < 2) return false;
  for (Value list = demonitor.arguments[1]; list.is_cons(); list = list.tail()) {
    if (list.head() == info) return false;
    flushes = flushes || list.head() == flush;
  }
  return flushes;
}

// Whether the process, which was refused a link or a monitor, does something on which the effect of
// that signal depends.
bool depends_on_refusal(const Record& refused, const Record& record, const Action& action) {
  switch (action.kind) {
    case Action::Kind::Remove:
      return has_reference(refused, action.object) && !is_quiet(record.event);
    case Action::Kind::Flag:
      return refused.event.kind == EventKind::Link;
    case Action::Kind::Look:
      return true;
    default:
      return false;
  }
}

// In OTP that there is no process to link to or to monitor is a signal that the process sends
// itself, when its scheduler lets it.
void find_late_refusals(const Trace& trace, EventIndex index, const Action& action,
                        std::span<const EventIndex> signals,
                        std::vector<machine::Channel>& result) {
  const Record& record = trace[index];
  const bool may_tell = action.kind != Action::Kind::Exit && action.kind != Action::Kind::Unlink;
  if (!may_tell || record.process != action.process) return;
  const auto receives = trace.receives_of(action.process);
  for (const EventIndex i : signals) {
    if (i >= index) break;
    if (trace[i].process != action.process || !is_refused(trace[i])) continue;
    if (!depends_on_refusal(trace[i], record, action)) continue;
    const bool was_taken = std::ranges::any_of(receives, [&](EventIndex receive) {
      return receive < index && trace[receive].taken_at == i;
    });
    if (!was_taken) result.push_back({action.process, action.process});
  }
}

}  // namespace

// ---- Messages that are no message's -----------------------------------------

namespace {

// The channel of a message that OTP sends by itself, after what has caused it: that a process has
// ended or gives its tables away, or that there is none.
std::optional<machine::Channel> notice_channel(const Record& record, uint64_t to) {
  switch (record.event.kind) {
    case EventKind::Exit:
    case EventKind::Exiting:
    case EventKind::Table:
      if (record.process == 0 || record.process == to) return std::nullopt;
      return machine::Channel{record.process, to};
    case EventKind::Link:
    case EventKind::Monitor:
      if (record.process != to) return std::nullopt;
      return machine::Channel{to, to};
    default:
      return std::nullopt;
  }
}

// Of a receive that has taken the message of a monitor: the monitor; else none().
Value monitor_of(const Trace& trace, const Record& receive) {
  if (!receive.takes() || !exists(receive.taken_at)) return Value::none();
  const auto& sent = trace[receive.taken_at].event.sent;
  const auto found = std::ranges::find_if(sent, [&](const machine::SentMessage& message) {
    return message.to == receive.process && message.message == receive.event.arguments[0];
  });
  return found == sent.end() ? Value::none() : found->monitor;
}

// The event that has set the monitor, before the other event. Looked for from there back: most
// monitors are set shortly before.
EventIndex setting_of(const Trace& trace, Value monitor, EventIndex before) {
  while (before > EventIndex{}) {
    const machine::Event& event = trace[--before].event;
    if (event.kind != EventKind::Monitor && event.kind != EventKind::Spawn) continue;
    const Value result = event.result;
    if (result == monitor || (result.is_tuple(2) && result.element(1) == monitor)) return before;
  }
  return kNoEvent;
}

// A message that OTP sends by itself, and the receive that has taken it: whether it could have come
// later, since others get to know before of what has caused it.
class NoticeSearch {
 public:
  NoticeSearch(const Trace& trace, EventIndex receive)
      : trace_(trace), receive_(receive), cause_(trace[receive].taken_at) {}

  // Whether the receive would have timed out. To wait for a moment is enough for a refusal to come.
  bool may_time_out() const {
    const Record& record = trace_[receive_];
    if (!record.may_time_out) return false;
    if (is_refusal()) return record.event.timeout == Value::small(0);
    const EventIndex before = trace_.previous(receive_);
    return exists(before) && before > cause_ && comes_early(before);
  }

  // Whether the event has sent a message, after what has caused this one, that the receive could
  // have taken instead.
  bool may_be_overtaken_by(EventIndex other) const {
    const Record& sender = trace_[other];
    return sends_to(sender, trace_[receive_].process) && trace_.happens_before(cause_, other) &&
           !(other > receive_ && trace_.happens_before(receive_, other)) &&
           (is_refusal() || comes_early(other)) &&
           trace_.dependence().would_take(trace_[receive_], sender);
  }

 private:
  bool is_refusal() const { return trace_[cause_].process == trace_[receive_].process; }

  // Whether the event can happen before the message is sent, though it happens after what has
  // caused that: it happens after an event which has seen that cause without waiting for others
  // to be told of it.
  bool comes_early(EventIndex event) const {
    for (EventIndex i = cause_ + 1; i <= event; ++i) {
      const bool is_on_way = i == event || trace_.happens_before(i, event);
      if (is_on_way && has_seen_cause(i) && !is_told_later(i)) return true;
    }
    return false;
  }

  bool has_seen_cause(EventIndex event) const {
    if (sees_nothing(trace_[event].event.kind)) return false;
    return std::ranges::any_of(trace_.predecessors(event), [&](const Predecessor& p) {
      return p.index == cause_ && p.reason != Predecessor::Reason::Observed;
    });
  }

  // What is the same for its process before the cause.
  static bool sees_nothing(EventKind kind) {
    return kind == EventKind::Unlink || kind == EventKind::Demonitor || kind == EventKind::Monitor;
  }

  // In OTP those that are linked are told before those that monitor the process, and those in the
  // order in which they have set their monitors.
  bool is_told_later(EventIndex event) const {
    const Value other = monitor_of(trace_, trace_[event]);
    if (other.is_none()) return false;
    const Value monitor = monitor_of(trace_, trace_[receive_]);
    if (monitor.is_none()) return trace_[cause_].event.kind == EventKind::Exit;
    const EventIndex mine = setting_of(trace_, monitor, cause_);
    const EventIndex its = setting_of(trace_, other, cause_);
    return exists(mine) && exists(its) && mine < its && trace_.happens_before(mine, its);
  }

  const Trace& trace_;
  EventIndex receive_;
  EventIndex cause_;
};

// The channel of such a message, of a receive that has taken one.
std::optional<machine::Channel> taken_notice(const Trace& trace, EventIndex receive) {
  const Record& record = trace[receive];
  if (!record.takes() || !exists(record.taken_at)) return std::nullopt;
  return notice_channel(trace[record.taken_at], record.process);
}

// A receive that has taken such a message, where it could have come later: the receive takes
// another one, or times out.
void find_late_notice(const Trace& trace, EventIndex receive,
                      std::vector<machine::Channel>& result) {
  const auto channel = taken_notice(trace, receive);
  if (!channel) return;
  const NoticeSearch search(trace, receive);
  const EventIndex cause = trace[receive].taken_at;
  bool is_late = search.may_time_out();
  trace.for_each_after(trace[cause].id, cause + 1, trace.end(), [&](EventIndex other) {
    is_late = is_late ||
              (trace.summary(other).sends && other != receive && search.may_be_overtaken_by(other));
  });
  if (is_late) result.push_back(*channel);
}

// The same of receives before `from`, which messages that the event sends could have overtaken.
void find_overtaken_notices(const Trace& trace, EventIndex event, EventIndex from,
                            std::vector<machine::Channel>& result) {
  for (const machine::SentMessage& sent : trace[event].event.sent) {
    for (const EventIndex receive : trace.receives_of(sent.to)) {
      if (receive >= from) break;
      const EventIndex cause = trace[receive].taken_at;
      if (!exists(cause) || !trace.happens_before(cause, event)) continue;
      const auto channel = taken_notice(trace, receive);
      if (!channel) continue;
      if (NoticeSearch(trace, receive).may_be_overtaken_by(event)) result.push_back(*channel);
    }
  }
}

}  // namespace

// ---- Suspending -------------------------------------------------------------

namespace {

// Of a call of suspend_process; else none.
std::optional<machine::Channel> suspension(const Record& record) {
  const machine::Event& event = record.event;
  const bool suspends = event.kind == EventKind::Suspend && event.arguments.size() == 2;
  if (!suspends || !event.arguments[0].is_local_pid()) return std::nullopt;
  return machine::Channel{record.process, event.arguments[0].local_number()};
}

bool is_asynchronous(const machine::Event& event) {
  static const Value asynchronous = machine::atom("asynchronous");
  for (Value list = event.arguments[1]; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (option == asynchronous) return true;
    if (option.is_tuple(2) && option.element(0) == asynchronous) return true;
  }
  return false;
}

bool ends(const Record& record, Value process) {
  return std::ranges::any_of(record.event.exits, [&](const machine::ProcessExit& exit) {
    return exit.process == process;
  });
}

// Whether the call, which has found no process, may have begun before that had ended: its end does
// not happen before what the caller has done last.
bool may_have_begun_before_end(const Trace& trace, EventIndex call) {
  EventIndex end = call;
  while (!ends(trace[end], trace[call].event.arguments[0])) {
    if (end == EventIndex{}) return false;
    --end;
  }
  const auto is_known = [&](EventIndex before) {
    return exists(before) && end <= before && (end == before || trace.happens_before(end, before));
  };
  if (is_known(trace.previous(call))) return false;
  return std::ranges::none_of(trace.predecessors(call), [&](const Predecessor& p) {
    return p.reason == Predecessor::Reason::Enabled && is_known(p.index);
  });
}

// In OTP to suspend a process is a signal as well, and its sender waits for the answer. By default
// it takes effect at once. That it does not can be told
//
//   - where the process ends while the sender waits: the error is exited, not badarg;
//   - where the process was about to suspend another one: that signal may be on its way, so that
//     two processes suspend each other;
//   - where the sender does not wait (asynchronous).
void find_late_suspensions(const Trace& trace, EventIndex call,
                           std::vector<machine::Channel>& result) {
  static const Value badarg = machine::atom("badarg");
  const Record& record = trace[call];
  const auto channel = suspension(record);
  if (channel) {
    const bool is_late = is_asynchronous(record.event) ||
                         (record.event.result == badarg && may_have_begun_before_end(trace, call));
    if (is_late) result.push_back(*channel);
  }
  if (!channel && record.event.kind != EventKind::Arrival) return;
  for (const RecordPtr& disabled : record.disabled) {
    const auto other = suspension(*disabled);
    if (!other) continue;
    result.push_back(*other);
    if (channel) result.push_back(*channel);
  }
}

}  // namespace

void LateSignals::note_events(EventIndex from) {
  signals_.erase(std::ranges::lower_bound(signals_, from), signals_.end());
  for (EventIndex i = from; i < trace_.end(); ++i) {
    if (may_be_signal(trace_.summary(i).kind)) signals_.push_back(i);
  }
}

void LateSignals::find_late_for(EventIndex event, std::vector<machine::Channel>& result) {
  const std::optional<Action> action = action_of(trace_[event]);
  if (!action) return;
  find_late_refusals(trace_, event, *action, signals_, result);
  const ActionSearch search(trace_, actors_, event, *action);
  for (const EventIndex signal : signals_) {
    if (signal >= event) break;
    if (!may_depend(trace_.summary(signal).kind, action->kind)) continue;
    const std::optional<uint64_t> sender = sender_of(trace_[signal], *action);
    if (!sender || !search.must_come_first(signal) || search.was_looked_at(signal)) continue;
    result.push_back({*sender, action->process});
  }
}

void LateSignals::find(EventIndex from, std::vector<machine::Channel>& result) {
  note_events(from);
  for (EventIndex i = from; i < trace_.end(); ++i) {
    const EventSummary& event = trace_.summary(i);
    if (event.kind == EventKind::Receive) find_late_notice(trace_, i, result);
    if (event.sends) find_overtaken_notices(trace_, i, from, result);
    if (event.kind == EventKind::Suspend || event.kind == EventKind::Arrival) {
      find_late_suspensions(trace_, i, result);
    }
    if (may_be_action(event.kind)) find_late_for(i, result);
  }
}

}  // namespace fathom::explore
