#!/usr/bin/env escript
%% Slices of the criteria of bench/slices.txt: the share of nodes that each precision keeps, the time
%% to build the dependences and the time of a slice, each the best of five. The goals are those for
%% programs of 100 to 800 nodes: 3 ms and 20 microseconds. Each run is a process of its own, so a
%% slice is the first one and finds caches cold.
%%
%% Some of the files hold several small programs, of which a criterion concerns one: the shares say
%% how the precisions compare, not how small a slice of one program is.
-mode(compile).

-define(RUNS, 5).

main(_) ->
    {ok, Text} = file:read_file("bench/slices.txt"),
    Criteria = [hd(string:split(L, " ")) || L <- string:split(binary_to_list(Text), "\n", all), L =/= [], hd(L) =/= $#],
    io:format("~-46s ~6s ~6s ~6s ~6s ~9s ~9s~n", ["criterion", "nodes", "pdg %", "edg %", "ce %", "build us", "slice us"]),
    Rows = [row(C) || C <- Criteria],
    Mean = fun(I) -> lists:sum([element(I, R) || R <- Rows]) / length(Rows) end,
    io:format("~-46s ~6s ~6.1f ~6.1f ~6.1f ~9.1f ~9.1f~n", ["mean", "", Mean(1), Mean(2), Mean(3), Mean(4), Mean(5)]),
    halt(case Mean(4) =< 3000 andalso Mean(5) =< 20 of true -> 0; false -> 1 end).

row(Criterion) ->
    {Total, Pdg, _, _} = measured(Criterion, "pdg"),
    {_, Edg, _, _} = measured(Criterion, "edg"),
    {_, Ce, Build, Slice} = measured(Criterion, "ce"),
    Share = fun(Kept) -> 100 * Kept / Total end,
    Row = {Share(Pdg), Share(Edg), Share(Ce), Build * 1.0e6, Slice * 1.0e6},
    io:format("~-46s ~6w ~6.1f ~6.1f ~6.1f ~9.1f ~9.1f~n", [Criterion, Total | tuple_to_list(Row)]),
    Row.

measured(Criterion, Precision) ->
    Command = os:getenv("FATHOM", "build/fathom") ++ " slice --format json --precision " ++ Precision ++ " " ++ Criterion,
    Runs = [os:cmd(Command) || _ <- lists:seq(1, ?RUNS)],
    {number("nodes_total", hd(Runs)), number("nodes_kept", hd(Runs)),
     lists:min([number("graph_seconds", R) || R <- Runs]), lists:min([number("slice_seconds", R) || R <- Runs])}.

number(Field, Json) ->
    {match, [Text]} = re:run(Json, "\"" ++ Field ++ "\": ([0-9.e+-]+)", [{capture, all_but_first, list}]),
    case string:to_float(Text) of
        {error, _} -> case string:split(Text, "e") of [I] -> list_to_integer(I); [I, E] -> list_to_float(I ++ ".0e" ++ E) end;
        {F, _} -> F
    end.
