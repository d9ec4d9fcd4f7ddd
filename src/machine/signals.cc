#include "machine/signals.h"

#include <optional>
#include <utility>
#include <vector>

#include "machine/ended_processes.h"
#include "machine/exit.h"
#include "machine/services.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

void put(Machine& m, Process& p, Value& map, Value key, Value value) {
  m.journal().set(map, map_put(m.heap(), map, key, value));
  m.mark_dirty(p);
}

void remove(Machine& m, Process& p, Value& map, Value key) {
  m.journal().set(map, map_remove(m.heap(), map, key));
  m.mark_dirty(p);
}

// `entry`: of Process::monitors.
Value down_message(Machine& m, Value reference, Value entry, Value reason) {
  static const Value process = atom("process");
  return m.heap().tuple({entry.element(2), reference, process, entry.element(1), reason});
}

std::optional<AliasMode> alias_mode(const Process& p, Value reference) {
  const Value mode = map_get(p.aliases, reference);
  if (mode.is_none()) return std::nullopt;
  return static_cast<AliasMode>(mode.small());
}

void forget_alias(Machine& m, Process& p, Value reference) {
  Value& map = m.shared().aliases.map;
  m.journal().set(map, map_remove(m.heap(), map, reference));
  remove(m, p, p.aliases, reference);
}

// The monitor is gone, and with it an alias that holds as long.
void forget_monitor(Machine& m, Process& by, Value reference) {
  remove(m, by, by.monitors, reference);
  const auto mode = alias_mode(by, reference);
  if (mode == AliasMode::Demonitor || mode == AliasMode::ReplyDemonitor) {
    forget_alias(m, by, reference);
  }
}

// It is gone, whichever of the two has removed it.
void access_gone(Machine& m, Value reference) {
  m.events().access({SharedObject::Links, AccessMode::Write, 0, reference, Value::nil()});
}

enum class SignalKind : uint8_t {
  Message,
  ToAlias,
  Exit,
  LinkExit,
  Down,
  // What a process asks of another one, where that takes time.
  Link,
  Unlink,
  Monitor,
  Demonitor,
  Suspend,
  // What a process gets from itself: there is no process to link to. (That there is none to monitor
  // is a Down.)
  NoLink,
};

struct Signal {
  SignalKind kind;
  Value from;
  Value lineage;  // of the sender
  Value to;
  Value content;                   // message or reason
  Value reference = Value::nil();  // of the alias or the monitor
  MessageLabels labels = {};       // of a message
};

constexpr size_t kOrdinal = 3;

// `ordinal`: how many its sender had sent to its receiver before.
Value as_value(Heap& heap, const Signal& s, int64_t ordinal) {
  const Value value = heap.tuple(
      {Value::small(static_cast<int64_t>(s.kind)), s.content, s.reference, Value::small(ordinal)});
  if (heap.is_labelled()) {
    heap.labels_of(value.words() + 2).word = s.labels.word;
    heap.labels_of(value.words() + 1).word = s.labels.sent;
  }
  return value;
}

Signal signal_of(Heap& heap, Value value, Value from, Value to) {
  return {.kind = static_cast<SignalKind>(value.element(0).small()),
          .from = from,
          .lineage = Value::nil(),
          .to = to,
          .content = value.element(1),
          .reference = value.element(2),
          .labels = heap.is_labelled() ? MessageLabels{heap.labels_of(value.words() + 2).word,
                                                       heap.labels_of(value.words() + 1).word}
                                       : MessageLabels{}};
}

Value exit_message(Machine& m, const Signal& s) {
  return m.heap().tuple({atom("EXIT"), s.from, s.content});
}

bool is_exit(const Signal& s) {
  return s.kind == SignalKind::Exit || s.kind == SignalKind::LinkExit;
}

bool is_request(const Signal& s) {
  return s.kind == SignalKind::Link || s.kind == SignalKind::Unlink ||
         s.kind == SignalKind::Monitor || s.kind == SignalKind::Demonitor;
}

