// Small programs with several outcomes, for tests of drivers.
#pragma once

#include <string_view>

namespace fathom {

struct RacyProgram {
  std::string_view name;
  std::string_view text;  // functions; main/0 is the test
};

inline constexpr RacyProgram kRacyPrograms[] = {
    {"Senders", R"(
main() ->
  Me = self(),
  [spawn(fun() -> Me ! I, Me ! {second, I} end) || I <- [1, 2, 3]],
  [receive X -> X end || _ <- lists:seq(1, 6)].
)"},
    {"LostUpdate", R"(
main() ->
  T = ets:new(t, [public]),
  ets:insert(T, {n, 0}),
  Ws = [spawn_monitor(fun() -> [{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1}) end)
        || _ <- [1, 2, 3]],
  [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Ws],
  ets:lookup(T, n).
)"},
    {"Names", R"(
main() ->
  process_flag(trap_exit, true),
  Ps = [spawn_link(fun() -> catch register(only, self()), exit(whereis(only) =:= self()) end)
        || _ <- [1, 2, 3]],
  [receive {'EXIT', P, Why} -> Why end || P <- Ps].
)"},
    {"Exits", R"(
main() ->
  process_flag(trap_exit, true),
  Me = self(),
  P = spawn_link(fun() -> process_flag(trap_exit, true), Me ! ready,
                          receive M -> Me ! {got, M} end end),
  Q = spawn_link(fun() -> exit(P, enough) end),
  spawn(fun() -> exit(P, kill) end),
  receive {'EXIT', P, Why} -> Why end,
  receive {'EXIT', Q, _} -> ok end,
  {Why, rest()}.
rest() -> receive {_, M} when M =/= ready -> [ended | rest()]; M -> [M | rest()] after 0 -> [] end.
)"},
    {"TimeOuts", R"(
main() ->
  Me = self(),
  spawn(fun() -> receive after 5 -> ok end, Me ! slow end),
  spawn(fun() -> erlang:send_after(5, Me, timer) end),
  spawn(fun() -> Me ! quick end),
  A = receive X -> X after 0 -> nothing end,
  B = receive Y -> Y after 5 -> nothing end,
  {A, B, receive Z -> Z after 100 -> nothing end}.
)"},
    {"Monitors", R"(
main() ->
  P = spawn(fun() -> receive stop -> ok end end),
  spawn(fun() -> P ! stop end),
  spawn(fun() -> exit(P, shot) end),
  R = monitor(process, P),
  receive {'DOWN', R, process, P, Why} -> {Why, is_process_alive(P)} end.
)"},
    {"Counters", R"(
main() ->
  C = atomics:new(1, []),
  persistent_term:put(last, none),
  Ws = [spawn_monitor(fun() -> persistent_term:put(last, {I, atomics:add_get(C, 1, I)}) end)
        || I <- [1, 10, 100]],
  [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Ws],
  {persistent_term:get(last), atomics:get(C, 1)}.
)"},
    {"Server", R"(
main() ->
  S = spawn(fun() -> serve(0) end),
  Me = self(),
  [spawn(fun() -> Me ! {I, call(S, {add, I})} end) || I <- [1, 2]],
  A = receive {1, X} -> X end,
  B = receive {2, Y} -> Y end,
  {A, B, call(S, get)}.
serve(N) ->
  receive
    {From, Ref, {add, I}} -> From ! {Ref, N}, serve(N + I);
    {From, Ref, get} -> From ! {Ref, N}
  end.
call(S, Request) ->
  Ref = monitor(process, S, [{alias, reply_demonitor}]),
  S ! {Ref, Ref, Request},
  receive {Ref, Reply} -> Reply; {'DOWN', Ref, _, _, Why} -> {down, Why} after 1000 -> late end.
)"},
};

}  // namespace fathom
