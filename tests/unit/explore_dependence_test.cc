// The dependence table, row by row: a program in which two events meet in the way the row
// says, so that both their orders are explored; and beside it one that differs by as little
// as possible, in which they do not, so that there is one order to explore.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include "explore/search.h"
#include "replayed_search.h"
#include "running.h"

namespace fathom::explore::explore_dependence_test {
namespace {

using machine::AccessMode;
using machine::SharedObject;
using enum machine::AccessMode;

using Rule = std::tuple<SharedObject, AccessMode, AccessMode>;

struct Case {
  Rule rule;
  std::string_view meet;
  std::string_view miss;
  uint64_t orders = 2;  // of those that meet; 1: one of them is the cause of the other
};

// Of a body: processes that stay, so that their ends are not what is met.
constexpr std::string_view kStay = "receive never -> ok end";

constexpr Case kCases[] = {
    {{SharedObject::Life, Read, Write},
     "C = spawn(fun() -> ok end), is_process_alive(C), STAY",
     "spawn(fun() -> ok end), is_process_alive(self()), STAY"},
    {{SharedObject::Life, Write, Write},
     "C = spawn(fun() -> ok end), catch erlang:suspend_process(C), STAY",
     "spawn(fun() -> ok end), C = spawn(fun() -> STAY end), erlang:suspend_process(C), STAY"},
    // Before the signal arrives, when it has, when the process has ended.
    {{SharedObject::Exiting, Read, Write},
     "C = spawn(fun() -> STAY end), spawn(fun() -> exit(C, kill), STAY end), monitor(process, C),"
     " STAY",
     "C = spawn(fun() -> STAY end), D = spawn(fun() -> STAY end),"
     " spawn(fun() -> exit(C, kill), STAY end), monitor(process, D), STAY",
     3},
    // The signal arrives first, or too late, or is sent too late.
    {{SharedObject::Exiting, Write, Write},
     "C = spawn(fun() -> ok end), exit(C, kill), STAY",
     "spawn(fun() -> ok end), C = spawn(fun() -> STAY end), exit(C, kill), STAY",
     3},
    {{SharedObject::Channel, Read, Write},
     "C = spawn(fun() -> STAY end), exit(C, kill), C ! message, STAY",
     ""},
    // The exit signal arrives while the first process is there, or not, and the monitor behind it:
    // not in time, or before the end of who is monitored, or after it.
    {{SharedObject::Channel, Write, Write},
     "C = spawn(fun() -> STAY end), exit(C, kill), monitor(process, C), STAY",
     "",
     4},
    {{SharedObject::Life, Append, Read},
     "C = spawn(fun() -> STAY end), is_process_alive(C), STAY",
     "",
     1},
    {{SharedObject::Life, Append, Write}, "spawn_monitor(fun() -> ok end), STAY", "", 1},
    {{SharedObject::Mailbox, Read, Append},
     "P = self(), spawn(fun() -> P ! 1, STAY end), process_info(P, message_queue_len), STAY",
     "D = spawn(fun() -> STAY end), spawn(fun() -> D ! 1, STAY end),"
     " process_info(self(), message_queue_len), STAY"},
    {{SharedObject::Mailbox, Read, Write},
     "C = spawn(fun() -> receive 1 -> STAY end end), C ! 1,"
     " process_info(C, message_queue_len), STAY",
     "C = spawn(fun() -> receive 1 -> STAY end end), C ! 1, process_info(C, trap_exit), STAY"},
    {{SharedObject::MailboxOrder, Read, Write},
     "P = self(), spawn(fun() -> P ! 1, STAY end), process_info(P, messages), STAY",
     "P = self(), spawn(fun() -> P ! 1, STAY end), process_info(P, links), STAY"},
    // The look comes before, between or after the two, in both their orders.
    {{SharedObject::MailboxOrder, Write, Write},
     "P = self(), spawn(fun() -> P ! 1, STAY end), spawn(fun() -> P ! 2, STAY end),"
     " process_info(P, messages), STAY",
     "P = self(), spawn(fun() -> P ! 1, STAY end), spawn(fun() -> P ! 2, STAY end),"
     " process_info(P, links), STAY",
     6},
    {{SharedObject::Flags, Read, Write},
     "C = spawn(fun() -> process_flag(trap_exit, true), STAY end), exit(C, stop), STAY",
     "C = spawn(fun() -> STAY end), spawn(fun() -> process_flag(trap_exit, true), STAY end),"
     " exit(C, stop), STAY",
     3},
    {{SharedObject::Flags, Write, Write},
     "C = spawn(fun() -> STAY end), spawn(fun() -> group_leader(C, C), STAY end),"
     " group_leader(self(), C), STAY",
     "C = spawn(fun() -> STAY end), spawn(fun() -> group_leader(C, C), STAY end),"
     " group_leader(self(), self()), STAY"},
    {{SharedObject::Links, Read, Write},
     "process_flag(trap_exit, true), C = spawn(fun() -> ok end), link(C), STAY",
     "process_flag(trap_exit, true), spawn(fun() -> ok end), C = spawn(fun() -> STAY end),"
     " link(C), STAY"},
    {{SharedObject::Links, Write, Write},
     "P = self(), C = spawn(fun() -> link(P), STAY end), unlink(C), STAY",
     "P = self(), spawn(fun() -> link(P), STAY end), C = spawn(fun() -> STAY end),"
     " unlink(C), STAY"},
    {{SharedObject::Processes, Read, Append},
     "spawn(fun() -> ok end), processes(), STAY",
     "spawn(fun() -> ok end), registered(), STAY"},
    {{SharedObject::Name, Read, Write},
     "spawn(fun() -> register(a, self()), STAY end), whereis(a), STAY",
     "spawn(fun() -> register(a, self()), STAY end), whereis(b), STAY"},
    {{SharedObject::Name, Write, Write},
     "register(a, self()), spawn(fun() -> catch unregister(a), STAY end), catch unregister(a),"
     " catch register(a, self()), STAY",
     "register(a, self()), spawn(fun() -> catch unregister(b), STAY end), catch unregister(a),"
     " catch register(a, self()), STAY",
     3},
    {{SharedObject::Table, Read, Write},
     "T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {a, 1}), STAY end),"
     " ets:lookup(T, a), STAY",
     "T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {a, 1}), STAY end),"
     " ets:lookup(T, b), STAY"},
    {{SharedObject::Table, Write, Write},
     "T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {a, 1}), STAY end),"
     " ets:insert(T, {a, 2}), STAY",
     "T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {a, 1}), STAY end),"
     " ets:insert(T, {b, 2}), STAY"},
    {{SharedObject::TableName, Read, Write},
     "spawn(fun() -> ets:new(t, [named_table]), STAY end), ets:whereis(t), STAY",
     "spawn(fun() -> ets:new(t, [named_table]), STAY end), ets:whereis(u), STAY"},
    {{SharedObject::TableName, Write, Write},
     "spawn(fun() -> catch ets:new(t, [named_table]), STAY end),"
     " catch ets:new(t, [named_table]), STAY",
     "spawn(fun() -> catch ets:new(t, [named_table]), STAY end),"
     " catch ets:new(u, [named_table]), STAY"},
    {{SharedObject::TableFacts, Read, Write},
     "T = ets:new(t, [public]), spawn(fun() -> ets:info(T, name), STAY end), ets:rename(T, u), "
     "STAY",
     "T = ets:new(t, [public]), spawn(fun() -> ets:info(T, name), STAY end),"
     " ets:insert(T, {a, 1}), STAY"},
    {{SharedObject::TableFacts, Write, Write},
     "T = ets:new(t, [public]), spawn(fun() -> ets:rename(T, u), STAY end), ets:rename(T, v), STAY",
     ""},
    {{SharedObject::Tables, Read, Append},
     "spawn(fun() -> ets:new(t, []), STAY end), ets:all(), STAY",
     "spawn(fun() -> ets:new(t, []), STAY end), ets:new(u, []), STAY"},
    {{SharedObject::Timer, Read, Write},
     "T = erlang:send_after(10, self(), x), erlang:read_timer(T), STAY",
     "erlang:send_after(10, self(), x), T = erlang:send_after(5000, self(), x),"
     " erlang:read_timer(T), STAY"},
    {{SharedObject::Timer, Write, Write},
     "T = erlang:send_after(10, self(), x), erlang:cancel_timer(T), STAY",
     "erlang:send_after(10, self(), x), T = erlang:send_after(5000, self(), x),"
     " erlang:cancel_timer(T), STAY"},
    {{SharedObject::Term, Read, Write},
     "spawn(fun() -> persistent_term:put(a, 1), STAY end), persistent_term:get(a, 0), STAY",
     "spawn(fun() -> persistent_term:put(a, 1), STAY end), persistent_term:get(b, 0), STAY"},
    {{SharedObject::Term, Write, Write},
     "spawn(fun() -> persistent_term:put(a, 1), STAY end), persistent_term:put(a, 2), STAY",
     "spawn(fun() -> persistent_term:put(a, 1), STAY end), persistent_term:put(b, 2), STAY"},
    {{SharedObject::Atomic, Read, Write},
     "A = atomics:new(2, []), spawn(fun() -> atomics:put(A, 1, 1), STAY end),"
     " atomics:get(A, 1), STAY",
     "A = atomics:new(2, []), spawn(fun() -> atomics:put(A, 1, 1), STAY end),"
     " atomics:get(A, 2), STAY"},
    {{SharedObject::Atomic, Write, Write},
     "A = atomics:new(2, []), spawn(fun() -> atomics:put(A, 1, 1), STAY end),"
     " atomics:put(A, 1, 2), STAY",
     "A = atomics:new(2, []), spawn(fun() -> atomics:put(A, 1, 1), STAY end),"
     " atomics:put(A, 2, 2), STAY"},
    {{SharedObject::Atomic, Append, Read},
     "A = atomics:new(2, []), spawn(fun() -> atomics:add(A, 1, 1), STAY end),"
     " atomics:get(A, 1), STAY",
     "A = atomics:new(2, []), spawn(fun() -> atomics:add(A, 1, 1), STAY end),"
     " atomics:add(A, 1, 1), STAY"},
    {{SharedObject::Atomic, Append, Write},
     "A = atomics:new(2, []), spawn(fun() -> atomics:add(A, 1, 1), STAY end),"
     " atomics:add_get(A, 1, 2), STAY",
     "A = atomics:new(2, []), spawn(fun() -> atomics:add(A, 2, 1), STAY end),"
     " atomics:add_get(A, 1, 2), STAY"},
    {{SharedObject::Environment, Read, Write},
     "spawn(fun() -> os:putenv(\"FATHOM_A\", \"1\"), STAY end), os:getenv(\"FATHOM_A\"), STAY",
     "spawn(fun() -> os:getenv(\"FATHOM_A\"), STAY end), os:getenv(\"FATHOM_A\"), STAY"},
    {{SharedObject::Environment, Write, Write},
     "spawn(fun() -> os:putenv(\"FATHOM_A\", \"1\"), STAY end),"
     " os:putenv(\"FATHOM_A\", \"2\"), STAY",
     ""},
    {{SharedObject::FileName, Read, Write},
     "spawn(fun() -> prim_file:make_dir(\"fathom_a\"), STAY end),"
     " prim_file:read_file_info(\"fathom_a\"), STAY",
     "spawn(fun() -> prim_file:make_dir(\"fathom_a\"), STAY end),"
     " prim_file:read_file_info(\"fathom_b\"), STAY"},
    {{SharedObject::FileName, Write, Write},
     "prim_file:make_dir(\"fathom_a\"), spawn(fun() -> prim_file:rename(\"fathom_a\","
     " \"fathom_b\"), STAY end), prim_file:rename(\"fathom_a\", \"fathom_c\"),"
     " prim_file:make_dir(\"fathom_a\"), STAY",
     "spawn(fun() -> prim_file:make_dir(\"fathom_a\"), STAY end),"
     " prim_file:make_dir(\"fathom_b\"), STAY",
     3},
    {{SharedObject::File, Read, Write},
     "prim_file:write_file(\"fathom_a\", <<1>>), spawn(fun() -> {ok, H} ="
     " prim_file:open(\"fathom_a\", [read, write]), prim_file:write(H, <<2>>), STAY end),"
     " prim_file:read_file(\"fathom_a\"), STAY",
     "prim_file:write_file(\"fathom_a\", <<1>>), prim_file:write_file(\"fathom_b\", "
     "<<1>>),"
     " spawn(fun() -> {ok, H} = prim_file:open(\"fathom_a\", [read, write]),"
     " prim_file:write(H, <<2>>), STAY end), prim_file:read_file(\"fathom_b\"), STAY"},
    {{SharedObject::File, Write, Write},
     "prim_file:write_file(\"fathom_a\", <<1>>), W = fun(B) -> {ok, H} ="
     " prim_file:open(\"fathom_a\", [read, write]), prim_file:write(H, B), STAY end,"
     " spawn(fun() -> W(<<2>>) end), W(<<3>>)",
     "prim_file:write_file(\"fathom_a\", <<1>>), prim_file:write_file(\"fathom_b\", "
     "<<1>>),"
     " W = fun(F, B) -> {ok, H} = prim_file:open(F, [read, write]), prim_file:write(H, B), STAY "
     "end,"
     " spawn(fun() -> W(\"fathom_a\", <<2>>) end), W(\"fathom_b\", <<3>>)"},
    {{SharedObject::Directory, Append, Read},
     "prim_file:make_dir(\"fathom_a\"), spawn(fun() -> "
     "prim_file:make_dir(\"fathom_a/b\"),"
     " STAY end), prim_file:list_dir(\"fathom_a\"), STAY",
     "prim_file:make_dir(\"fathom_a\"), spawn(fun() -> prim_file:make_dir(\"fathom_b\"),"
     " STAY end), prim_file:list_dir(\"fathom_a\"), STAY"},
    {{SharedObject::Directory, Append, Write},
     "prim_file:make_dir(\"fathom_a\"), spawn(fun() -> "
     "prim_file:make_dir(\"fathom_a/b\"),"
     " prim_file:del_dir(\"fathom_a/b\"), STAY end), prim_file:del_dir(\"fathom_a\"), "
     "STAY",
     "",
     3},
    {{SharedObject::Directory, Read, Write},
     "prim_file:make_dir(\"fathom_a\"), spawn(fun() -> prim_file:del_dir(\"fathom_a\"),"
     " STAY end), prim_file:list_dir(\"fathom_a\"), STAY",
     "prim_file:make_dir(\"fathom_a\"), prim_file:make_dir(\"fathom_b\"),"
     " spawn(fun() -> prim_file:del_dir(\"fathom_a\"), STAY end),"
     " prim_file:list_dir(\"fathom_b\"), STAY"},
    {{SharedObject::Directory, Write, Write},
     "prim_file:make_dir(\"fathom_a\"), M = fun(N) ->"
     " prim_file:write_file_info(\"fathom_a\", {file_info, undefined, undefined, undefined,"
     " 1, 1, 1, N, undefined, undefined, undefined, undefined, undefined, undefined},"
     " [{time, posix}]), STAY end, spawn(fun() -> M(8#700) end), M(8#770)",
     "",
     20},
    {{SharedObject::System, Write, Write}, "spawn(fun() -> halt() end), halt()", ""},
    // The service of global names keeps them in its state too; to tell its state does not change
    // it.
    {{SharedObject::Service, Read, Write},
     "spawn(fun() -> global:register_name(a, self()), STAY end), global:info(), STAY",
     "spawn(fun() -> global:info(), STAY end), global:info(), STAY"},
    {{SharedObject::Service, Write, Write},
     "spawn(fun() -> global:register_name(a, self()), STAY end),"
     " global:register_name(b, self()), STAY",
     "spawn(fun() -> global:register_name(a, self()), STAY end),"
     " application:set_env(a, b, 1), STAY"},
    {{SharedObject::Unique, Write, Write},
     "spawn(fun() -> erlang:unique_integer([monotonic]), STAY end),"
     " erlang:unique_integer([monotonic]), STAY",
     "spawn(fun() -> erlang:unique_integer(), STAY end), erlang:unique_integer(), STAY"},
};

constexpr Rule kRules[] = {
#define DEPENDS(object, first, second, reason) \
  {SharedObject::object, AccessMode::first, AccessMode::second},
#include "explore/dependence.def"
};

std::string program(std::string_view body) {
  std::string text = "main() -> " + std::string(body) + ".";
  for (size_t at = text.find("STAY"); at != std::string::npos; at = text.find("STAY")) {
    text.replace(at, 4, kStay);
  }
  return text;
}

// What an event touches, messages too.
std::vector<Footprint> access(const Record& record) {
  std::vector<Footprint> all = record.footprints;
  for (const machine::SentMessage& sent : record.event.sent) {
    all.push_back({SharedObject::Mailbox, Append, true, false, sent.to});
  }
  if (record.takes()) all.push_back({SharedObject::Mailbox, Write, true, false, record.process});
  return all;
}

void add_meetings(const Record& a, const Record& b, std::set<Rule>& met) {
  for (const Footprint& x : access(a)) {
    for (const Footprint& y : access(b)) {
      const bool is_same = x.is_whole || y.is_whole || x.part == y.part;
      if (x.object != y.object || x.id != y.id || !is_same) continue;
      met.insert({x.object, x.mode, y.mode});
      met.insert({x.object, y.mode, x.mode});
    }
  }
}

struct Found {
  uint64_t orders = 0;
  std::set<Rule> met;  // by two events of one execution, or one and what it has prevented
};

Found explore(std::string_view body) {
  Found found;
  SearchOptions options;
  options.delays_where_seen = false;  // only what there is in the order of the events
  ReplayedSearch search([&] { return machine::started(program(body)); }, options);
  search.run([&](const Search& s, Ending ending) {
    if (ending == Ending::Restart) {
      found = {};
      return true;
    }
    EXPECT_EQ(ending, Ending::Complete);
    for (EventIndex i{}; i < s.execution().trace().end(); ++i) {
      const Record& event = s.execution().trace()[i];
      for (EventIndex j = i + 1; j < s.execution().trace().end(); ++j) {
        add_meetings(event, s.execution().trace()[j], found.met);
      }
      for (const auto& disabled : event.disabled) add_meetings(event, *disabled, found.met);
    }
    return true;
  });
  found.orders = search.statistics().interleavings;
  return found;
}

TEST(DependenceTable, HasAProgramForEachRow) {
  for (const Rule& rule : kRules) {
    const bool has_case = std::any_of(std::begin(kCases), std::end(kCases),
                                      [&](const Case& c) { return c.rule == rule; });
    EXPECT_TRUE(has_case) << "object " << int(std::get<0>(rule)) << ", modes "
                          << int(std::get<1>(rule)) << " and " << int(std::get<2>(rule));
  }
}

class DependenceRow : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, DependenceRow, ::testing::ValuesIn(kCases));

TEST_P(DependenceRow, DecidesWhetherBothOrdersAreExplored) {
  const Case& c = GetParam();
  const Found meeting = explore(c.meet);
  EXPECT_EQ(meeting.orders, c.orders) << c.meet;
  EXPECT_TRUE(meeting.met.contains(c.rule)) << c.meet;
  if (c.miss.empty()) return;
  EXPECT_EQ(explore(c.miss).orders, 1) << c.miss;
}

struct Race {
  std::string_view body;
  uint64_t orders;
};

// What functions touch beside the obvious.
constexpr Race kRaces[] = {
    // A name is given and taken.
    {"ets:new(a, [named_table, public]), ets:new(b, [named_table, public]),"
     " spawn(fun() -> catch ets:rename(a, b), STAY end), ets:delete(b), STAY",
     2},
    // Whether the new owner lives.
    {"T = ets:new(t, []), C = spawn(fun() -> ok end), catch ets:give_away(T, C, x), STAY", 2},
    {"C = spawn(fun() -> ok end), ets:new(t, [{heir, C, x}]), STAY", 2},
    // The heir exits before it is named, before it inherits, or after that.
    {"C = spawn(fun() -> ok end), spawn(fun() -> ets:new(t, [{heir, C, x}]) end), STAY", 3},
    // A link goes with its other end; a monitor is there from its start to its owner's end.
    {"P = self(), spawn_link(fun() -> ok end), process_info(P, links), STAY", 2},
    {"P = self(), spawn(fun() -> monitor(process, P) end), process_info(P, monitored_by), STAY", 3},
    {"P = self(), C = spawn(fun() -> STAY end), R = monitor(process, C),"
     " spawn(fun() -> process_info(P, monitors), STAY end), demonitor(R, [flush]), STAY",
     2},
    // A child has the group leader that its parent has.
    {"P = self(), spawn(fun() -> group_leader(self(), P), STAY end), spawn(fun() -> STAY end), "
     "STAY",
     2},
    // To read the size of a mailbox does not depend on what else its owner does.
    {"T = ets:new(t, [public]), P = self(), spawn(fun() -> process_info(P, message_queue_len),"
     " ets:lookup(T, a), STAY end), ets:insert(T, {a, 1}), STAY",
     2},
};

void expect_orders(std::span<const Race> races) {
  for (const Race& race : races) EXPECT_EQ(explore(race.body).orders, race.orders) << race.body;
}

TEST(Dependence, OfWhatFunctionsTouchBesideTheObvious) { expect_orders(kRaces); }

// Of pairs that conflict at first sight: both orders leave the same state.
constexpr Race kNoRaces[] = {
    // The same is written, or nothing.
    {"T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {a, 1}), STAY end),"
     " spawn(fun() -> ets:insert(T, {a, 1}), STAY end), ets:insert(T, {a, 1}), STAY",
     1},
    {"T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, [{a, 1}, {b, 1}]), STAY end),"
     " ets:insert(T, [{b, 1}, {a, 1}]), STAY",
     1},
    {"T = ets:new(t, [public]), spawn(fun() -> ets:delete(T, a), STAY end), ets:delete(T, a), STAY",
     1},
    {"spawn(fun() -> persistent_term:put(a, 1), STAY end), persistent_term:put(a, 1), STAY", 1},
    {"A = atomics:new(1, []), spawn(fun() -> atomics:put(A, 1, 7), STAY end),"
     " atomics:put(A, 1, 7), STAY",
     1},
    {"T = ets:new(t, [public]), ets:insert(T, {a, 1}),"
     " spawn(fun() -> ets:insert_new(T, {a, 2}), STAY end), ets:lookup(T, a), STAY",
     1},
    {"T = ets:new(t, [public]), spawn(fun() -> catch ets:update_counter(T, a, 1), STAY end),"
     " ets:lookup(T, a), STAY",
     1},
    // The same twice before something else: the three in each order, but for those two.
    {"T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {a, 1}), STAY end),"
     " spawn(fun() -> ets:insert(T, {a, 1}), STAY end), ets:insert(T, {a, 2}), STAY",
     4},
    // Whichever is first, all of three fail to change it but one.
    {"T = ets:new(t, [public]), spawn(fun() -> ets:insert_new(T, {a, 1}), STAY end),"
     " spawn(fun() -> ets:insert_new(T, {a, 2}), STAY end), ets:insert_new(T, {a, 3}), STAY",
     3},
    // Its message is flushed, if it has come at all.
    {"{_, R} = spawn_monitor(fun() -> ok end), demonitor(R, [flush]), STAY", 1},
    {"{_, R} = spawn_monitor(fun() -> ok end), demonitor(R, [flush]),"
     " receive M -> M after 0 -> ok end, STAY",
     1},
    {"{_, R} = spawn_monitor(fun() -> ok end), receive M -> M after 0 -> ok end,"
     " demonitor(R, [flush]), STAY",
     2},
    {"{_, R} = spawn_monitor(fun() -> ok end), demonitor(R, [flush, info]), STAY", 2},
    {"{_, R} = spawn_monitor(fun() -> ok end), demonitor(R), STAY", 2},
    // Two ends of a link that end well; one of them traps exits; one of them ends badly.
    {"spawn_link(fun() -> ok end)", 1},
    {"process_flag(trap_exit, true), spawn_link(fun() -> ok end)", 1},
    {"process_flag(trap_exit, true), spawn_link(fun() -> exit(bad) end)", 1},
    {"spawn_link(fun() -> ok end), exit(bad)", 3},
    {"spawn_link(fun() -> exit(bad) end)", 3},
    // An exit signal that its receiver takes for a message, and its end.
    {"C = spawn(fun() -> receive go -> process_flag(trap_exit, true) end end), C ! go,"
     " exit(C, bad), STAY",
     4},
    {"C = spawn(fun() -> ok end), exit(C, normal), STAY", 1},
    {"C = spawn(fun() -> ok end), exit(C, bad), STAY", 3},
    // What the one of two ends that comes second would have told the other.
    {"P = spawn(fun() -> process_flag(trap_exit, true), receive M -> M after 0 -> ok end end),"
     " spawn(fun() -> link(P) end), STAY",
     4},
};

TEST(Dependence, OfWhatLeavesTheSameState) { expect_orders(kNoRaces); }

// Equal messages of several senders (equal_messages.h).
constexpr Race kEqualMessages[] = {
    {"P = self(), [spawn(fun() -> P ! done end) || _ <- [1, 2, 3, 4]],"
     " [receive done -> ok end || _ <- [1, 2, 3, 4]]",
     1},
    // What was written before is read when all are done.
    {"P = self(), [spawn(fun() -> persistent_term:put(I, 1), P ! done end) || I <- [1, 2, 3]],"
     " [receive done -> ok end || _ <- [1, 2, 3]], persistent_term:get()",
     1},
    // It is read when one of two is done, which may be the other one; and then the write comes
    // before or after it.
    {"P = self(), spawn(fun() -> persistent_term:put(a, 1), P ! done end),"
     " spawn(fun() -> P ! done end), receive done -> ok end, persistent_term:get(a, 0)",
     3},
    // The process that is done reads it itself.
    {"P = self(), spawn(fun() -> persistent_term:put(a, 1), P ! done end),"
     " spawn(fun() -> P ! done, persistent_term:get(a, 0) end), receive done -> ok end",
     3},
    // The one that is not waited for comes too late, or in time.
    {"P = self(), [spawn(fun() -> P ! done end) || _ <- [1, 2]],"
     " receive done -> ok end, receive done -> ok after 0 -> ok end",
     4},
    // There is another message that the same receive could take.
    {"P = self(), [spawn(fun() -> P ! M end) || M <- [done, done, failed]],"
     " [receive M -> M end || _ <- [1, 2, 3]]",
     6},
};

TEST(Dependence, OfMessagesThatAreAlike) { expect_orders(kEqualMessages); }

TEST(Dependence, OfAFlushAndALookIntoTheMailbox) {
  // The end of the child and the flush, with the look before both, between them in either
  // order, or after both: 4.
  const std::string_view body =
      "C = spawn(fun() -> {_, M} = spawn_monitor(fun() -> ok end), demonitor(M, [flush]), STAY"
      " end), process_info(C, message_queue_len), STAY";
  EXPECT_EQ(explore(body).orders, 4);
}

// What needs more than a pair of touches (dependence.def).
TEST(Dependence, OfALookAtHowFarAProcessHasCome) {
  const auto orders = [](std::string_view item) {
    return explore("C = spawn(fun() -> ets:new(t, []), put(a, 1), STAY end), process_info(C, " +
                   std::string(item) + "), STAY")
        .orders;
  };
  EXPECT_EQ(orders("dictionary"), 2);
  EXPECT_EQ(orders("current_function"), 2);
  EXPECT_EQ(orders("[links, dictionary]"), 2);
  EXPECT_EQ(orders("links"), 1);
  EXPECT_EQ(orders("trap_exit"), 1);
}

}  // namespace
}  // namespace fathom::explore::explore_dependence_test