// That there is no such process, which OTP tells whoever asks by a signal to itself.
bool is_refusal(const Signal& s) {
  return s.from == s.to && (s.kind == SignalKind::Down || s.kind == SignalKind::NoLink);
}

bool is_kill(const Signal& s) {
  static const Atom kill = Atom::intern("kill");
  return s.kind == SignalKind::Exit && s.content.is_atom(kill);
}

bool is_normal(Value reason) {
  static const Atom normal = Atom::intern("normal");
  return reason.is_atom(normal);
}

bool ends_receiver(const Signal& s, const Process& to) {
  if (!is_exit(s)) return false;
  return is_kill(s) || (!traps_exits(to) && !is_normal(s.content));
}

// Whether all signals from one to the other take time.
bool delays(Machine& m, Value from, Value to) {
  if (m.mode().delays_delivery) return true;
  const Watched& watched = m.events().watched();
  return !watched.late.empty() && watched.is_late({from.local_number(), to.local_number()});
}

// Whether the signal is in transit for a while before it takes effect. An exit signal that ends
// its receiver always is: in OTP it waits in the receiver's signal queue while that goes on.
// Signals of one sender stay in order. What services do belongs to the step of the process that
// asks them, and what a process sends itself is there at once, but for refusals.
//
// Where all signals take time, one to a process that has ended does too: so sending is the same
// whether its receiver has ended or not, and commutes with that.
bool takes_time(Machine& m, const Signal& s, const Process* to) {
  if ((s.from == s.to && !is_refusal(s)) || (to && to->is_system) || m.in_service()) return false;
  if (delays(m, s.from, s.to)) return to || !ended_entry(m, s.to).is_none();
  if (!m.mode().is_observed || !to || to->is_exiting) return false;
  return ends_receiver(s, *to) || m.shared().transit.has(m.heap(), s.from, to->pid);
}

// Whether the signal has to wait depends on those that were sent before it, if its receiver is
// still there. Where all signals take time, it depends on nothing.
void access_channel(Machine& m, Value from, Value to, AccessMode mode = AccessMode::Read) {
  if (m.shared().transit.sent(m.heap(), from, to) == 0 || delays(m, from, to)) return;
  m.events().access(SharedObject::Channel, mode, to.local_number(), from);
  m.events().access(SharedObject::Exiting, AccessMode::Read, to.local_number());
}

// Where all signals take time: one signal arrives after it was sent, and once.
void access_signal(Machine& m, AccessMode mode, Value from, Value to, Value ordinal) {
  m.events().access(SharedObject::Channel, mode, to.local_number(),
                    m.heap().tuple({from, ordinal}));
}

// Whether a signal from one to the other has to wait for others that are on their way.
bool waits_for_others(Machine& m, Value from, Value to) {
  Transit& transit = m.shared().transit;
  const int64_t sent = transit.sent(m.heap(), from, to);
  if (sent == 0) return false;
  if (delays(m, from, to)) {  // for the last of them
    access_signal(m, AccessMode::Read, from, to, Value::small(sent - 1));
  } else {
    access_channel(m, from, to);
  }
  return transit.has(m.heap(), from, to);
}

// A link or monitor between the two, which the exit of either will read.
void access_links(Machine& m, Value a, Value b) {
  m.events().access(SharedObject::Life, AccessMode::Read, b.local_number());
  m.events().access(SharedObject::Links, AccessMode::Write, a.local_number(), b);
  m.events().access(SharedObject::Links, AccessMode::Write, b.local_number(), a);
}

// The end of either process will look at it, and the second one goes on or not, unless it is
// exiting: that one runs no more code.
void access_suspension(Machine& m, Value by, Value to) {
  access_links(m, by, to);
  m.events().access(SharedObject::Exiting, AccessMode::Read, to.local_number());
  m.events().access(SharedObject::Life, AccessMode::Write, to.local_number());
}

// The other end of a link or monitor; of one that is made while the process is exiting, with the
// reason that it comes too late.
void add_link_at(Machine& m, Process& to, Value from) {
  put(m, to, to.links, from, to.is_exiting ? atom("noproc") : Value(atoms::true_));
}

