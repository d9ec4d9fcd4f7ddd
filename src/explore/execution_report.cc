#include "explore/execution_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "code/places.h"
#include "explore/at_rest.h"
#include "machine/assertion.h"
#include "machine/author_call.h"
#include "machine/outcome_text.h"
#include "machine/process_name.h"

namespace fathom::explore {

using machine::Event;
using machine::EventKind;
using machine::Function;
using machine::Process;
using machine::SharedObject;
using machine::Value;

namespace {

std::string milliseconds(Value timeout) {
  return timeout.is_small() ? fmt::format("{} ms", timeout.small()) : "";
}

// spawn(erlang, apply, [Fun, []]): what spawn(Fun) comes to.
bool is_fun_call(const Event& event) {
  static const Atom apply = Atom::intern("apply");
  return event.native && event.arguments.size() >= 3 && event.arguments[0].is_atom(atoms::erlang) &&
         event.arguments[1].is_atom(apply) && event.arguments[2].is_cons() &&
         event.arguments[2].head().is_fun();
}

// Where behaviours wait for whatever may come.
struct IdlePlace {
  Atom module;
  Atom function;
};
std::span<const IdlePlace> idle_places() {
  static const IdlePlace places[] = {
      {Atom::intern("gen_server"), Atom::intern("loop")},
      {Atom::intern("gen_statem"), Atom::intern("loop_receive")},
      {Atom::intern("gen_event"), Atom::intern("fetch_msg")},
      {Atom::intern("gen_fsm"), Atom::intern("loop")},
      // An application that runs has two processes that wait for its end.
      {Atom::intern("application_master"), Atom::intern("main_loop")},
      {Atom::intern("application_master"), Atom::intern("loop_it")},
  };
  return places;
}

}  // namespace

// ---- Names and places -------------------------------------------------------

// A service is known by the name that it has in OTP.
std::string ExecutionReport::process_name(uint64_t number) const {
  const Process* p = execution_.machine().processes().find(Value::pid(number));
  if (p && p->is_system && !p->name.is_none()) return machine::value_text(p->name);
  const std::string* name = execution_.actors().find_name(number);
  return name && !name->empty() ? *name : machine::value_text(Value::pid(number));
}

Value without_stack(Value reason) {
  const bool has_stack =
      reason.is_tuple(2) && reason.element(1).is_cons() && reason.element(1).head().is_tuple(4);
  return has_stack ? reason.element(0) : reason;
}

machine::PidNames ExecutionReport::pid_names() const {
  return [this](uint64_t number) { return process_name(number); };
}

std::string ExecutionReport::text(Value value) const {
  return machine::named_value_text(value, pid_names());
}

std::string ExecutionReport::table_name(Value table) const {
  if (!table.is_reference()) return text(table);
  for (EventIndex i{}; i < execution_.trace().end(); ++i) {
    const Event& event = execution_.trace()[i].event;
    const bool made_it = event.kind == EventKind::Table && event.arguments.size() == 2 &&
                         event.result.is_reference() && text(event.result) == text(table) &&
                         event.arguments[0].is_atom();
    if (made_it) return fmt::format("{} ({})", text(event.arguments[0]), text(table));
  }
  return text(table);
}

std::optional<std::string> ExecutionReport::assertion(Value reason) const {
  const auto read = machine::read_assertion(reason, [&](Value value) { return text(value); });
  if (!read) return std::nullopt;
  return fmt::format("{}: expected {}, got {}", read->kind, read->expected, read->got);
}

std::string ExecutionReport::function_name(const machine::Mfa* function) {
  if (!function) return {};
  return fmt::format("{}:{}/{}", function->module.text(), function->name.text(), function->arity);
}

// The function with which the process has begun; none: it is not known.
const Function* ExecutionReport::entry_of(uint64_t process) const {
  machine::Machine& m = execution_.machine();
  const Process* p = m.processes().find(Value::pid(process));
  const bool is_first = p ? m.is_first(*p) : process == 1;
  const auto find = [&](Atom module, Atom name, uint32_t arity) -> const Function* {
    return m.code().find_export(module, name, arity)->function;
  };
  if (is_first) {
    return find(m.first_call().module, m.first_call().name, m.first_call().arity);
  }
  for (EventIndex i{}; i < execution_.trace().end(); ++i) {
    const Event& event = execution_.trace()[i].event;
    const bool has_spawned =
        event.kind == EventKind::Spawn && event.arguments.size() >= 3 &&
        std::ranges::any_of(event.accesses, [&](const machine::Access& access) {
          return access.object == SharedObject::Life && access.id == process &&
                 access.mode == machine::AccessMode::Append;
        });
    if (!has_spawned) continue;
    if (is_fun_call(event)) return machine::function_of(event.arguments[2].head());
    uint32_t arity = 0;
    for (Value rest = event.arguments[2]; rest.is_cons(); rest = rest.tail()) ++arity;
    if (!event.arguments[0].is_atom() || !event.arguments[1].is_atom()) return nullptr;
    return find(event.arguments[0].atom(), event.arguments[1].atom(), arity);
  }
  return nullptr;
}

machine::AuthorCall ExecutionReport::author_call(const machine::AuthorCall& known,
                                                 uint64_t process) const {
  // What runs a test for the author has no place in it.
  if (known && known.via->module.text().starts_with("fathom_")) return {};
  const Function* gone = known ? known.gone : entry_of(process);
  if (!gone || machine::is_library(*gone)) return known;
  const machine::AuthorCall found = follow_tail_calls(*gone);
  return found ? found : known;
}

// ---- Steps ------------------------------------------------------------------

std::string ExecutionReport::arguments(const Record& record, size_t from) const {
  std::string list;
  for (size_t i = from; i < record.event.arguments.size(); ++i) {
    if (i > from) list += ", ";
    list += text(record.event.arguments[i]);
  }
  return list;
}

void ExecutionReport::describe_call(const Record& record, TraceStep& step) const {
  const Event& event = record.event;
  const machine::Export* native = event.native;
  // spawn_monitor/1, which the author has called, rather than what it calls.
  const machine::Mfa* stub = event.author.via;
  const Atom name = stub && stub->module == atoms::erlang ? stub->name
                    : native                              ? native->name
                                                          : Atom();
  if (event.kind == EventKind::Send && event.arguments.size() >= 2) {
    step.text = fmt::format("{} ! {}", text(event.arguments[0]), text(event.arguments[1]));
    step.message = text(event.arguments[1]);
  } else if (event.kind == EventKind::Spawn && is_fun_call(event)) {
    step.text = fmt::format("{}(fun() -> … end)", name.text());
  } else if (native) {
    const std::string_view module = native->module.text();
    step.text = fmt::format("{}{}({})", module == "erlang" ? "" : fmt::format("{}:", module),
                            native->name.text(), arguments(record, 0));
  }
  const bool is_plain = event.kind == EventKind::Send || event.kind == EventKind::StartTimer;
  if (event.result.is_none()) {
    const bool ends_itself = !event.exits.empty() && event.exits[0].process == event.process;
    step.result = event.kind == EventKind::Halt || ends_itself ? "" : "raises an exception";
  } else if (!is_plain) {
    step.result = text(event.result);
  }
}

// A process that ends gives up something: exit.cc.
std::string ExecutionReport::exiting_text(const Event& event) const {
  if (event.arguments.empty()) return "is ending";
  const std::string which = text(event.arguments[1]);
  if (event.arguments[0].is_atom(Atom::intern("name"))) {
    return fmt::format("is ending: the name {} is free", which);
  }
  if (event.arguments[0].is_atom(Atom::intern("fixed"))) {
    return fmt::format("is ending: table {} is not fixed any more", which);
  }
  return event.sent.empty()
             ? fmt::format("is ending: table {} is deleted", which)
             : fmt::format("is ending: table {} goes to {}", which, process_name(event.sent[0].to));
}

std::string ExecutionReport::arrival_text(const Event& event) const {
  const std::string receiver = process_name(event.arguments[1].local_number());
  return event.arguments.size() == 3
             ? fmt::format("an exit signal arrives: {} ends with {}", receiver,
                           text(without_stack(event.arguments[2])))
             : fmt::format("a signal arrives at {}", receiver);
}

void ExecutionReport::tell(const Record& record, TraceStep& step) const {
  const Event& event = record.event;
  switch (event.kind) {
    case EventKind::Receive:
      step.message = text(event.arguments[0]);
      step.text = "receive " + step.message;
      step.cause = exists(record.taken_at) ? number(record.taken_at) : kNoStep;
      return;
    case EventKind::After:
      step.text = fmt::format("after {}: timed out", milliseconds(event.timeout));
      return;
    case EventKind::Exiting:
      step.text = exiting_text(event);
      return;
    case EventKind::Exit: {
      const Value reason =
          event.exits.empty() ? Value::nil() : without_stack(event.exits[0].reason);
      step.text = reason.is_atom(Atom::intern("normal"))
                      ? "ends"
                      : "ends with " + assertion(reason).value_or(text(reason));
      return;
    }
    case EventKind::Timer:
    case EventKind::Arrival:
      if (event.sent.empty()) {
        step.text = event.kind == EventKind::Timer ? "a timer fires" : arrival_text(event);
        return;
      }
      step.message = text(event.sent[0].message);
      step.text = fmt::format("{}: {} gets {}",
                              event.kind == EventKind::Timer ? "a timer fires" : "arrives",
                              process_name(event.sent[0].to), step.message);
      return;
    default:
      return describe_call(record, step);
  }
}

TraceStep ExecutionReport::step(EventIndex index) const {
  const Record& record = execution_.trace()[index];
  const Event& event = record.event;
  TraceStep step;
  step.process = execution_.actors().name(record.id.actor);
  step.kind = event.kind;
  if (event.kind == EventKind::Timer) step.process = step.process.substr(0, step.process.find('#'));
  if (event.kind == EventKind::Arrival) {
    step.process = step.process.substr(0, step.process.find('>'));
  }
  step.place = machine::place_of(event.place, event.node);
  step.function = function_name(event.place);
  step.is_library = event.place && machine::is_library(*event.place);
  if (step.is_library) {
    const machine::AuthorCall author = author_call(event.author, record.process);
    step.caller = machine::place_of(author.function, author.node);
    step.via = function_name(author.via);
  }
  if (!event.sent.empty()) step.peer = process_name(event.sent[0].to);
  for (const machine::Access& access : event.accesses) {
    if (event.kind == EventKind::Spawn && access.object == SharedObject::Life &&
        access.mode == machine::AccessMode::Append) {
      step.peer = process_name(access.id);
    }
  }
  for (const machine::ProcessExit& ended : event.exits) {
    step.ended.push_back(process_name(ended.process.local_number()));
  }
  for (const uint64_t exited : record.invisible_exits) step.ended.push_back(process_name(exited));
  tell(record, step);
  return step;
}

std::vector<TraceStep> ExecutionReport::steps() const {
  std::vector<TraceStep> steps;
  steps.reserve(execution_.trace().size());
  for (EventIndex i{}; i < execution_.trace().end(); ++i) steps.push_back(step(i));
  return steps;
}

std::string short_text(const TraceStep& step) {
  return step.process.empty() ? step.text : fmt::format("{}: {}", step.process, step.text);
}

Schedule ExecutionReport::schedule() const {
  Schedule schedule;
  for (EventIndex i{}; i < execution_.trace().end(); ++i) {
    const Record& record = execution_.trace()[i];
    const Choice& choice = execution_.actors().choice(record.id.actor);
    if (record.by_timer) schedule.steps.push_back({choice, EventKind::Timer, "", 0});
    schedule.steps.push_back(
        {choice, record.event.kind, machine::place_text(record.event.place, record.event.node), 0});
    for (const uint64_t exited : record.invisible_exits) {
      const Choice exiting{.process = ProcessName(process_name(exited))};
      schedule.steps.push_back({exiting, EventKind::Exit, "", 0});
    }
  }
  schedule.is_silent = execution_.machine().mode().is_silent;
  schedule.delays_delivery = execution_.machine().mode().delays_delivery;
  schedule.watches_leaders = execution_.machine().events().watched().leaders;
  schedule.watches_beginnings = execution_.machine().events().watched().beginnings;
  schedule.watches_dictionaries = execution_.machine().events().watched().dictionaries;
  for (const machine::Channel& channel : execution_.machine().events().watched().late) {
    schedule.late.push_back({.kind = ActorKind::Channel,
                             .process = ProcessName(process_name(channel.from)),
                             .to = ProcessName(process_name(channel.to))});
  }
  schedule.has_end = true;
  return schedule;
}

// ---- The end ----------------------------------------------------------------

// One that hibernates is to go on with proc_lib:wake_up(Behaviour, …).
bool is_idle(machine::Machine& m, const Process& p) {
  static const Atom proc_lib = Atom::intern("proc_lib");
  const Function* f = m.code().function_at(p.pc);
  const Value* fp = p.stack.data() + p.frame;
  const bool hibernates = !f && fp[0].is_atom(proc_lib) && fp[2].is_cons();
  return std::ranges::any_of(idle_places(), [&](const IdlePlace& place) {
    if (!f) return hibernates && fp[2].head().is_atom(place.module);
    return f->module == place.module && f->name == place.function;
  });
}

// The first process has exited, and the execution is over though a timer is set: a heartbeat
// (at_rest.h).
bool is_woken_by_timer(machine::Machine& m, const Process& p) {
  constexpr uint64_t kFirst[] = {1};
  bool is_woken = false;
  if (m.processes().find_descendant(kFirst)) return false;
  m.shared().timers.for_each([&](uint64_t, const machine::Timer& timer) {
    is_woken = is_woken || timer.destination == p.pid;
  });
  return is_woken;
}

// {'$gen_call', From, Request}: the last that the process has sent; empty: none.
std::string ExecutionReport::last_request(uint64_t process) const {
  static const Atom gen_call = Atom::intern("$gen_call");
  for (EventIndex i = execution_.trace().end(); number(i) > 0;) {
    const Record& record = execution_.trace()[--i];
    if (record.process != process || record.event.kind != EventKind::Send) continue;
    if (record.event.arguments.size() < 2) continue;
    const Value message = record.event.arguments[1];
    if (message.is_tuple(3) && message.element(0).is_atom(gen_call))
      return text(message.element(2));
  }
  return "";
}

std::vector<WaitingProcess> ExecutionReport::waiting() const {
  machine::Machine& m = execution_.machine();
  std::vector<WaitingProcess> result;
  m.processes().for_each([&](const Process& p) {
    if (p.is_system) return;
    WaitingProcess waiting;
    waiting.process = machine::process_name(p);
    if (!p.name.is_none()) waiting.name = text(p.name);
    const Function* f = m.code().function_at(p.pc);
    waiting.function = f ? function_name(f) : "erlang:hibernate/3";
    waiting.is_idle = is_idle(m, p) || is_woken_by_timer(m, p);
    if (const auto node = machine::waiting_node(m, p)) waiting.place = machine::place_of(f, *node);
    const auto author =
        author_call(find_author_call(m.code(), f, p.stack.data() + p.frame), p.pid.local_number());
    waiting.caller = machine::place_of(author.function, author.node);
    waiting.via = function_name(author.via);
    waiting.awaits = machine::awaited_text(m, p);
    if (const Process* other = awaited_process(m, p)) {
      waiting.answerer = machine::process_name(*other);
      waiting.request = last_request(p.pid.local_number());
    }
    for (const Value message : p.mailbox.messages()) waiting.mailbox.push_back(text(message));
    result.push_back(std::move(waiting));
  });
  return result;
}

namespace {

std::string_view object_word(SharedObject object) {
  switch (object) {
    case SharedObject::Life:
    case SharedObject::Exiting:
      return "the lifetime of";
    case SharedObject::Channel:
      return "the signals in transit to";
    case SharedObject::Mailbox:
      return "the mailbox of";
    case SharedObject::MailboxOrder:
      return "the order of messages to";
    case SharedObject::Progress:
      return "the progress of";
    case SharedObject::Flags:
      return "the flags of";
    case SharedObject::Links:
      return "the links and monitors of";
    case SharedObject::Processes:
      return "the set of processes";
    case SharedObject::Name:
      return "the name";
    case SharedObject::Table:
      return "table";
    case SharedObject::TableName:
      return "the table";
    case SharedObject::TableFacts:
      return "the properties of the table";
    case SharedObject::Tables:
      return "the set of tables";
    case SharedObject::Timer:
      return "a timer";
    case SharedObject::Term:
      return "the persistent term";
    case SharedObject::Atomic:
      return "an atomic";
    case SharedObject::Environment:
      return "the environment";
    case SharedObject::FileName:
      return "the file";
    case SharedObject::File:
      return "the contents of a file";
    case SharedObject::Directory:
      return "the names in a directory";
    case SharedObject::System:
      return "the running system";
    case SharedObject::Service:
      return "the service";
    case SharedObject::Unique:
      return "monotonic unique integers";
  }
  return "";
}

}  // namespace

std::string ExecutionReport::contended_object(EventIndex first, EventIndex second) const {
  const Record& a = execution_.trace()[first];
  const Record& b = execution_.trace()[second];
  const Footprint* conflict = find_conflict(a, b);
  if (!conflict) {
    for (const machine::SentMessage& x : a.event.sent) {
      for (const machine::SentMessage& y : b.event.sent) {
        if (x.to == y.to) return "the mailbox of " + process_name(x.to);
      }
      if (b.is_receive() && b.process == x.to) return "the mailbox of " + process_name(x.to);
    }
    for (const machine::SentMessage& y : b.event.sent) {
      if (a.is_receive() && a.process == y.to) return "the mailbox of " + process_name(y.to);
    }
    return "";
  }
  const size_t i = static_cast<size_t>(conflict - a.footprints.data());
  Value part = Value::none();
  size_t seen = 0;
  for (const machine::Access& access : a.event.accesses) {
    if (access.object == SharedObject::Mailbox) continue;
    if (seen++ == i) part = access.part;
  }
  const std::string_view word = object_word(conflict->object);
  switch (conflict->object) {
    case SharedObject::Life:
    case SharedObject::Exiting:
    case SharedObject::Flags:
    case SharedObject::Progress:
    case SharedObject::Links:
    case SharedObject::Channel:
    case SharedObject::Mailbox:
    case SharedObject::MailboxOrder:
    case SharedObject::Service:
      return fmt::format("{} {}", word, process_name(conflict->id));
    case SharedObject::Table: {
      const std::string name =
          a.event.arguments.empty() ? "" : " " + table_name(a.event.arguments[0]);
      return part.is_none() ? fmt::format("table{}", name)
                            : fmt::format("key {} of table{}", text(part), name);
    }
    case SharedObject::File:
    case SharedObject::Directory:
      return std::string(word);
    default:
      return part.is_none() ? std::string(word) : fmt::format("{} {}", word, text(part));
  }
}

}  // namespace fathom::explore
