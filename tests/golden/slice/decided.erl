-module(decided).
-export([fold/1, pairs/1, commands/1, constant/2, fields/2, bits/1]).

%% A fun that is not the author's looks at all of what it gets.
fold(Rows) ->
    Ages = [Age || {_, Age} <- Rows],
    Oldest = lists:foldl(fun max/2, 0, Ages),
    Oldest.

%% Only pairs come here, so nothing asks whether it is one.
pairs(Text) ->
    Count = scan(Text, {1, 1}, 0),
    Count.
scan([], {_, _}, N) -> N;
scan([$\n | Cs], {Line, _}, N) -> scan(Cs, {Line + 1, 1}, N);
scan([_ | Cs], {Line, Column}, N) -> scan(Cs, {Line, Column + 1}, N + 1).

%% After the command has matched no other clause is left, whatever is on the stack.
commands(Program) ->
    {Pushed, _} = run(Program, {0, []}),
    Pushed.
run([], State) -> State;
run([push | P], {N, Stack}) -> run(P, {N + 1, [N | Stack]});
run([add | P], {N, [_, B | Stack]}) -> run(P, {N, [B | Stack]});
run([pop | P], {N, [_ | Stack]}) -> run(P, {N, Stack}).

%% What constants decide.
constant(X, Y) ->
    Mode = mode(2),
    Size = 2 + 1,
    A = if Mode =:= slow -> Y; Size > 5 -> Y; true -> X end,
    A.
mode(1) -> slow;
mode(2) -> fast.

-record(r, {a, b = 1, c = make_ref()}).

%% Fields that nobody asks for.
fields(X, Y) ->
    R = #r{a = X, b = Y, c = Y},
    S = R#r{b = Y + 1},
    #r{a = A, b = _} = S,
    A.

%% Segments are all there, their variables need not be.
bits(Packet) ->
    <<Size, Flags, Rest/binary>> = Packet,
    {Flags, Rest, Size}.