void add_monitor_at(Machine& m, Process& to, Value from, Value reference) {
  put(m, to, to.monitored_by, reference, to.is_exiting ? m.heap().tuple({from}) : from);
}

// Signals that arrive, and those that follow from them.
class Delivery {
 public:
  explicit Delivery(Machine& m) : m_(m) {}

  void send(const Signal& signal) {
    const Process* to = m_.processes().find(signal.to);
    access_channel(m_, signal.from, signal.to);
    if (takes_time(m_, signal, to)) {
      const Value lineage = to ? to->lineage : lineage_of_ended(m_, signal.to);
      Transit& transit = m_.shared().transit;
      const int64_t ordinal = transit.sent(m_.heap(), signal.from, signal.to);
      transit.add(m_.heap(), m_.journal(), {signal.from, signal.to, signal.lineage, lineage},
                  as_value(m_.heap(), signal, ordinal));
      const bool is_delayed = delays(m_, signal.from, signal.to);
      if (is_delayed) {
        access_signal(m_, AccessMode::Read, signal.from, signal.to, Value::small(ordinal));
      }
      m_.events().current().sent_signals.push_back(
          {signal.from.local_number(), signal.to.local_number()});
      // Otherwise whether it takes time depends on what its receiver is and does.
      if (is_exit(signal) && !is_delayed) access_receiver(signal, false);
    } else {
      waiting_.push_back(signal);
    }
  }

  void run() {
    for (size_t i = 0; i < waiting_.size(); ++i) {
      const Signal signal = waiting_[i];
      Process* to = m_.processes().find(signal.to);
      if (to && (!to->is_exiting || is_request(signal))) {
        arrive(signal, *to);
      } else {
        miss(signal);
      }
    }
  }

  // A signal that was on its way.
  void arrive(const Signal& signal) {
    waiting_.push_back(signal);
    run();
  }

  // The order is OTP's: 'EXIT' comes before 'DOWN'.
  void signal_exit(Process& p, Value reason) {
    MapPairs links(p.links);
    for (Value pid, state; links.next(pid, state);) {
      send({SignalKind::LinkExit, p.pid, p.lineage, pid, late_reason(state, reason)});
    }
    MapPairs watchers(p.monitored_by);
    for (Value reference, watcher; watchers.next(reference, watcher);) {
      const bool is_late = watcher.is_tuple(1);
      send({SignalKind::Down, p.pid, p.lineage, is_late ? watcher.element(0) : watcher,
            is_late ? atom("noproc") : reason, reference});
    }
    // Where events may be reordered, the end of a process does not depend on whether those that
    // monitor it, or are linked to it, live or have removed their monitors without a trace, nor a
    // message to an alias on whether its owner lives.
    if (!m_.mode().is_observed) {
      forget_monitors(p);
      forget_aliases(p);
    }
    resume_others(p);
  }

 private:
  void arrive(const Signal& signal, Process& to) {
    switch (signal.kind) {
      case SignalKind::Message:
        return m_.deliver(to, signal.content, Value::none(), signal.labels);
      case SignalKind::ToAlias:
        if (use_alias(m_, to, signal.reference)) {
          m_.deliver(to, signal.content, Value::none(), signal.labels);
        }
        return;
      case SignalKind::Down:
        return down(signal, to);
      case SignalKind::LinkExit:
        access_receiver(signal, traps_exits(to));
        // The two may have been unlinked meanwhile.
        if (map_get(to.links, signal.from).is_none()) return;
        if (!m_.mode().is_observed) remove(m_, to, to.links, signal.from);
        return exit(signal, to);
      case SignalKind::Exit:
        access_receiver(signal, traps_exits(to));
        return exit(signal, to);
      case SignalKind::Link:
        access_request(signal);
        return add_link_at(m_, to, signal.from);
      case SignalKind::Unlink:
        access_request(signal);
        return remove(m_, to, to.links, signal.from);
      case SignalKind::Monitor:
        access_request(signal);
        return add_monitor_at(m_, to, signal.from, signal.reference);
      case SignalKind::Demonitor:
        access_request(signal);
        return remove(m_, to, to.monitored_by, signal.reference);
      case SignalKind::Suspend:
        return suspend(signal, to);
      case SignalKind::NoLink:
        return arrive(refused_link(signal), to);
    }
  }

