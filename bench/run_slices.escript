#!/usr/bin/env escript
%% Slices, in three tables.
%%
%% Precision: the programs of bench/slices and of bench/slices/second, each with a criterion, calls,
%% and a minimal slice for these calls (*.slice): the share of nodes that each precision keeps, that
%% --minimal keeps, and the seconds that takes. "same": --minimal gives the text of that slice. Where
%% it does not the script ends with 1. The goal for ce is 1.1 times the minimum, on average of each
%% suite; what is missed is told.
%%
%% Speed: the same programs, as far as they have 100 nodes or more, and bench/slices.txt, by
%% fathom_slice_cost (SLICE_COST; `scripts/build release fathom_slice_cost`): every variable is a
%% criterion. The goals are 3 ms for the dependences, 20 microseconds a slice, and that constraints
%% cost at most 3 times the plain slice, on average; what is missed is told.
%%
%% Growth: the same for modules of OTP's stdlib, the smallest first, in five sizes. The goals for
%% all of it (some 120,000 lines): 20 s and 4 GB beyond the flow analysis, 100 ms a slice.
-mode(compile).

-define(SUITES, ["bench/slices/criteria.txt", "bench/slices/second/criteria.txt"]).
-define(SHARES, [16, 8, 4, 2, 1]).

main(_) ->
    IsPrecise = lists:all(fun(Same) -> Same end, [precision(S) || S <- ?SUITES]),
    speed(),
    growth(),
    halt(case IsPrecise of true -> 0; false -> 1 end).

