// Going back: after a rewind the machine is, word for word, what it was at the mark,
// and it goes on as if nothing had happened in between.
#include <unistd.h>

#include <fstream>
#include <map>
#include <random>

#include "machine/driver.h"
#include "running.h"
#include "samples.h"

namespace fathom::machine::machine_rewind_test {
namespace {

// ---- All that can change -----------------------------------------------------

struct ProcessState {
  std::vector<uint64_t> words;  // everything that is one word
  std::vector<Value> stack;
  std::vector<Value> mailbox;
  bool operator==(const ProcessState&) const = default;
};

ProcessState state_of(const Process& p) {
  ProcessState state;
  for (const Value v : {p.pid, p.lineage, p.dictionary, p.flags, p.group_leader, p.name, p.links,
                        p.monitors, p.monitored_by, p.aliases, p.suspending}) {
    state.words.push_back(v.raw());
  }
  for (const void* pointer :
       {static_cast<const void*>(p.pc), static_cast<const void*>(p.call),
        static_cast<const void*>(p.next), static_cast<const void*>(p.previous)}) {
    state.words.push_back(reinterpret_cast<uint64_t>(pointer));
  }
  for (const uint64_t n :
       {uint64_t{p.frame}, uint64_t{p.top}, p.reductions, uint64_t{p.mailbox_next}, p.receive_timer,
        uint64_t{p.is_timer_set}, uint64_t{p.is_timed_out}, uint64_t{p.is_at_event}, p.children,
        p.timers, p.identifiers, static_cast<uint64_t>(p.status), p.suspensions,
        static_cast<uint64_t>(p.resumes_as), uint64_t{p.is_system}, uint64_t{p.starts_system},
        uint64_t{p.is_running}}) {
    state.words.push_back(n);
  }
  state.stack.assign(p.stack.data(), p.stack.data() + p.top);
  const std::span<const Value> messages = p.mailbox.messages();
  state.mailbox.assign(messages.begin(), messages.end());
  if (p.mailbox.is_numbered()) {
    for (size_t i = 0; i < messages.size(); ++i) state.words.push_back(p.mailbox.number(i));
  }
  return state;
}

struct State {
  std::vector<uint64_t> heap;
  size_t buffer_bytes = 0;
  std::vector<ProcessState> processes;
  const Process* first_runnable = nullptr;
  std::vector<uint64_t> shared;
  std::map<uint64_t, std::vector<uint64_t>> atomics;
  std::vector<std::vector<uint64_t>> tables;
  std::string output;
};

std::vector<uint64_t> state_of(Machine& m, const Table& t) {
  return {t.id,
          static_cast<uint64_t>(t.protection),
          t.name.raw(),
          t.owner.raw(),
          t.heir.raw(),
          t.heir_data.raw(),
          t.objects.raw(),
          t.size,
          t.fixed_by.raw(),
          static_cast<uint64_t>(t.fixed_since),
          t.removed.raw(),
          uint64_t{t.is_named && m.tables().find(t.name) == &t}};
}

State state_of(Machine& m) {
  State state;
  const size_t words = m.heap().young_bytes() / sizeof(uint64_t);
  state.heap.assign(m.heap().top() - words, m.heap().top());
  state.buffer_bytes = m.heap().buffer_bytes();
  m.processes().for_each([&](const Process& p) { state.processes.push_back(state_of(p)); });
  state.first_runnable = m.processes().first_runnable();
  const SharedState& shared = m.shared();
  state.shared = {shared.persistent_terms.map.raw(),
                  shared.environment.map.raw(),
                  shared.names.map.raw(),
                  shared.match_specs.map.raw(),
                  shared.aliases.map.raw(),
                  shared.files.open.raw(),
                  shared.files.nodes.raw(),
                  shared.files.buffers.raw(),
                  shared.files.current_dir.raw(),
                  shared.code_directories.list.raw(),
                  static_cast<uint64_t>(m.clock().now()),
                  m.clock().reads(),
                  m.numbers().counts()[0],
                  m.numbers().counts()[1],
                  m.numbers().counts()[2],
                  static_cast<uint64_t>(shared.last_now),
                  m.processes().last_orphan(),
                  shared.transit.value().raw()};
  shared.timers.for_each([&](uint64_t number, const Timer& timer) {
    state.shared.insert(
        state.shared.end(),
        {number, static_cast<uint64_t>(*shared.timers.time_of(number)), timer.destination.raw(),
         timer.message.raw(), timer.setter.raw(), timer.ordinal});
  });
  for (const auto& [number, array] : shared.atomics.arrays) state.atomics[number] = array.words;
  m.tables().for_each([&](const Table& t) { state.tables.push_back(state_of(m, t)); });
  state.output = m.output().text();
  return state;
}

void expect_same(const State& before, const State& after) {
  EXPECT_TRUE(before.heap == after.heap);
  EXPECT_EQ(before.buffer_bytes, after.buffer_bytes);
  EXPECT_TRUE(before.processes == after.processes);
  EXPECT_EQ(before.first_runnable, after.first_runnable);
  EXPECT_EQ(before.shared, after.shared);
  EXPECT_EQ(before.atomics, after.atomics);
  EXPECT_EQ(before.tables, after.tables);
  EXPECT_EQ(before.output, after.output);
}

// ---- Programs that change all of it -------------------------------------------

struct Program {
  std::string_view name;
  std::string_view result;  // begins like this
  std::string_view text;
};

constexpr Program kPrograms[] = {
    {"Recursion", "{144,300,[2,3,5,6,8,", R"(
main() -> {fib(12), length(down(300)), sort(60)}.
fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
down(0) -> [];
down(N) -> [{N, N} | down(N - 1)].
sort(N) -> qsort([I * 7919 rem 101 || I <- lists:seq(1, N)]).
qsort([]) -> [];
qsort([H | T]) -> qsort([X || X <- T, X < H]) ++ [H] ++ qsort([X || X <- T, X >= H]).
)"},
    {"Exceptions", "[{error,1},4,{thrown,3},", R"(
main() -> [caught(N) || N <- lists:seq(1, 40)].
caught(N) -> try deep(N, N) catch throw:X -> {thrown, X}; error:E -> {error, E} after put(n, N) end.
deep(0, N) when N rem 3 =:= 0 -> throw(N);
deep(0, N) when N rem 3 =:= 1 -> error(N);
deep(0, N) -> N;
deep(K, N) -> 1 + deep(K - 1, N).
)"},
    {"Binaries", "{2600,855821}", R"(
main() -> {byte_size(grow(200, <<>>)), split(binary:copy(<<"abcdefgh">>, 40))}.
grow(0, B) -> B;
grow(N, B) -> grow(N - 1, <<B/binary, N:32, "some text">>).
split(<<X:24, Rest/binary>>) -> X bxor split(Rest);
split(_) -> 0.
)"},
    {"OwnState", "{[{5,{5,#Ref<", R"(
main() -> A = atomics:new(4, []), persistent_term:put(count, 0), loop(60, A, #{}).
loop(0, A, M) ->
  {get(), atomics:get(A, 2), persistent_term:get(count), maps:size(M), os:getenv("FATHOM_TEST")};
loop(N, A, M) ->
  put(N rem 7, {N, make_ref()}), erase(N rem 5),
  atomics:add(A, 2, N),
  persistent_term:put(count, persistent_term:get(count) + 1),
  os:putenv("FATHOM_TEST", integer_to_list(N)),
  erlang:display(N), erlang:unique_integer(), erlang:monotonic_time(),
  self() ! N, self() ! {other, N},
  receive {other, X} when X rem 2 =:= 0 -> ok after 0 -> ok end,
  loop(N - 1, A, M#{N => N, -N => [N]}).
)"},
    {"WrittenFiles", "{[49,49,49,49,49,49,50,", R"(
main() ->
  D = "fathom_rewind", {ok, Old} = file:get_cwd(),
  ok = file:make_dir(D), ok = file:set_cwd(D),
  P = self(),
  Pids = [spawn_link(fun() -> writer(I, 6), P ! {done, I} end) || I <- [1, 2, 3]],
  [receive {done, I} -> ok end || I <- [1, 2, 3]],
  {ok, Names} = file:list_dir("."),
  {ok, All} = file:read_file("all"),
  R = {lists:sort(binary_to_list(All)), lists:sort(Names), length(Pids),
       [file:read_file(N) || N <- lists:sort(Names), N =/= "all"]},
  ok = file:set_cwd(Old),
  ok = file:del_dir_r(D),
  R.
writer(_, 0) -> ok;
writer(I, N) ->
  F = "f" ++ integer_to_list(I), G = "g" ++ integer_to_list(I),
  ok = file:write_file(F, [$a + N, binary:copy(<<I>>, 3000)]),
  {ok, H} = file:open(F, [raw, read, write, binary]),
  ok = file:pwrite(H, 4090, <<"0123456789">>), {ok, _} = file:position(H, {eof, -3}), ok = file:truncate(H),
  ok = file:close(H),
  ok = file:rename(F, G), ok = file:make_link(G, F), _ = file:make_symlink(F, G ++ "l"),
  ok = file:write_file("all", [$0 + I], [append]), ok = file:change_mode(F, 8#600 + N),
  _ = file:make_dir(G ++ "d"), ok = file:write_file(G ++ "d/x", "x"), ok = file:delete(G ++ "d/x"),
  ok = file:del_dir(G ++ "d"), ok = file:delete(G),
  writer(I, N - 1).
)"},
    {"Processes", "{150,[{done,1},{done,2},{done,3},{done,4}],late,0}", R"(
main() ->
  Before = processes(),
  process_flag(trap_exit, true),
  register(main, self()),
  Workers = [spawn_link(fun() -> worker(I, 5) end) || I <- lists:seq(1, 4)],
  {P, R} = spawn_monitor(fun() -> receive after 30 -> exit(late) end end),
  Got = gather(20, 0),
  Ends = [receive {'EXIT', W, Why} -> Why end || W <- Workers],
  Down = receive {'DOWN', R, process, P, Reason} -> Reason end,
  unregister(main),
  {Got, Ends, Down, length(processes() -- Before)}.
worker(I, 0) -> exit({done, I});
worker(I, N) -> main ! {I, N}, receive after I -> ok end, worker(I, N - 1).
gather(0, Sum) -> Sum;
gather(N, Sum) -> receive {I, K} -> gather(N - 1, Sum + I * K) end.
)"},
    {"Signals", "{[{down,1},{down,2},{down,3}],[killed,oops,normal],[2,4],late,undefined}", R"(
main() ->
  process_flag(trap_exit, true),
  Victims = [spawn_link(fun() -> victim(I) end) || I <- [1, 2, 3]],
  Refs = [{I, monitor(process, V, [{tag, {down, I}}])} || {I, V} <- lists:zip([1, 2, 3], Victims)],
  [V ! {to, self()} || V <- Victims],
  [A, B, C] = Victims,
  exit(A, kill), exit(B, oops), C ! stop,
  Downs = [receive {Tag, R, process, _, _} -> Tag end || {_, R} <- Refs],
  Why = [receive {'EXIT', V, W} -> W end || V <- Victims],
  {Downs, Why, aliases(4, []), timers(6), whereis(helper)}.
victim(I) ->
  receive {to, P} -> P end,
  Pid = spawn_link(fun() -> receive after infinity -> ok end end),
  register(list_to_atom("helper" ++ integer_to_list(I)), Pid),
  receive stop -> unlink(Pid), exit(Pid, kill) end.
aliases(0, Got) -> Got;
aliases(N, Got) ->
  {P, R} = spawn_monitor(fun() -> receive {A, X} -> A ! {A, X}, A ! {A, again} end end),
  A = alias([reply]),
  B = monitor(process, P, [{alias, reply_demonitor}]),
  P ! {case N rem 2 of 0 -> A; 1 -> B end, N},
  receive {'DOWN', R, process, P, _} -> ok end,
  demonitor(B, [flush]),
  unalias(A),
  aliases(N - 1, [X || {_, X} <- mail(), X rem 2 =:= 0] ++ Got).
mail() -> receive M -> [M | mail()] after 0 -> [] end.
timers(0) -> receive M -> M after 50 -> none end;
timers(N) ->
  T = erlang:send_after(N, self(), late),
  U = erlang:start_timer(N * 10, self(), later),
  receive after N - 1 -> ok end,
  erlang:read_timer(U), erlang:cancel_timer(U),
  N > 1 andalso erlang:cancel_timer(T),
  timers(N - 1).
)"},
    {"Tables", "{[0,1,2,3,78],3,[{1,78},{2,78}],[{1,1},{2,12},{3,30}]}", R"(
main() ->
  process_flag(trap_exit, true),
  ets:new(kept, [ordered_set, public, named_table]),
  Me = self(),
  Workers = [{I, spawn_link(fun() -> worker(I, Me) end)} || I <- [1, 2, 3]],
  Given = [receive {'ETS-TRANSFER', T, W, I} -> {I, ets:info(T, size)} end || {I, W} <- Workers],
  [receive {'EXIT', W, _} -> ok end || {_, W} <- Workers],
  Values = lists:usort([V || {_, V} <- ets:tab2list(kept)]),
  {Values, length(ets:all()) - 1, ets:lookup(kept, 1) ++ ets:take(kept, 2), Given}.
worker(I, Heir) ->
  work(I, 12, ets:new(mine, [lists:nth(I, [set, bag, duplicate_bag]), {heir, Heir, I}])).
work(_, 0, _) -> ok;
work(I, N, T) ->
  ets:insert(T, [{K rem 3, N} || K <- lists:seq(1, N)]),
  ets:safe_fixtable(T, true),
  ets:delete(T, ets:first(T)),
  ets:select_delete(T, [{{'_', '$1'}, [{'<', '$1', N}], [true]}]),
  ets:safe_fixtable(T, N rem 2 =:= 0),
  ets:update_counter(kept, I, {2, N, 1000, 0}, {I, 0}),
  ets:insert(kept, {{I, N}, N rem 4}),
  ets:match_spec_compile([{'_', [], ['$_']}]),
  Short = ets:new(list_to_atom("short" ++ integer_to_list(I)), [named_table]),
  ets:setopts(Short, {protection, private}),
  ets:delete(Short),
  ets:rename(T, list_to_atom("mine" ++ integer_to_list(N))),
  work(I, N - 1, T).
)"},
    // Each is started inside a step, and started again when it was killed.
    {"Services", "{[{event,1},{event,2},{event,3}],{ok,3},undefined,shown}", R"(
-export([log/2]).
main() ->
  ok = logger:add_handler(mine, ?MODULE, #{config => self()}),
  ok = logger:set_handler_config(default, level, none),
  Events = [event(N) || N <- [1, 2, 3]],
  {ok, _} = timer:send_after(5, shown),
  exit(whereis(timer_server), kill),
  {ok, _} = timer:apply_after(1, erlang, display, [applied]),
  ok = application:load({application, shop, [{vsn, "1"}, {env, [{n, 3}]}]}),
  Got = application:get_env(shop, n),
  ok = application:unload(shop),
  logger:set_handler_config(default, level, all),
  logger:error("the end"),
  {Events, Got, application:get_env(shop, n), receive shown -> shown end}.
event(N) -> spawn(fun() -> error({event, N}) end), receive {logged, E} -> E end.
log(#{msg := {_, [_, {E, _}]}}, #{config := Pid}) -> Pid ! {logged, E}.
)"},
    {"Files", "{[root,root,root],{ok,[47]},true,[bin,etc],1}", R"(
main() ->
  {ok, F} = file:open("/etc/passwd", [read, raw, binary, read_ahead]),
  Names = [name(F) || _ <- [1, 2, 3]],
  ok = file:set_cwd("/"),
  {ok, Pid} = file:open("etc/passwd", [read]),
  Line = file:read_line(Pid),
  {ok, 0} = file:position(Pid, bof),
  Same = Line =:= file:read_line(Pid),
  ok = file:close(Pid),
  code:add_pathz("/etc"),
  {ok, All} = file:list_dir("."),
  Worker = spawn(fun() -> receive {Me, X} -> Me ! X end end),
  erlang:suspend_process(Worker),
  Worker ! {self(), 1},
  none = receive 1 -> early after 5 -> none end,
  erlang:resume_process(Worker),
  {Names, file:get_cwd(), Same andalso lists:last(code:get_path()) =:= "/etc",
   [list_to_atom(D) || D <- ["bin", "etc"], lists:member(D, All)], receive X -> X end}.
name(F) ->
  {ok, 0} = file:position(F, bof),
  {ok, Line} = file:read_line(F),
  binary_to_atom(hd(binary:split(Line, <<":">>))).
)"},
};

// ---- A random walk -------------------------------------------------------------

class Walk {
 public:
  Walk(Machine& m, unsigned seed) : m_(m), random_(seed) {}

  void run(int actions) {
    for (int i = 0; i < actions && !::testing::Test::HasFailure(); ++i) {
      const uint32_t action = random_() % 10;
      if (m_.outcome) {
        go_back();
      } else if (action < 2 || points_.empty()) {
        points_.push_back({m_.mark(), state_of(m_)});
      } else if (action < 4) {
        go_back();
      } else if (action == 4 && points_.size() > 1) {
        points_.pop_back();
        m_.release();
      } else {
        step();
      }
    }
    while (!points_.empty()) {
      m_.rewind(points_.back().mark);
      expect_same(points_.back().state, state_of(m_));
      points_.pop_back();
      m_.release();
    }
  }

 private:
  struct Point {
    Machine::Mark mark;
    State state;
  };

  void step() {
    std::vector<Process*> ready;
    m_.processes().for_each([&](Process& p) {
      if (p.status == Process::Status::Runnable) ready.push_back(&p);
    });
    std::vector<std::pair<Value, Value>> signals;
    m_.shared().transit.for_each(
        [&](const Transit::Pair& pair) { signals.emplace_back(pair.from, pair.to); });
    if (!signals.empty() && (ready.empty() || random_() % 2 == 0)) {
      const auto [from, to] = signals[random_() % signals.size()];
      m_.arrive(from, to);
    } else if (ready.empty()) {
      m_.fire(m_.shared().timers.first());
    } else {
      m_.resume(*ready[random_() % ready.size()], 1 + random_() % 60);
    }
  }

  void go_back() {
    const size_t i = random_() % points_.size();
    m_.rewind(points_[i].mark);
    expect_same(points_[i].state, state_of(m_));
    points_.resize(i + 1);
  }

  Machine& m_;
  std::mt19937 random_;
  std::vector<Point> points_;
};

// The clock of a machine that is observed stands still while anything can happen, that of others
// goes on with each look at it.
std::string without_microseconds(std::string text) {
  constexpr std::string_view kSecond = "::00:00:00.";
  for (size_t at = text.find(kSecond); at != std::string::npos; at = text.find(kSecond, at + 1)) {
    text.replace(at + kSecond.size(), 6, "......");
  }
  return text;
}

std::string finish(TestMachine& m) {
  RoundRobin in_turn;
  const std::optional<Outcome> outcome = drive(*m, in_turn);
  return without_microseconds(TestMachine::shown(*outcome) + m->output().text());
}

class Rewind : public ::testing::TestWithParam<Program> {};
INSTANTIATE_TEST_SUITE_P(Programs, Rewind, ::testing::ValuesIn(kPrograms),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Rewind, RestoresEverything) {
  TestMachine plain(GetParam().text);
  plain.start("main");
  const std::string expected = finish(plain);
  EXPECT_TRUE(expected.starts_with(GetParam().result)) << expected;
  for (unsigned seed = 1; seed <= 30 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    TestMachine m(GetParam().text, {},
                  {.is_observed = seed % 3 == 0, .delays_delivery = seed % 5 == 0});
    m.start("main");
    // Some of it without a mark, so that there has been a past.
    if (seed % 2 == 0) m->resume(*m->processes().first_runnable(), seed * 5);
    if (m->outcome) continue;
    const State beginning = state_of(*m);
    Walk(*m, seed).run(400);
    expect_same(beginning, state_of(*m));
    if (seed % 2 == 1) {
      EXPECT_EQ(finish(m), expected);
    }
  }
}

// ---- Costs ---------------------------------------------------------------------

constexpr std::string_view kDeep = R"(
main() -> deep(1000000).
deep(0) -> wait(), 0;
deep(N) -> 1 + deep(N - 1).
wait() -> receive go -> ok end.
count() -> put(n, 0), loop().
loop() -> put(n, get(n) + 1), self() ! {message, get(n)}, receive {message, N} -> N end, loop().
)";

TEST(RewindCost, DoesNotDependOnTheDepthOfTheStack) {
  TestMachine m(kDeep);
  Process& p = m.start("main");
  while (p.status == Process::Status::Runnable) m->resume(p, 1 << 20);
  const auto mark = m->mark();
  m->deliver(p, Value(Atom::intern("go")));
  EXPECT_GT(p.top, 1'000'000U);
  m->resume(p, 1);
  EXPECT_TRUE(m->outcome);  // it has returned through all of it
  m->rewind(mark);
  EXPECT_EQ(m->journal().words(), 0U);

  m->deliver(p, Value(Atom::intern("stay")));
  m->resume(p, 1);  // looks at the message, and waits again
  EXPECT_LT(m->journal().words(), 100U);
}

size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0;
  size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(RewindCost, TenMillionRoundsDoNotGrow) {
  const int rounds = takes_samples() ? 100'000 : 10'000'000;
  TestMachine m(kDeep);
  Process& p = m.start("count");
  m->resume(p, 100);
  m->mark();
  m->resume(p, 100);
  const auto mark = m->mark();
  const State state = state_of(*m);
  size_t before = 0;
  for (int i = 0; i < rounds; ++i) {
    if (i == rounds / 100) before = resident_bytes();
    m->resume(p, 2);
    m->rewind(mark);
  }
  EXPECT_LT(resident_bytes(), before + (size_t{1} << 20));
  expect_same(state, state_of(*m));
}

}  // namespace
}  // namespace fathom::machine::machine_rewind_test
