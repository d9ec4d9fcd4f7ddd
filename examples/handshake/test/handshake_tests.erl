-module(handshake_tests).
-include_lib("eunit/include/eunit.hrl").

%% Two ends, joined by a line that loses the messages of a list: {From, Message, how often}.
lossy_test_() ->
    [{timeout, 20, {lists:flatten(io_lib:format("lost: ~0p", [Lost])), fun() -> connects(Lost) end}}
     || Lost <- [[],
                 [{client, hello, 1}],
                 [{client, hello, 3}],
                 [{server, welcome, 2}],
                 [{client, ready, 1}],
                 [{client, hello, 1}, {server, welcome, 1}, {client, ready, 1}]]].

connects(Lost) ->
    {Client, Server} = ends(Lost, #{}),
    ok = handshake:send(Client, 1),
    ok = handshake:send(Client, 2),
    ok = handshake:send(Server, 3),
    ?assertEqual([open, {data, 3}], told(Client, 2)),
    ?assertEqual([open, {data, 1}, {data, 2}], told(Server, 3)),
    ?assertEqual({open, open}, {handshake:state(Client), handshake:state(Server)}),
    handshake:close(Client),
    ?assertEqual([closed], told(Client, 1)),
    ?assertEqual([closed], told(Server, 1)).

nobody_answers_test_() ->
    {timeout, 20,
     fun() ->
         Self = self(),
         Start = erlang:monotonic_time(millisecond),
         {ok, Pid} = handshake:connect(fun(M) -> Self ! {said, M} end, #{tries => 4, patience => 20}),
         ?assertEqual([failed], told(Pid, 1)),
         ?assertEqual([hello, hello, hello, hello], said()),
         ?assert(erlang:monotonic_time(millisecond) - Start >= 20 + 40 + 80 + 160)
     end}.

answered_late_test() ->
    Self = self(),
    {ok, Pid} = handshake:connect(fun(M) -> Self ! {said, M} end, #{patience => 10, tries => 10}),
    receive {said, hello} -> ok end,
    receive {said, hello} -> ok end,
    ?assertEqual(calling, handshake:state(Pid)),
    handshake:incoming(Pid, welcome),
    ?assertEqual(open, handshake:state(Pid)),
    ?assertEqual([open], told(Pid, 1)),
    ?assertEqual(ready, lists:last(said())),
    handshake:close(Pid).

waits_for_hello_test() ->
    {ok, Pid} = handshake:listen(fun(_) -> ok end),
    [handshake:incoming(Pid, M) || M <- [welcome, ready, {data, early}]],
    ?assertEqual(listening, handshake:state(Pid)),
    handshake:incoming(Pid, hello),
    ?assertEqual(answering, handshake:state(Pid)),
    handshake:incoming(Pid, bye),
    ?assertEqual([closed], told(Pid, 1)).

idle_test() ->
    {Client, Server} = ends([], #{idle => 100}),
    ?assertEqual([open, closed], told(Client, 2)),
    ?assertEqual([open, closed], told(Server, 2)).

send_to_the_dead_test() ->
    {ok, Pid} = handshake:listen(fun(_) -> ok end),
    handshake:close(Pid),
    ?assertEqual([closed], told(Pid, 1)),
    Monitor = monitor(process, Pid),
    receive {'DOWN', Monitor, process, Pid, _} -> ok end,
    ?assertExit({noproc, _}, handshake:send(Pid, x)).

%% --- the line

ends(Lost, Options) ->
    Line = spawn_link(fun() -> receive {ends, Client, Server} -> line(Client, Server, Lost) end end),
    {ok, Server} = handshake:listen(fun(M) -> Line ! {server, M} end, Options#{patience => 20, tries => 6}),
    {ok, Client} = handshake:connect(fun(M) -> Line ! {client, M} end, Options#{patience => 20, tries => 6}),
    Line ! {ends, Client, Server},
    {Client, Server}.

line(Client, Server, Lost) ->
    receive
        {From, Message} ->
            case lists:keytake(Message, 2, [L || {F, _, _} = L <- Lost, F =:= From]) of
                {value, {From, Message, N} = Entry, _} when N > 0 ->
                    line(Client, Server, [{From, Message, N - 1} | lists:delete(Entry, Lost)]);
                _ ->
                    handshake:incoming(case From of client -> Server; server -> Client end, Message),
                    line(Client, Server, Lost)
            end
    end.

%% The next N things that a connection tells its owner.
told(Pid, N) ->
    [receive {handshake, Pid, What} -> What after 5000 -> nothing end || _ <- lists:seq(1, N)].

said() -> receive {said, M} -> [M | said()] after 0 -> [] end.