lines(File) ->
    {ok, Text} = file:read_file(File),
    [L || L <- string:split(binary_to_list(Text), "\n", all), L =/= [], hd(L) =/= $#].

%% ---- Precision ----

precision(Suite) ->
    io:format("~-36s ~6s ~6s ~6s ~6s ~8s ~8s ~s~n",
              ["criterion", "nodes", "pdg %", "edg %", "ce %", "minimal", "seconds", "checked"]),
    Rows = [precision_row(L, Suite) || L <- lines(Suite)],
    Mean = fun(I) -> lists:sum([element(I, R) || R <- Rows]) / length(Rows) end,
    io:format("~-36s ~6s ~6.1f ~6.1f ~6.1f ~8.1f ~8.3f~n~n", ["mean", "", Mean(1), Mean(2), Mean(3), Mean(4), Mean(5)]),
    io:format("ce keeps ~.3f times the minimum~n~n", [Mean(3) / Mean(4)]),
    [io:format("missed: ce within 1.1 times the minimum~n~n") || Mean(3) > 1.1 * Mean(4)],
    lists:all(fun(R) -> element(6, R) end, Rows).

precision_row(Line, Suite) ->
    [Criterion, Calls] = [string:trim(P) || P <- string:split(Line, " | ")],
    {Total, Pdg} = measured(Criterion, "pdg"),
    {_, Edg} = measured(Criterion, "edg"),
    {_, Ce} = measured(Criterion, "ce"),
    Options = [" --call '" ++ string:trim(C) ++ "'" || C <- string:split(Calls, " ; ", all)],
    Minimal = os:cmd(fathom() ++ " slice --minimal --format json " ++ Criterion ++ lists:append(Options)),
    Text = os:cmd(fathom() ++ " slice --minimal " ++ Criterion ++ lists:append(Options)),
    {match, [Seconds]} = re:run(Minimal, "\"minimal\".*?\"seconds\": ([0-9.e-]+)", [dotall, {capture, all_but_first, list}]),
    Checked = minimal_file(Suite, string:split(Criterion, ":", all)),
    IsSame = file:read_file(Checked) =:= {ok, unicode:characters_to_binary(Text)},
    Share = fun(Kept) -> 100 * Kept / Total end,
    Row = {Share(Pdg), Share(Edg), Share(Ce), Share(number("nodes_kept", Minimal)), to_number(Seconds), IsSame},
    io:format("~-36s ~6w ~6.1f ~6.1f ~6.1f ~8.1f ~8.3f ~s~n",
              [Criterion, Total] ++ lists:droplast(tuple_to_list(Row)) ++ [case IsSame of true -> "same"; false -> "DIFFERS" end]),
    Row.

%% A program of the second suite may have several criteria.
minimal_file("bench/slices/criteria.txt", [File | _]) -> filename:rootname(File) ++ ".slice";
minimal_file(_, [File, Line, Column]) -> filename:rootname(File) ++ "-" ++ Line ++ "-" ++ Column ++ ".slice".

measured(Criterion, Precision) ->
    Json = os:cmd(fathom() ++ " slice --format json --precision " ++ Precision ++ " " ++ Criterion),
    {number("nodes_total", Json), number("nodes_kept", Json)}.

%% ---- Speed ----

speed() ->
    Files = lists:usort([hd(string:split(L, ":")) || S <- ["bench/slices.txt" | ?SUITES], L <- lines(S)]),
    io:format("~-46s ~6s ~8s ~9s ~9s ~9s ~9s~n", ["program", "nodes", "criteria", "build us", "ce us", "plain us", "ratio"]),
    Rows = [R || F <- Files, R <- [cost_row(F, cost([F]))], element(1, R) >= 100],
    Mean = fun(I) -> lists:sum([element(I, R) || R <- Rows]) / length(Rows) end,
    io:format("~-46s ~6s ~8s ~9.1f ~9.1f ~9.1f ~9.2f~n", ["mean", "", "", Mean(2), Mean(3), Mean(4), Mean(3) / Mean(4)]),
    [io:format("missed: ~s~n", [What]) || {What, true} <- [{"the dependences within 3 ms", Mean(2) > 3000},
                                                          {"a slice within 20 us", Mean(3) > 20},
                                                          {"constraints within 3 times the plain slice", Mean(3) > 3 * Mean(4)}]],
    io:nl().

cost_row(Name, [_, Nodes, Build, _, Criteria, Ce, _, Plain, _]) ->
    io:format("~-46s ~6w ~8w ~9.1f ~9.1f ~9.1f ~9.2f~n", [Name, Nodes, Criteria, Build * 1.0e6, Ce, Plain, Ce / Plain]),
    {Nodes, Build * 1.0e6, Ce, Plain}.

growth() ->
    Lib = fun(App, Dir) -> filename:join(code:lib_dir(App), Dir) end,
    BySize = lists:sort([{filelib:file_size(F), F} || F <- filelib:wildcard(filename:join(Lib(stdlib, "src"), "*.erl"))]),
    case [F || {_, F} <- BySize] of
        [] -> io:format("growth: the sources of stdlib are not installed~n");
        Files ->
            Options = lists:append([["-I", D] || D <- [Lib(kernel, "include"), Lib(kernel, "src"), Lib(stdlib, "include")]]) ++ ["-n", "20"],
            io:format("~8s ~8s ~9s ~9s ~9s ~9s ~9s ~9s~n", ["lines", "nodes", "build s", "MB", "ce ms", "most ms", "plain ms", "most ms"]),
            [growth_row(cost(Options ++ lists:sublist(Files, length(Files) div Share))) || Share <- ?SHARES]
    end.

growth_row([Lines, Nodes, Build, Megabytes, _, Ce, MostCe, Plain, MostPlain]) ->
    io:format("~8w ~8w ~9.3f ~9.1f ~9.3f ~9.3f ~9.3f ~9.3f~n",
              [Lines, Nodes, Build, Megabytes, Ce / 1000, MostCe / 1000, Plain / 1000, MostPlain / 1000]).

%% The numbers that fathom_slice_cost prints.
cost(Arguments) ->
    Command = os:getenv("SLICE_COST", "build/tests/fathom_slice_cost"),
    [to_number(N) || N <- string:lexemes(os:cmd(lists:join(" ", [Command | Arguments])), " \n")].

fathom() -> os:getenv("FATHOM", "build/fathom").

number(Field, Json) ->
    {match, [Text]} = re:run(Json, "\"" ++ Field ++ "\": ([0-9.e+-]+)", [{capture, all_but_first, list}]),
    to_number(Text).

to_number(Text) ->
    case string:to_float(Text) of
        {error, _} -> case string:split(Text, "e") of [I] -> list_to_integer(I); [I, E] -> list_to_float(I ++ ".0e" ++ E) end;
        {F, _} -> F
    end.
