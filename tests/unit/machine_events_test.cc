// Events: what a machine that is observed tells of a run, and what is not an event.
#include <fmt/format.h>

#include "machine/driver.h"
#include "machine/process_name.h"
#include "running.h"

namespace fathom::machine::machine_events_test {
namespace {

constexpr std::string_view kObjectWords[] = {
    "life",       "exiting", "channel",   "mailbox", "mailboxorder", "flags",
    "progress",   "links",   "processes", "name",    "table",        "tablename",
    "tablefacts", "tables",  "timer",     "term",    "atomic",       "environment",
    "filename",   "file",    "directory", "system",  "service",      "unique"};
static_assert(std::size(kObjectWords) == static_cast<size_t>(SharedObject::Unique) + 1);
constexpr std::string_view kModes[] = {"r", "w", "+"};

// The owner of what is touched, if that is a process, by its name.
std::string owner_of(Machine& m, const Access& t) {
  if (t.object > SharedObject::Links || t.id == 0) return "";
  const Process* p = m.processes().find(Value::pid(t.id));
  return " " + (p ? process_name(*p) : std::string("dead"));
}

std::string shown(Machine& m, const Event& event) {
  const Process* p = event.process.is_none() ? nullptr : m.processes().find(event.process);
  std::string text = fmt::format("{} {}", p ? process_name(*p) : "-", event_word(event.kind));
  for (const Access& t : event.accesses) {
    text += fmt::format(", {}{}{}", kObjectWords[static_cast<size_t>(t.object)], owner_of(m, t),
                        kModes[static_cast<size_t>(t.mode)]);
    if (!t.part.is_none() && !t.part.is_reference() && !t.part.is_pid()) {
      text += " " + machine::shown(t.part);
    }
  }
  return text;
}

// In turn.
class Listener : public RoundRobin {
 public:
  void done(Machine& m, const Transition&, const Event& event) override {
    if (event.kind != EventKind::None) text += shown(m, event) + "\n";
  }
  std::string text;
};

constexpr std::string_view kEnd = "- exit, exiting deadw, life deadw, links deadr, processes+\n";

struct Case {
  std::string_view name;
  std::string_view body;  // of main/0
  std::string_view events;
  std::string_view end = kEnd;
};

constexpr Case kCases[] = {
    {"Nothing",
     "put(a, 1), make_ref(), erlang:monotonic_time(), erlang:unique_integer(), get(), self()", ""},
    {"ToItself", "self() ! x, receive x -> ok end",
     "P send, mailbox P+ 0\n"
     "P receive, mailbox Pw 0\n"},
    {"Output", "io:format(\"x\")",
     "P monitor\n"
     "P receive, mailbox Pw 0\n"
     "P demonitor, linksw, mailbox Pw\n"},
    {"GivingUp", "self() ! x, receive y -> ok after 0 -> ok end",
     "P send, mailbox P+ 0\n"
     "P after, mailbox Pr\n"},
    {"Sleeping", "receive after 10 -> ok end", "P after, mailbox Pr\n"},
    {"TimerMessage", "erlang:send_after(5, self(), x), receive x -> ok end",
     "P start_timer, timerw\n"
     "- timer, timerw, mailbox P+ 0\n"
     "P receive, mailbox Pw 0\n"},
    {"Names", "register(me, self()), me ! x, whereis(you), unregister(me)",
     "P register, namer me, life Pr, namew me, namew, namer me\n"
     "P send, namer me, mailbox P+ 0\n"
     "P whereis, namer you\n"
     "P unregister, namer me, life Pr, namew me, namew\n"},
    {"Keys",
     "T = ets:new(t, []), ets:insert(T, [{a, 1}, {b, 2}]), ets:lookup(T, a), ets:first(T), "
     "ets:delete(T)",
     "P table, tables+\n"
     "P ets_write, tablew a, tablew b\n"
     "P ets_read, tabler a\n"
     "P ets_read, tabler\n"
     "P table, tablew, tables+, tablew, tablefactsw\n"},
    {"NamedTable", "ets:new(t, [named_table]), ets:update_counter(t, k, 1, {k, 0}), ets:delete(t)",
     "P table, tables+, tablenamew t\n"
     "P ets_write, tablenamer t, tablew k\n"
     "P table, tablenamer t, tablew, tables+, tablew, tablefactsw, tablenamew t\n"},
    {"TermsAndAtomics",
     "persistent_term:put(k, 1), persistent_term:get(k), A = atomics:new(2, []), atomics:add(A, 2, "
     "1)",
     "P term_write, termw k\n"
     "P term_read, termr k\n"
     "P atomic_write, atomic+ 2\n"},
    {"Flags", "process_flag(trap_exit, true), process_flag(priority, high)",
     "P flag, flags Pw trap_exit\n"
     "P flag, flags Pw priority\n"},
    {"Ascending", "erlang:unique_integer([positive]), erlang:unique_integer([monotonic])",
     "P unique\n"
     "P unique, uniquew\n"},
    {"Child", "spawn(fun() -> ok end), receive after 1 -> ok end",
     "P spawn, processes+, life P.1+, flags Pr group_leader\n"
     "- exit, exiting deadw, life deadw, links deadr, processes+\n"
     "P after, mailbox Pr\n"},
    {"LinkedChild",
     "process_flag(trap_exit, true), spawn_link(fun() -> ok end), receive X -> X end",
     "P flag, flags Pw trap_exit\n"
     "P spawn, processes+, life P.1+, flags Pr group_leader, life P.1r, links Pw, links P.1w\n"
     "- exit, exiting deadw, life deadw, links deadr, processes+, links Pr, flags Pr trap_exit, "
     "mailbox P+ "
     "0\n"
     "P receive, mailbox Pw 0\n",
     "- exit, exiting deadw, life deadw, links deadr, processes+, links deadr, flags deadr "
     "trap_exit\n"},
    {"Killing", "P = spawn(fun() -> receive x -> ok end end), exit(P, kill), is_process_alive(P)",
     "P spawn, processes+, life P.1+, flags Pr group_leader\n"
     "P exit_signal, exiting P.1r\n"
     "- arrival, channel P.1w, exiting P.1r, exiting P.1w\n"
     "P info, life deadr, exiting deadr, channel deadw, exiting deadr, life deadw, links deadr, "
     "processes+\n"},
};

class Events : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Of, Events, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Events, AreTold) {
  TestMachine m(fmt::format("main() -> {}.", GetParam().body), {}, {.is_observed = true});
  m.start("main");
  Listener listener;
  const auto outcome = drive(*m, listener);
  EXPECT_EQ(outcome->kind, Outcome::Kind::Value) << TestMachine::shown(*outcome);
  EXPECT_EQ(listener.text, std::string(GetParam().events) + std::string(GetParam().end));
}

// What the process does between an event and the next may collect the heap.
TEST(EventValues, SurviveACollection) {
  TestMachine m(R"(
main() -> self() ! {message, [1, 2, 3], list_to_atom("x")}, length(junk(500000, [])), receive X -> X end.
junk(0, _) -> [];
junk(N, _) -> [{N, N} | junk(N - 1, [N, N])].
)",
                {}, {.is_observed = true});
  m.start("main");
  Process& p = *m->processes().first_runnable();
  while (m->events().event().kind != EventKind::Send) m->resume(p, INT64_MAX);
  EXPECT_GT(m->statistics().collections, 0U);
  EXPECT_EQ(machine::shown(m->events().event().arguments[1]), "{message,[1,2,3],x}");
  EXPECT_EQ(machine::shown(m->events().event().result), "{message,[1,2,3],x}");
}

// Whatever touches shared state without being an event would be missed by a search: so
// every native function that is listed exists.
TEST(VisibleNatives, AreNativeFunctions) {
  for (const VisibleNative& native : visible_natives()) {
    const auto is_it = [&](const NativeEntry& entry) {
      return entry.module == native.module && entry.name == native.name &&
             entry.arity == native.arity;
    };
    const auto& families = native_table().families;
    EXPECT_TRUE(std::any_of(
        families.begin(), families.end(),
        [&](const auto& family) { return std::any_of(family.begin(), family.end(), is_it); }))
        << native.module << ":" << native.name << "/" << native.arity;
  }
}

TEST(ProcessNames, AreReadBack) {
  for (const std::string_view name : {"P", "P.1", "P.1.22.3", "P#2", "P#2.1"}) {
    EXPECT_TRUE(parse_process_name(name)) << name;
  }
  for (const std::string_view name : {"", "p", "P.", "P.0", "P.1.", "P#", "P#0", "P 1", "P.x"}) {
    EXPECT_FALSE(parse_process_name(name)) << name;
  }
}

}  // namespace
}  // namespace fathom::machine::machine_events_test
