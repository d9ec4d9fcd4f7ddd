#!/usr/bin/env escript
%% Slices, in three tables.
%%
%% Precision: the programs of bench/slices, each with a criterion, calls, and a minimal slice that
%% was checked by hand (NAME.slice): the share of nodes that each precision keeps, that --minimal
%% keeps, and the seconds that takes. "same": --minimal gives the text of the minimal slice. Where
%% it does not the script ends with 1. The goal for ce is 1.1 times the minimum, on average; what is
%% missed is told.
%%
%% Speed: the criteria of bench/slices.txt: the time to build the dependences and the time of a
%% slice, each the best of five. The goals are those for programs of 100 to 800 nodes: 3 ms and 20
%% microseconds; what is missed is told. Each run is a process of its own, so a slice is the first
%% one and finds caches cold. Some of the files hold several small programs, of which a criterion
%% concerns one: the shares say how the precisions compare, not how small a slice of one program
%% is.
%%
%% Growth: the same for modules of OTP, one to five of them at once.
-mode(compile).

-define(RUNS, 5).
-define(GROWTH, ["lists", "dict", "orddict", "sets", "queue"]).

main(_) ->
    IsPrecise = precision(),
    speed(),
    growth(),
    halt(case IsPrecise of true -> 0; false -> 1 end).

