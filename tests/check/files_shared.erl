%% Files that processes share. What they write stays in the memory of the machine.
-module(files_shared).
-export([lost_update/0, in_turn/0, apart/0]).

%% Each reads the number in a file and writes the next one. With reads R and writes W of the two, up
%% to the order of the reads: R1 W1 R2 W2, R2 W2 R1 W1, and both reads before W1 W2 or W2 W1: 4. In
%% the last two one addition is lost.
lost_update() ->
    ok = file:write_file("n", "0"),
    {P, R} = spawn_monitor(fun() -> add("n") end),
    add("n"),
    receive {'DOWN', R, process, P, normal} -> ok end,
    2 = number("n").

%% The second begins when the first has ended: 1.
in_turn() ->
    ok = file:write_file("n", "0"),
    {P, R} = spawn_monitor(fun() -> add("n") end),
    receive {'DOWN', R, process, P, normal} -> ok end,
    add("n"),
    2 = number("n").

%% Files of their own, in one directory: 1.
apart() ->
    ok = file:write_file("n", "0"),
    ok = file:write_file("m", "0"),
    {P, R} = spawn_monitor(fun() -> add("n") end),
    add("m"),
    receive {'DOWN', R, process, P, normal} -> ok end,
    {1, 1} = {number("n"), number("m")}.

number(File) ->
    {ok, Text} = file:read_file(File),
    binary_to_integer(Text).

add(File) -> ok = file:write_file(File, integer_to_list(number(File) + 1)).