  // It comes too late. It accesses what it would have accessed before.
  void miss(const Signal& signal) {
    const uint64_t to = signal.to.local_number();
    switch (signal.kind) {
      case SignalKind::Message:
        return m_.events().lose(to, signal.content);
      case SignalKind::ToAlias:
        return miss_alias(signal);
      case SignalKind::Down:
        access_gone(m_, signal.reference);
        return m_.events().lose(to,
                                m_.heap().tuple({atom("DOWN"), signal.reference, atom("process"),
                                                 signal.from, signal.content}),
                                signal.reference);
      case SignalKind::Link:
      case SignalKind::Monitor:
        return refuse(signal);
      case SignalKind::Unlink:
      case SignalKind::Demonitor:
        return access_request(signal);
      case SignalKind::Suspend:
        return miss_suspend(signal);
      case SignalKind::NoLink:
        return miss(refused_link(signal));
      case SignalKind::Exit:
      case SignalKind::LinkExit:
        return miss_exit(signal);
    }
  }

  void miss_exit(const Signal& signal) {
    const bool was_trapped = !is_kill(signal) && has_trapped(m_, signal.to);
    const bool was_message = was_trapped && (signal.kind != SignalKind::LinkExit ||
                                             was_linked(m_, signal.to, signal.from));
    if (was_message) m_.events().lose(signal.to.local_number(), exit_message(m_, signal));
    access_receiver(signal, was_trapped);
  }

  // A link or monitor comes before the exit begins, or too late.
  void access_request(const Signal& signal) {
    const uint64_t to = signal.to.local_number();
    m_.events().access(SharedObject::Life, AccessMode::Read, to);
    m_.events().access(SharedObject::Exiting, AccessMode::Read, to);
    m_.events().access(SharedObject::Links, AccessMode::Write, to, signal.from);
  }

  // Of a link or a monitor to a process that has ended.
  void refuse(const Signal& signal) {
    access_request(signal);
    const bool is_link = signal.kind == SignalKind::Link;
    const Signal refusal{is_link ? SignalKind::LinkExit : SignalKind::Down,
                         signal.to,
                         lineage_of_ended(m_, signal.to),
                         signal.from,
                         atom("noproc"),
                         signal.reference};
    // That there is no such process to monitor is not a signal of that one: it waits for none of
    // its signals.
    if (is_link) return send(refusal);
    waiting_.push_back(refusal);
  }

  // One whose suspender has ended, or is about to, goes on at once.
  void suspend(const Signal& signal, Process& to) {
    Process* by = m_.processes().find(signal.from);
    access_suspension(m_, signal.from, signal.to);
    m_.events().access(SharedObject::Exiting, AccessMode::Read, signal.from.local_number());
    if (by && !by->is_exiting) machine::suspend(m_, *by, to);
    if (signal.content.is_tuple(2)) {
      answer(signal, to.lineage, signal.content.element(0), signal.content.element(1));
    }
  }

  // In OTP the answer comes when the process has ended.
  void miss_suspend(const Signal& signal) {
    access_suspension(m_, signal.from, signal.to);
    if (Process* to = m_.processes().find(signal.to)) finish_exit(m_, *to);
    if (signal.content.is_tuple(2)) {
      answer(signal, lineage_of_ended(m_, signal.to), signal.content.element(0), atom("exited"));
    }
  }

  void answer(const Signal& request, Value lineage, Value tag, Value result) {
    send({SignalKind::Message, request.to, lineage, request.from, m_.heap().tuple({tag, result})});
  }

