%% Pids, references and unique integers of different processes: what a program makes of their order
%% is the same in every interleaving, and comes again when a schedule is followed.
-module(identifiers).
-export([order_bug/0, order_fix/0, map_bug/0, map_fix/0, hash_bug/0, references_bug/0]).
-export([integers_bug/0, listed_fix/0, deep_bug/0, deep_fix/0, text_bug/0, text_fix/0]).

%% Each of two processes starts one, as soon as it is told to. Who comes first is open: 2.
two(Make) ->
    Me = self(),
    [spawn(fun() ->
                   Me ! {ready, self()},
                   receive go -> Me ! {made, Make()} end
           end) || _ <- [1, 2]],
    [receive {ready, P} -> P ! go, receive {made, It} -> It end end || _ <- [1, 2]].

child() -> spawn(fun() -> ok end).

order_bug() ->
    [A, B] = two(fun child/0),
    true = A < B.

%% Sorted, they are the same two.
order_fix() ->
    [A, B] = two(fun child/0),
    true = lists:sort([A, B]) =:= lists:sort([B, A]).

map_bug() ->
    [A, B] = two(fun child/0),
    [{_, first}, {_, second}] = maps:to_list(#{A => first, B => second}).

map_fix() ->
    [A, B] = two(fun child/0),
    [first, second] = lists:sort(maps:values(#{A => first, B => second})).

hash_bug() ->
    [A, B] = two(fun child/0),
    true = erlang:phash2(A, 1000) < erlang:phash2(B, 1000).

references_bug() ->
    [A, B] = two(fun make_ref/0),
    true = A < B.

integers_bug() ->
    [A, B] = two(fun() -> erlang:unique_integer([positive]) end),
    true = A < B.

%% A process comes before those that it has started, and those in the order of their start: 1.
listed_fix() ->
    Ps = [child() || _ <- lists:seq(1, 20)],
    Ps = lists:sort(Ps),
    true = self() < hd(Ps).

%% Twenty generations: there is no order that means anything, but it is always the same.
deep_bug() ->
    [A, B] = two(fun() -> descendant(20) end),
    true = A < B.

deep_fix() ->
    [A, B] = two(fun() -> descendant(20) end),
    true = lists:sort([A, B]) =:= lists:sort([B, A]).

%% The text of a pid is a pid again, in any generation.
text_fix() ->
    [true = list_to_pid(pid_to_list(P)) =:= P || P <- [descendant(N) || N <- [0, 1, 3, 6, 20]]].

%% The child of a child is named in the report: P.1.1.1.
text_bug() -> exit({descendant, descendant(3)}).

descendant(0) -> self();
descendant(N) ->
    Me = self(),
    spawn(fun() -> Me ! {descendant, descendant(N - 1)} end),
    receive {descendant, P} -> P end.
