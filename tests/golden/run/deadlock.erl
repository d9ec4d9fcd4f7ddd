%% When nothing can happen any more, each process says where it waits.
%% RUN: cd $(dirname %s) && fathom run deadlock.erl -e 'deadlock:main()'
-module(deadlock).
-export([main/0, wake/1]).

main() ->
    register(main, self()),
    spawn(fun() -> receive never -> ok end end),
    Server = spawn(fun() -> server([]) end),
    spawn(fun() -> erlang:hibernate(?MODULE, wake, [1]) end),
    Server ! {get, main},
    Server ! {put, "Grüße an alle", lists:seq(1, 100)},
    receive {value, V} -> V end.

server(State) ->
    receive
        {store, V} -> server([V | State]);
        stop -> ok
    end.

wake(N) -> N.
%% ERR: error: deadlock: every process waits for a message that nobody can send
%% ERR:   <0.1.0> (main) waits for {value, V} in deadlock:main/0  (deadlock.erl:13): its mailbox is empty
%% ERR:   <0.2.0> waits for never in deadlock:'-main/0-fun-0-'/0  (deadlock.erl:8): its mailbox is empty
%% ERR:   <0.3.0> waits for {store, V} or stop in deadlock:server/1  (deadlock.erl:16): 2 messages that it does not take: {get,main}, {put,"Grüße an alle",[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,…
%% ERR:   <0.4.0> waits in erlang:hibernate/3: its mailbox is empty
%% EXIT: 2