  void miss_alias(const Signal& signal) {
    const uint64_t owner = signal.to.local_number();
    m_.events().access(SharedObject::Links, AccessMode::Read, 0, signal.reference);
    Value& aliases = m_.shared().aliases.map;
    const Value entry = map_get(aliases, signal.reference);
    if (entry.is_none()) return;
    const auto mode = static_cast<AliasMode>(entry.element(1).small());
    const bool is_once = mode == AliasMode::Reply || mode == AliasMode::ReplyDemonitor;
    if (is_once) {
      m_.events().access(SharedObject::Links, AccessMode::Write, 0, signal.reference);
      m_.journal().set(aliases, map_remove(m_.heap(), aliases, signal.reference));
    }
    if (mode == AliasMode::ReplyDemonitor) {
      m_.events().access(SharedObject::Links, AccessMode::Write, owner, signal.reference);
    }
    m_.events().lose(owner, signal.content);
  }

  void down(const Signal& signal, Process& to) {
    access_gone(m_, signal.reference);
    const auto message = [&](Value entry) {
      return down_message(m_, signal.reference, entry, signal.content);
    };
    const Value entry = map_get(to.monitors, signal.reference);
    if (!entry.is_none()) {
      forget_monitor(m_, to, signal.reference);
      m_.deliver(to, message(entry), signal.reference);
    } else if (const Value old = map_get(to.demonitored, signal.reference); !old.is_none()) {
      m_.events().lose(to.pid.local_number(), message(old), signal.reference);
    }
  }

  void exit(const Signal& signal, Process& to) {
    if (is_kill(signal)) return end(to, atom("killed"), false);
    if (traps_exits(to)) return m_.deliver(to, exit_message(m_, signal));
    if (is_normal(signal.content) && signal.from != to.pid) return;
    end(to, signal.content, signal.kind == SignalKind::LinkExit);
  }

  // The exit signal that it is to its receiver.
  static Signal refused_link(const Signal& s) {
    return {SignalKind::Exit, s.content, Value::nil(), s.to, atom("noproc")};
  }

  // What happens to a service belongs to the step of the process that has caused it.
  void end(Process& p, Value reason, bool by_link) {
    begin_exit(m_, p, reason, by_link);
    if (p.is_system && !p.is_running) finish_exit(m_, p);
  }

  // What decides what an exit signal does. It is accessed whether or not the signal still finds its
  // receiver, and a link, so that the signal is dependent with the same events in every order.
  void access_receiver(const Signal& signal, bool is_trapped) {
    const uint64_t to = signal.to.local_number();
    if (signal.kind == SignalKind::LinkExit) {
      m_.events().access(SharedObject::Links, AccessMode::Read, to, signal.from);
    }
    if (is_kill(signal)) return m_.events().access(SharedObject::Exiting, AccessMode::Read, to);
    m_.events().access(SharedObject::Flags, AccessMode::Read, to, atom("trap_exit"));
    if (is_trapped || is_normal(signal.content)) return;
    m_.events().access(SharedObject::Exiting, AccessMode::Read, to);
  }

  // Of a link that was made when the process was exiting already.
  static Value late_reason(Value state, Value reason) {
    return state.is_atom(atoms::true_) ? reason : state;
  }

  void forget_monitors(Process& p) {
    MapPairs watched(p.monitors);
    for (Value reference, entry; watched.next(reference, entry);) {
      Process* to = m_.processes().find(entry.element(0));
      if (to) remove(m_, *to, to->monitored_by, reference);
    }
  }

  void forget_aliases(Process& p) {
    MapPairs aliases(p.aliases);
    for (Value reference, unused; aliases.next(reference, unused);) {
      remove_alias(m_, p, reference);
    }
  }

  void resume_others(Process& p) {
    MapPairs suspended(p.suspending);
    for (Value pid, times; suspended.next(pid, times);) {
      for (int64_t i = 0; i < times.small(); ++i) resume(m_, p, pid);
    }
  }

  Machine& m_;
  std::vector<Signal> waiting_;
};

}  // namespace

// ---- Links and monitors -----------------------------------------------------

