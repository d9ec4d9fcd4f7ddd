#include "machine/exit.h"

#include <string_view>
#include <vector>

#include "machine/ended_processes.h"
#include "machine/interpreter.h"
#include "machine/registered_names.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "machine/table_owners.h"
#include "machine/tracing.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

// What a process that exits has to give up before it is gone.
struct Possession {
  enum class Kind : uint8_t {
    OwnTable,
    Fixation,
    Name,
    Nothing
  } kind = Kind::Nothing;  // in this order
  Table* table = nullptr;
};

// What the table is to the process, or was, if it is deleted.
Possession possession(const Process& p, Table& table) {
  using enum Possession::Kind;
  if (table.owner == p.pid) return {OwnTable, &table};
  const bool is_fixed = table.is_fixed() && !map_get(table.fixed_by, p.pid).is_none();
  return {is_fixed ? Fixation : Nothing, is_fixed ? &table : nullptr};
}

// Its own tables come before those of others that it has fixed, the oldest first, its name last.
bool comes_before(const Possession& a, const Possession& b) {
  return a.kind != b.kind ? a.kind < b.kind : a.table && a.table->id < b.table->id;
}

Possession next_possession(Machine& m, const Process& p) {
  using enum Possession::Kind;
  Possession next{p.name.is_none() ? Nothing : Name};
  if (!p.has_tables) return next;
  m.tables().for_each([&](Table& table) {
    const Possession its = possession(p, table);
    if (comes_before(its, next)) next = its;
  });
  return next;
}

// That the process has come to this possession depends on whoever has deleted a table that would
// have come before it.
void access_lost(Machine& m, const Process& p, const Possession& next) {
  if (!p.has_tables) return;
  m.tables().for_each_deleted([&](Table& table) {
    if (!comes_before(possession(p, table), next)) return;
    m.events().access(SharedObject::TableFacts, AccessMode::Read, table.id);
  });
}

// That there is something to give up depends on whoever may take it away before.
void access_possession(Machine& m, const Process& p, const Possession& next) {
  m.events().access(SharedObject::Name, AccessMode::Read, p);
  if (next.table) m.events().access(SharedObject::TableFacts, AccessMode::Read, next.table->id);
  access_lost(m, p, next);
}

// A table goes to its heir, or with its owner.
void give_up_table(Machine& m, const Process& p, Table& table) {
  m.tables().forget_fixation(table, p.pid);
  if (table.heir.is_local_pid()) {
    m.events().access(SharedObject::Exiting, AccessMode::Read, table.heir.local_number());
  }
  Process* heir = table.heir == p.pid ? nullptr : m.processes().find(table.heir);
  if (heir && !heir->is_exiting) {
    give_table(m, p, table, *heir, table.heir_data);
  } else {
    delete_table(m, table);
  }
}

void release_table(Machine& m, const Process& p, Table& table) {
  m.events().access(SharedObject::Table, AccessMode::Write, table.id);
  m.events().access(SharedObject::TableFacts, AccessMode::Write, table.id);
  m.tables().forget_fixation(table, p.pid);
}

// For reports: what is given up.
void describe(Machine& m, std::string_view what, Value which) {
  if (m.events().is_recording()) m.events().current().arguments = {atom(what), which};
}

void give_up(Machine& m, Process& p, const Possession& next) {
  switch (next.kind) {
    case Possession::Kind::OwnTable:
      describe(m, "table", m.tables().identifier(*next.table));
      return give_up_table(m, p, *next.table);
    case Possession::Kind::Fixation:
      describe(m, "fixed", m.tables().identifier(*next.table));
      return release_table(m, p, *next.table);
    case Possession::Kind::Name:
      describe(m, "name", p.name);
      return unregister(m, p);
    case Possession::Kind::Nothing:
      return;
  }
}

// From now on it gets no signals.
void note_exiting(Machine& m, Process& p) {
  if (p.is_exiting) return;
  m.events().access(SharedObject::Exiting, AccessMode::Write, p);
  m.journal().set(p.is_exiting, true);
  note_ended(m, p);
  if (p.receive_timer == 0) return;
  m.shared().timers.remove(m.journal(), p.receive_timer);
  m.journal().set(p.receive_timer, uint64_t{0});
}

void end(Machine& m, Process& p, const Ending& ending) {
  m.events().access(SharedObject::Life, AccessMode::Write, p);
  m.events().access(SharedObject::Links, AccessMode::Read, p);
  m.events().access(SharedObject::Processes, AccessMode::Append, 0);
  if (is_tracing(m)) trace_exit(m, p, ending.reason);
  signal_exit(m, p, ending.reason);
  m.end_process(p, ending.reason, ending.how);
}

// All at once, where nobody can look in between.
void give_up_everything(Machine& m, Process& p) {
  std::vector<Possession> possessions;
  if (p.has_tables) {
    m.tables().for_each([&](Table& table) {
      const Possession its = possession(p, table);
      if (its.table) possessions.push_back(its);
    });
  }
  access_lost(m, p, {});
  for (const Possession& possession : possessions) give_up(m, p, possession);
  unregister(m, p);
}

Outcome exit_outcome(Value exception_class, Value reason, Value trace) {
  return {.kind = Outcome::Kind::Exception,
          .value = reason,
          .exception_class = exception_class,
          .trace = trace,
          .message = {}};
}

