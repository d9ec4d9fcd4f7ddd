#include "explore/late_signals.h"

#include <algorithm>
#include <optional>

namespace fathom::explore {

using machine::Access;
using machine::AccessMode;
using machine::EventKind;
using machine::SharedObject;
using machine::Value;

namespace {

// What a process does to itself on which the effect of signals depends that it was sent before.
struct Action {
  enum class Kind : uint8_t { Exit, Remove, Unlink, Flag } kind;
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
    default:
      return std::nullopt;
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

// Who has sent the signal, if the effect of one that the event sends depends on the action.
std::optional<uint64_t> sender_of(const Record& record, const Action& action) {
  const machine::Event& event = record.event;
  const uint64_t to = action.process;
  if (record.process == 0 || record.process == to) return std::nullopt;
  switch (action.kind) {
    case Action::Kind::Exit: {
      const bool is_request = event.kind == EventKind::Link || event.kind == EventKind::Monitor;
      const bool is_its =
          is_request && find_access(record, SharedObject::Links, AccessMode::Write, to);
      return is_its ? std::optional(record.process) : std::nullopt;
    }
    case Action::Kind::Remove: {
      const bool has_reference = std::ranges::any_of(event.accesses, [&](const Access& access) {
        return access.object == SharedObject::Links && access.id == 0 &&
               access.part == action.object;
      });
      return has_reference && sends_to(record, to) ? std::optional(record.process) : std::nullopt;
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
  // first such event is an action that could.
  bool must_come_first(EventIndex signal) const {
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
      return receive <= before_ && record.takes() && exists(record.taken_at) &&
             is_behind(record.taken_at, signal);
    });
  }

 private:
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
    const ActorId actor = actors.of_process(action_.process);
    while (index > EventIndex{}) {
      if (trace_[--index].id.actor == actor) return index;
    }
    return kNoEvent;
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

void find_late_signals(const Trace& trace, Actors& actors, EventIndex from,
                       std::vector<machine::Channel>& result) {
  for (EventIndex i = from; i < trace.end(); ++i) {
    const std::optional<Action> action = action_of(trace[i]);
    if (!action) continue;
    const ActionSearch search(trace, actors, i, *action);
    for (EventIndex signal{}; signal < i; ++signal) {
      if (!may_be_signal(trace[signal].event.kind) || !search.must_come_first(signal)) continue;
      const std::optional<uint64_t> sender = sender_of(trace[signal], *action);
      if (!sender || search.was_looked_at(signal)) continue;
      result.push_back({*sender, action->process});
    }
  }
}

}  // namespace fathom::explore