void link(Machine& m, Process& a, Process& b) {
  if (&a == &b) return;
  access_links(m, a.pid, b.pid);
  put(m, a, a.links, b.pid, Value(atoms::true_));
  add_link_at(m, b, a.pid);
}

void unlink(Machine& m, Process& a, Value b) {
  access_links(m, a.pid, b);
  remove(m, a, a.links, b);
  if (Process* other = m.processes().find(b)) remove(m, *other, other->links, a.pid);
}

namespace {

void send_itself(Machine& m, const Process& p, SignalKind kind, Value content, Value reference) {
  Delivery delivery(m);
  delivery.send({kind, p.pid, p.lineage, p.pid, content, reference});
  delivery.run();
}

}  // namespace

void refuse_link(Machine& m, const Process& by, Value to) {
  send_itself(m, by, SignalKind::NoLink, to, Value::nil());
}

void monitor(Machine& m, Process& by, Process* to, Value reference, Value item, Value tag) {
  if (!to) {
    if (item.is_local_pid())
      m.events().access(SharedObject::Life, AccessMode::Read, item.local_number());
    put(m, by, by.monitors, reference, m.heap().tuple({by.pid, item, tag}));
    send_itself(m, by, SignalKind::Down, atom("noproc"), reference);
  } else if (to != &by) {
    access_links(m, by.pid, to->pid);
    put(m, by, by.monitors, reference, m.heap().tuple({to->pid, item, tag}));
    add_monitor_at(m, *to, by.pid, reference);
  }
}

bool link_by_signal(Machine& m, Process& by, Value to) {
  if (!delays(m, by.pid, to) && !waits_for_others(m, by.pid, to)) return false;
  const Signal signal{SignalKind::Link, by.pid, by.lineage, to, Value::nil()};
  const Process* other = look_up(m, to);  // link/1 raises noproc if there is none
  if (!other || !takes_time(m, signal, other)) return false;
  m.events().access(SharedObject::Links, AccessMode::Write, by.pid.local_number(), to);
  put(m, by, by.links, to, Value(atoms::true_));
  Delivery(m).send(signal);
  return true;
}

// The other one does not send its end any more; what it has sent before finds no link.
bool unlink_by_signal(Machine& m, Process& by, Value to) {
  if (!waits_for_others(m, by.pid, to)) return false;
  const Signal signal{SignalKind::Unlink, by.pid, by.lineage, to, Value::nil()};
  if (!takes_time(m, signal, m.processes().find(to))) return false;
  m.events().access(SharedObject::Links, AccessMode::Write, by.pid.local_number(), to);
  remove(m, by, by.links, to);
  Delivery(m).send(signal);
  return true;
}

bool monitor_by_signal(Machine& m, Process& by, Value to, Value reference, Value item, Value tag) {
  if (!delays(m, by.pid, to) && !waits_for_others(m, by.pid, to)) return false;
  const Signal signal{SignalKind::Monitor, by.pid, by.lineage, to, Value::nil(), reference};
  if (!takes_time(m, signal, m.processes().find(to))) return false;
  m.events().access(SharedObject::Links, AccessMode::Write, by.pid.local_number(), to);
  put(m, by, by.monitors, reference, m.heap().tuple({to, item, tag}));
  Delivery(m).send(signal);
  return true;
}

namespace {

// As monitor_by_signal: the other one knows of it later.
bool demonitor_by_signal(Machine& m, Process& by, Value to, Value reference) {
  if (!delays(m, by.pid, to) && !waits_for_others(m, by.pid, to)) return false;
  const Signal signal{SignalKind::Demonitor, by.pid, by.lineage, to, Value::nil(), reference};
  if (!takes_time(m, signal, m.processes().find(to))) return false;
  m.events().access(SharedObject::Links, AccessMode::Write, by.pid.local_number(), to);
  Delivery(m).send(signal);
  return true;
}

}  // namespace

