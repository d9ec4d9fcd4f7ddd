#include "machine/signals.h"

#include <utility>
#include <vector>

#include "machine/maps.h"

namespace fathom::machine {
namespace {

Value atom(std::string_view text) { return Value(Atom::intern(text)); }

void put(Machine& m, Process& p, Value& map, Value key, Value value) {
  m.journal().set(map, map_put(m.heap(), map, key, value));
  m.touch(p);
}

void remove(Machine& m, Process& p, Value& map, Value key) {
  m.journal().set(map, map_remove(m.heap(), map, key));
  m.touch(p);
}

bool traps_exits(const Process& p) {
  return map_get(p.flags, atom("trap_exit")).is_atom(atoms::true_);
}

Outcome exit_outcome(Value reason) {
  static const Atom exit = Atom::intern("exit");
  return {.kind = Outcome::Kind::Exception,
          .value = reason,
          .exception_class = Value(exit),
          .trace = Value::nil(),
          .message = {}};
}

void send_down(Machine& m, Process& to, Value reference, Value item, Value reason) {
  m.deliver(to, m.heap().tuple({atom("DOWN"), reference, atom("process"), item, reason}));
}

// Exit signals that have not arrived yet.
struct Signal {
  Value from;
  Value to;
  Value reason;
  bool is_link;
};

class Delivery {
 public:
  explicit Delivery(Machine& m) : m_(m) {}

  void send(const Signal& signal) { waiting_.push_back(signal); }

  void run() {
    for (size_t i = 0; i < waiting_.size(); ++i) {
      const Signal signal = waiting_[i];
      if (Process* to = m_.processes().find(signal.to)) arrive(signal, *to);
    }
  }

  void end(Process& p, Value reason, Outcome how) {
    unregister(m_, p);
    tell_links(p, reason);
    tell_monitors(p, reason);
    forget_monitors(p);
    m_.end_process(p, std::move(how));
  }

 private:
  void arrive(const Signal& signal, Process& to) {
    static const Atom normal = Atom::intern("normal");
    static const Atom kill = Atom::intern("kill");
    if (!signal.is_link && signal.reason.is_atom(kill)) {
      return end(to, atom("killed"), exit_outcome(atom("killed")));
    }
    if (traps_exits(to)) {
      return m_.deliver(to, m_.heap().tuple({atom("EXIT"), signal.from, signal.reason}));
    }
    if (signal.reason.is_atom(normal) && signal.from != to.pid) return;
    end(to, signal.reason, exit_outcome(signal.reason));
  }

  void tell_links(Process& p, Value reason) {
    MapPairs links(p.links);
    for (Value pid, unused; links.next(pid, unused);) {
      if (Process* other = m_.processes().find(pid)) remove(m_, *other, other->links, p.pid);
      send({p.pid, pid, reason, true});
    }
  }

  void tell_monitors(Process& p, Value reason) {
    MapPairs watchers(p.monitored_by);
    for (Value reference, pid; watchers.next(reference, pid);) {
      Process* by = m_.processes().find(pid);
      if (!by) continue;
      const Value item = map_get(by->monitors, reference).element(1);
      remove(m_, *by, by->monitors, reference);
      send_down(m_, *by, reference, item, reason);
    }
  }

  void forget_monitors(Process& p) {
    MapPairs watched(p.monitors);
    for (Value reference, entry; watched.next(reference, entry);) {
      Process* to = m_.processes().find(entry.element(0));
      if (to) remove(m_, *to, to->monitored_by, reference);
    }
  }

  Machine& m_;
  std::vector<Signal> waiting_;
};

}  // namespace

// ---- Names ------------------------------------------------------------------

Process* registered(Machine& m, Atom name) {
  const Value map = m.shared().names.map;
  const Value pid = map.is_none() ? map : map_get(map, Value(name));
  return pid.is_none() ? nullptr : m.processes().find(pid);
}

bool register_name(Machine& m, Atom name, Process& p) {
  Value& map = m.shared().names.map;
  if (!p.name.is_none() || registered(m, name)) return false;
  const Value before = map.is_none() ? empty_map(m.heap()) : map;
  m.journal().set(map, map_put(m.heap(), before, Value(name), p.pid));
  m.journal().set(p.name, Value(name));
  return true;
}

void unregister(Machine& m, Process& p) {
  if (p.name.is_none()) return;
  Value& map = m.shared().names.map;
  m.journal().set(map, map_remove(m.heap(), map, p.name));
  m.journal().set(p.name, Value::none());
}

// ---- Links and monitors -----------------------------------------------------

void link(Machine& m, Process& a, Process& b) {
  if (&a == &b) return;
  put(m, a, a.links, b.pid, Value(atoms::true_));
  put(m, b, b.links, a.pid, Value(atoms::true_));
}

void unlink(Machine& m, Process& a, Value b) {
  remove(m, a, a.links, b);
  if (Process* other = m.processes().find(b)) remove(m, *other, other->links, a.pid);
}

Value monitor(Machine& m, Process& by, Process* to, Value item) {
  const Value reference = m.heap().reference(m.next_reference());
  if (!to) {
    send_down(m, by, reference, item, atom("noproc"));
  } else if (to != &by) {
    put(m, by, by.monitors, reference, m.heap().tuple({to->pid, item}));
    put(m, *to, to->monitored_by, reference, by.pid);
  }
  return reference;
}

bool demonitor(Machine& m, Process& by, Value reference) {
  const Value entry = map_get(by.monitors, reference);
  if (entry.is_none()) return false;
  remove(m, by, by.monitors, reference);
  if (Process* to = m.processes().find(entry.element(0))) {
    remove(m, *to, to->monitored_by, reference);
  }
  return true;
}

// ---- Ends -------------------------------------------------------------------

void exit_signal(Machine& m, Value from, Process& to, Value reason) {
  Delivery delivery(m);
  delivery.send({from, to.pid, reason, false});
  delivery.run();
}

void terminate(Machine& m, Process& p, Value reason, Outcome how) {
  Delivery delivery(m);
  delivery.end(p, reason, std::move(how));
  delivery.run();
}

}  // namespace fathom::machine
