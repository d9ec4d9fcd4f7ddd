-module(registry_tests).
-include_lib("eunit/include/eunit.hrl").

registry_test_() ->
    {foreach, fun() -> {ok, _} = registry:start_link() end, fun(_) -> registry:stop() end,
     [{"a name and its process", fun names_a_process/0},
      {"a name is given once", fun given_once/0},
      {"of many that want a name one gets it", fun race/0},
      {"a name ends with its process", fun ends_with_process/0},
      {"a name can be had again at once", fun taken_over/0},
      {"one process, several names", fun several_names/0},
      {"giving a name back", fun given_back/0},
      {"messages by name", fun messages/0},
      {"nobody has the name", ?_assertExit({badarg, {nobody, hello}}, registry:send(nobody, hello))},
      {"names for OTP's behaviours", fun via/0}]}.

names_a_process() ->
    ?assertEqual(undefined, registry:whereis_name(me)),
    ?assertEqual(yes, registry:register_name(me, self())),
    ?assertEqual(self(), registry:whereis_name(me)),
    ?assertEqual([me], registry:names()).

given_once() ->
    Other = child(),
    yes = registry:register_name(name, self()),
    ?assertEqual(no, registry:register_name(name, Other)),
    ?assertEqual(no, registry:register_name(name, self())),
    ?assertEqual(self(), registry:whereis_name(name)),
    stop(Other).

race() ->
    Self = self(),
    Ask = fun() -> Self ! {self(), registry:register_name(prize, self())}, receive stop -> ok end end,
    Pids = [spawn_link(Ask) || _ <- lists:seq(1, 20)],
    Answers = [receive {Pid, Answer} -> {Answer, Pid} end || Pid <- Pids],
    [{yes, Winner}] = [A || {yes, _} = A <- Answers],
    ?assertEqual(Winner, registry:whereis_name(prize)),
    [stop(Pid) || Pid <- Pids].

ends_with_process() ->
    Pid = child(),
    yes = registry:register_name(short, Pid),
    stop(Pid),
    ?assertEqual(undefined, registry:whereis_name(short)),
    sys:get_state(registry),
    ?assertEqual([], registry:names()).

taken_over() ->
    [begin
         Pid = child(),
         ?assertEqual(yes, registry:register_name(successor, Pid)),
         stop(Pid)
     end || _ <- lists:seq(1, 10)],
    ?assertEqual(yes, registry:register_name(successor, self())),
    sys:get_state(registry),
    ?assertEqual(self(), registry:whereis_name(successor)).

several_names() ->
    Pid = child(),
    [yes = registry:register_name({room, N}, Pid) || N <- [3, 1, 2]],
    yes = registry:register_name(other, self()),
    ?assertEqual([{room, 1}, {room, 2}, {room, 3}], registry:names(Pid)),
    stop(Pid),
    sys:get_state(registry),
    ?assertEqual([other], registry:names()).

given_back() ->
    yes = registry:register_name(mine, self()),
    ?assertEqual(ok, registry:unregister_name(mine)),
    ?assertEqual(ok, registry:unregister_name(mine)),
    ?assertEqual(undefined, registry:whereis_name(mine)),
    ?assertEqual(#{}, sys:get_state(registry)).

messages() ->
    yes = registry:register_name(inbox, self()),
    ?assertEqual(self(), registry:send(inbox, hello)),
    receive Message -> ?assertEqual(hello, Message) after 0 -> error(no_message) end.

via() ->
    Name = {via, registry, {events, 1}},
    {ok, Pid} = gen_event:start_link(Name),
    ?assertEqual(Pid, registry:whereis_name({events, 1})),
    ?assertEqual({error, {already_started, Pid}}, gen_event:start_link(Name)),
    ?assertEqual([], gen_event:which_handlers(Name)),
    ok = gen_event:stop(Name),
    ?assertEqual(undefined, registry:whereis_name({events, 1})).

child() -> spawn(fun() -> receive stop -> ok end end).

stop(Pid) ->
    Monitor = monitor(process, Pid),
    Pid ! stop,
    receive {'DOWN', Monitor, process, Pid, _} -> ok end.