bool demonitor(Machine& m, Process& by, Value reference, bool is_quiet) {
  const Value entry = map_get(by.monitors, reference);
  forget_monitor(m, by, reference);
  if (is_quiet) {
    access_gone(m, reference);
  } else {
    m.events().access(SharedObject::Links, AccessMode::Write, 0, reference);
  }
  if (entry.is_none()) return false;
  const Value other = entry.element(0);
  // Where its message is on its way, or comes before the other one knows of it, it will not be in
  // the mailbox.
  const bool is_late = !is_quiet && demonitor_by_signal(m, by, other, reference);
  const bool may_come = is_late || is_quiet || delays(m, other, by.pid);
  if (may_come && m.mode().is_observed) put(m, by, by.demonitored, reference, entry);
  if (is_late || (is_quiet && m.mode().is_observed)) return true;
  if (!is_quiet) access_links(m, by.pid, other);
  Process* to = m.processes().find(other);
  if (to) remove(m, *to, to->monitored_by, reference);
  return true;
}

// ---- Aliases ----------------------------------------------------------------

void add_alias(Machine& m, Process& p, Value reference, AliasMode mode) {
  Value& map = m.shared().aliases.map;
  m.events().access(SharedObject::Links, AccessMode::Write, 0, reference);
  const Value before = map.is_none() ? empty_map(m.heap()) : map;
  const Value number = Value::small(static_cast<int64_t>(mode));
  m.journal().set(map, map_put(m.heap(), before, reference, m.heap().tuple({p.pid, number})));
  put(m, p, p.aliases, reference, number);
}

bool remove_alias(Machine& m, Process& p, Value reference) {
  m.events().access(SharedObject::Links, AccessMode::Write, 0, reference);
  if (!alias_mode(p, reference)) return false;
  forget_alias(m, p, reference);
  return true;
}

bool use_alias(Machine& m, Process& p, Value reference) {
  m.events().access(SharedObject::Links, AccessMode::Read, 0, reference);
  const auto mode = alias_mode(p, reference);
  if (mode == AliasMode::Reply) remove_alias(m, p, reference);
  if (mode == AliasMode::ReplyDemonitor) demonitor(m, p, reference, false);
  return mode.has_value();
}

// ---- Messages ---------------------------------------------------------------

void send_message(Machine& m, const Process& from, Process& to, Value message,
                  const MessageLabels& labels) {
  if (m.mode().is_observed || m.mode().delays_delivery) {
    const Signal signal{SignalKind::Message, from.pid, from.lineage, to.pid, message,
                        Value::nil(),        labels};
    if (takes_time(m, signal, &to)) return Delivery(m).send(signal);
  }
  access_channel(m, from.pid, to.pid);
  m.deliver(to, message, Value::none(), labels);
}

void send_message(Machine& m, const Process& from, Value to, Value message,
                  const MessageLabels& labels) {
  if (Process* p = m.processes().find(to)) return send_message(m, from, *p, message, labels);
  const Signal signal{SignalKind::Message, from.pid, from.lineage, to, message,
                      Value::nil(),        labels};
  if (takes_time(m, signal, nullptr)) return Delivery(m).send(signal);
  access_channel(m, from.pid, to);
  m.events().lose(to.local_number(), message);
}

void send_to_alias(Machine& m, const Process& from, Value reference, Value message,
                   const MessageLabels& labels) {
  m.events().access(SharedObject::Links, AccessMode::Read, 0, reference);
  const Value map = m.shared().aliases.map;
  const Value entry = map.is_none() ? map : map_get(map, reference);
  if (entry.is_none()) return;
  Delivery delivery(m);
  delivery.send(
      {SignalKind::ToAlias, from.pid, from.lineage, entry.element(0), message, reference, labels});
  delivery.run();
}

bool arrive(Machine& m, Value from, Value to) {
  const Value signal = m.shared().transit.take(m.heap(), m.journal(), from, to);
  if (signal.is_none()) return false;
  if (delays(m, from, to)) {
    access_signal(m, AccessMode::Write, from, to, signal.element(kOrdinal));
  } else {
    m.events().access(SharedObject::Channel, AccessMode::Write, to.local_number(), from);
  }
  Delivery(m).arrive(signal_of(m.heap(), signal, from, to));
  return true;
}