// With what reason a process ends that does not catch the exception.
Value exit_reason(Heap& heap, Value exception_class, Value reason, Value trace) {
  static const Atom exit = Atom::intern("exit");
  static const Atom nocatch = Atom::intern("nocatch");
  if (exception_class.is_atom(exit)) return reason;
  const bool is_error = exception_class.is_atom(atoms::error);
  return heap.tuple({is_error ? reason : heap.tuple({Value(nocatch), reason}), trace});
}

// Of a process that stands at one of the three instructions, with that frame.
Ending ending_at(Machine& m, const Process& p, const uint64_t* pc, const Value* fp) {
  static const Value normal = atom("normal");
  switch (Instruction(*pc).op()) {
    case Op::Finish:
      return {normal, {.value = fp[0], .exception_class = {}, .trace = {}, .message = {}}};
    case Op::Die:
      return {exit_reason(m.heap(), fp[0], fp[1], fp[2]), exit_outcome(fp[0], fp[1], fp[2])};
    default:
      return {p.exit_reason, exit_outcome(atom("exit"), p.exit_reason, Value::nil())};
  }
}

// Whether it was the last step.
bool perform_step(Machine& m, Process& p, const Ending& ending) {
  const bool is_begun = p.is_exiting;
  note_exiting(m, p);
  if (m.stops_at_events()) {
    const Possession next = next_possession(m, p);
    const bool only_begins = !is_begun && m.events().watched().beginnings;
    if (only_begins && next.kind != Possession::Kind::Nothing) {
      access_possession(m, p, next);
      return false;
    }
    access_lost(m, p, next);
    give_up(m, p, next);
    if (next.kind != Possession::Kind::Nothing) return false;
  } else {
    give_up_everything(m, p);
  }
  end(m, p, ending);
  return true;
}

EventKind next_event(Machine& m, const Process& p) {
  const bool is_last = next_possession(m, p).kind == Possession::Kind::Nothing;
  return is_last ? EventKind::Exit : EventKind::Exiting;
}

void log_uncaught(Machine& m, const Value* fp, const Ending& ending) {
  const Process& p = m.process();
  const bool is_exit = fp[0].is_atom(Atom::intern("exit"));
  if (!p.is_exiting && !is_exit && !m.is_first(p) && !p.is_system) log_crash(m, ending.reason);
}

// For reports: where the process waits, or what it is about to do.
void note_stopped(Machine& m, const Process& p) {
  const Function* f = m.code().function_at(p.pc);
  if (!f) return;
  const bool waits = Instruction(*p.pc).op() == Op::ReceivePeek;
  const bool calls = p.call != nullptr;
  if (!waits && !calls) return;
  const core::NodeId node =
      waits ? fail_word(p.pc[1]).node
            : core::NodeId{static_cast<uint32_t>(p.pc[is_tail_call(p.pc) ? 2 : 3])};
  m.events().current().stopped.push_back(
      {p.pid.local_number(), f, node, find_author_call(m.code(), f, p.stack.data() + p.frame)});
}

// To other processes. Most processes never have any: then it is the map that they began with.
bool has_no_relations(const Process& p) {
  const auto is_empty = [&](Value map) { return map == p.links || map_size(map) == 0; };
  return map_size(p.links) == 0 && is_empty(p.monitored_by) && is_empty(p.aliases) &&
         is_empty(p.suspending);
}

const uint64_t kEndBySignal[] = {Instruction(Op::EndBySignal, 0, 0, 0).word};

}  // namespace

void exit_step(Machine& m, const uint64_t* pc, Value* fp, size_t live) {
  Process& p = m.process();
  do {
    if (m.stops_at_events() && !m.performs(next_event(m, p), pc, {}, nullptr)) {
      return m.pause_before_event(pc, fp, live);
    }
    const Ending ending = ending_at(m, p, pc, fp);
    if (Instruction(*pc).op() == Op::Die) log_uncaught(m, fp, ending);
    if (perform_step(m, p, ending)) return;
  } while (true);
}

void begin_exit(Machine& m, Process& p, Value reason, bool by_link) {
  if (p.is_exiting) return;
  if (m.events().is_recording() && !p.is_system) note_stopped(m, p);
  note_exiting(m, p);
  m.journal().set(p.exit_reason, reason);
  m.journal().set(p.ends_by_link, by_link);
  if (m.events().current().kind == EventKind::Arrival) {
    m.events().current().arguments.push_back(reason);
  }
  m.redirect(p, kEndBySignal);
}

void finish_exit(Machine& m, Process& p) {
  const Ending ending = ending_at(m, p, p.pc, p.stack.data() + p.frame);
  give_up_everything(m, p);
  end(m, p, ending);
}

bool has_invisible_exit(const Machine& m, const Process& p) {
  const bool may_have = p.is_at_event && Instruction(*p.pc).op() == Op::Finish && !m.is_first(p) &&
                        !p.is_system && p.name.is_none() && !p.has_tables;
  return may_have && has_no_relations(p);
}

void exit_invisibly(Machine& m, Process& p) {
  assert(has_invisible_exit(m, p) && m.journal().active());
  m.processes().set_status(p, Process::Status::Exited);
}

}  // namespace fathom::machine