lines(File) ->
    {ok, Text} = file:read_file(File),
    [L || L <- string:split(binary_to_list(Text), "\n", all), L =/= [], hd(L) =/= $#].

%% ---- Precision ----

precision() ->
    io:format("~-36s ~6s ~6s ~6s ~6s ~8s ~8s ~s~n",
              ["criterion", "nodes", "pdg %", "edg %", "ce %", "minimal", "seconds", "checked"]),
    Rows = [precision_row(L) || L <- lines("bench/slices/criteria.txt")],
    Mean = fun(I) -> lists:sum([element(I, R) || R <- Rows]) / length(Rows) end,
    io:format("~-36s ~6s ~6.1f ~6.1f ~6.1f ~8.1f ~8.3f~n~n", ["mean", "", Mean(1), Mean(2), Mean(3), Mean(4), Mean(5)]),
    [io:format("missed: ce within 1.1 times the minimum~n~n") || Mean(3) > 1.1 * Mean(4)],
    lists:all(fun(R) -> element(6, R) end, Rows).

precision_row(Line) ->
    [Criterion, Calls] = [string:trim(P) || P <- string:split(Line, " | ")],
    {Total, Pdg, _, _} = measured(Criterion, "pdg"),
    {_, Edg, _, _} = measured(Criterion, "edg"),
    {_, Ce, _, _} = measured(Criterion, "ce"),
    Options = [" --call '" ++ string:trim(C) ++ "'" || C <- string:split(Calls, " ; ", all)],
    Minimal = os:cmd(fathom() ++ " slice --minimal --format json " ++ Criterion ++ lists:append(Options)),
    Text = os:cmd(fathom() ++ " slice --minimal " ++ Criterion ++ lists:append(Options)),
    {match, [Seconds]} = re:run(Minimal, "\"minimal\".*?\"seconds\": ([0-9.e-]+)", [dotall, {capture, all_but_first, list}]),
    Checked = filename:rootname(hd(string:split(Criterion, ":"))) ++ ".slice",
    IsSame = file:read_file(Checked) =:= {ok, unicode:characters_to_binary(Text)},
    Share = fun(Kept) -> 100 * Kept / Total end,
    Row = {Share(Pdg), Share(Edg), Share(Ce), Share(number("nodes_kept", Minimal)), to_number(Seconds), IsSame},
    io:format("~-36s ~6w ~6.1f ~6.1f ~6.1f ~8.1f ~8.3f ~s~n",
              [Criterion, Total] ++ lists:droplast(tuple_to_list(Row)) ++ [case IsSame of true -> "same"; false -> "DIFFERS" end]),
    Row.

%% ---- Speed ----

speed() ->
    Criteria = [hd(string:split(L, " ")) || L <- lines("bench/slices.txt")],
    io:format("~-46s ~6s ~6s ~6s ~6s ~9s ~9s~n", ["criterion", "nodes", "pdg %", "edg %", "ce %", "build us", "slice us"]),
    Rows = [row(C) || C <- Criteria],
    Mean = fun(I) -> lists:sum([element(I, R) || R <- Rows]) / length(Rows) end,
    io:format("~-46s ~6s ~6.1f ~6.1f ~6.1f ~9.1f ~9.1f~n", ["mean", "", Mean(1), Mean(2), Mean(3), Mean(4), Mean(5)]),
    [io:format("missed: ~s within ~w us~n", [What, Goal]) || {What, I, Goal} <- [{"build", 4, 3000}, {"slice", 5, 20}], Mean(I) > Goal],
    io:nl().

growth() ->
    Dir = filename:join([code:lib_dir(stdlib), "src"]),
    Paths = [P || M <- ?GROWTH, P <- [filename:join(Dir, M ++ ".erl")], filelib:is_regular(P)],
    case Paths of
        [] -> io:format("growth: the sources of stdlib are not installed~n");
        [First | _] ->
            io:format("~-46s ~8s ~9s ~9s~n", ["modules", "nodes", "build us", "slice us"]),
            Criterion = First ++ ":" ++ last_expression(First),
            [begin
                 {Total, _, Build, Slice} = measured(string:join([Criterion | lists:sublist(Paths, N)], " "), "ce"),
                 io:format("~-46w ~8w ~9.1f ~9.1f~n", [N, Total, Build * 1.0e6, Slice * 1.0e6])
             end || N <- lists:seq(1, length(Paths))]
    end.

%% "LINE:COLUMN" of the first body of reverse/1, or whatever comes first.
last_expression(File) ->
    {ok, Text} = file:read_file(File),
    Lines = string:split(Text, "\n", all),
    [{Line, Column} | _] = [{I, byte_size(L) - byte_size(string:trim(L, leading)) + 1}
                            || {I, L, Before} <- lists:zip3(lists:seq(2, length(Lines)), tl(Lines), lists:droplast(Lines)),
                               re:run(Before, "^reverse\\(.*->$") =/= nomatch],
    integer_to_list(Line) ++ ":" ++ integer_to_list(Column).

row(Criterion) ->
    {Total, Pdg, _, _} = measured(Criterion, "pdg"),
    {_, Edg, _, _} = measured(Criterion, "edg"),
    {_, Ce, Build, Slice} = measured(Criterion, "ce"),
    Share = fun(Kept) -> 100 * Kept / Total end,
    Row = {Share(Pdg), Share(Edg), Share(Ce), Build * 1.0e6, Slice * 1.0e6},
    io:format("~-46s ~6w ~6.1f ~6.1f ~6.1f ~9.1f ~9.1f~n", [Criterion, Total | tuple_to_list(Row)]),
    Row.

measured(Criterion, Precision) ->
    Command = fathom() ++ " slice --format json --precision " ++ Precision ++ " " ++ Criterion,
    Runs = [os:cmd(Command) || _ <- lists:seq(1, ?RUNS)],
    {number("nodes_total", hd(Runs)), number("nodes_kept", hd(Runs)),
     lists:min([number("graph_seconds", R) || R <- Runs]), lists:min([number("slice_seconds", R) || R <- Runs])}.

fathom() -> os:getenv("FATHOM", "build/fathom").

number(Field, Json) ->
    {match, [Text]} = re:run(Json, "\"" ++ Field ++ "\": ([0-9.e+-]+)", [{capture, all_but_first, list}]),
    to_number(Text).

to_number(Text) ->
    case string:to_float(Text) of
        {error, _} -> case string:split(Text, "e") of [I] -> list_to_integer(I); [I, E] -> list_to_float(I ++ ".0e" ++ E) end;
        {F, _} -> F
    end.