namespace {

void access_life(Machine& m, Value pid) {
  if (!m.events().is_recording() || !pid.is_local_pid() || pid == m.process().pid) return;
  m.events().access(SharedObject::Life, AccessMode::Read, pid.local_number());
  m.events().access(SharedObject::Exiting, AccessMode::Read, pid.local_number());
}

}  // namespace

Process* look_up(Machine& m, Value pid) {
  access_life(m, pid);
  Process* p = m.processes().find(pid);
  if (!p || !p->is_exiting) return p;
  m.events().access(SharedObject::Exiting, AccessMode::Read, pid.local_number(), begun_part());
  return nullptr;
}

Process* reach(Machine& m, Value pid) {
  access_life(m, pid);
  access_channel(m, m.process().pid, pid, AccessMode::Write);
  // What it has told itself comes when it does.
  while (pid != m.process().pid && arrive(m, m.process().pid, pid)) {
    m.events().current().delivered_signals.push_back(
        {m.process().pid.local_number(), pid.local_number()});
  }
  return m.processes().find(pid);
}

Process* ask(Machine& m, Value pid) {
  Process* p = reach(m, pid);
  if (!p || !p->is_exiting) return p;
  finish_exit(m, *p);
  return nullptr;
}

Process* ask_living(Machine& m, Value pid) { return look_up(m, pid) ? ask(m, pid) : nullptr; }

// ---- Suspending -------------------------------------------------------------

void suspend(Machine& m, Process& by, Process& to) {
  access_suspension(m, by.pid, to.pid);
  const Value before = map_get(by.suspending, to.pid);
  const int64_t times = before.is_none() ? 1 : before.small() + 1;
  put(m, by, by.suspending, to.pid, Value::small(times));
  if (to.suspensions == 0) {
    m.journal().set(to.resumes_as, to.status);
    m.processes().set_status(to, Process::Status::Suspended);
  }
  m.journal().set(to.suspensions, to.suspensions + 1);
}

bool suspend_by_signal(Machine& m, Process& by, Value to, Value answer) {
  if (!to.is_local_pid() || to == by.pid || !delays(m, by.pid, to)) return false;
  const Signal signal{SignalKind::Suspend, by.pid, by.lineage, to, answer};
  const Process* other = m.processes().find(to);
  access_life(m, to);
  if (!other || !takes_time(m, signal, other)) return false;
  Delivery(m).send(signal);
  return true;
}

bool resume(Machine& m, Process& by, Value to) {
  access_suspension(m, by.pid, to);
  const Value before = map_get(by.suspending, to);
  Process* p = m.processes().find(to);
  if (before.is_none() || !p || p->is_exiting) return false;
  if (before.small() == 1) {
    remove(m, by, by.suspending, to);
  } else {
    put(m, by, by.suspending, to, Value::small(before.small() - 1));
  }
  m.journal().set(p->suspensions, p->suspensions - 1);
  if (p->suspensions > 0) return true;
  m.processes().set_status(*p, p->resumes_as);
  // settle() looks for those that are to run on at the end of the queue.
  const bool is_runnable = p->status == Process::Status::Runnable;
  if (is_runnable && p->is_at_event) m.processes().move_to_front(*p);
  return true;
}

bool traps_exits(const Process& p) {
  static const Value trap_exit = atom("trap_exit");
  return map_get(p.flags, trap_exit).is_atom(atoms::true_);
}

// ---- Ends -------------------------------------------------------------------

void exit_signal(Machine& m, const Process& from, Value to, Value reason) {
  Delivery delivery(m);
  delivery.send({SignalKind::Exit, from.pid, from.lineage, to, reason});
  delivery.run();
}

void signal_exit(Machine& m, Process& p, Value reason) {
  Delivery delivery(m);
  delivery.signal_exit(p, reason);
  delivery.run();
}

}  // namespace fathom::machine
