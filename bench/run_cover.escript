#!/usr/bin/env escript
%%! +S 1
%% What coverage costs: the programs of bench/programs and bench/processes as they are, with branch
%% coverage, with all criteria that --cover has and with that of data flow, in `fathom run`; beside it
%% erl, without and with OTP's cover (line coverage). Times are user times of whole runs, the least of
%% BENCH_ROUNDS (3). The goals are geometric means of at most 1.2 for branches, 2.5 for data flow.
%%
%%   run_cover.escript [WORD…]
-mode(compile).

-define(GOAL, 1.2).
-define(FLOW_GOAL, 2.5).

main(Words) ->
    Files = [F || F <- lists:sort(filelib:wildcard("bench/{programs,processes}/*.erl")),
                  Words =:= [] orelse lists:any(fun(W) -> string:find(F, W) =/= nomatch end, Words)],
    io:format("~-16s ~9s ~9s ~9s ~9s ~9s ~9s~n", ["program", "plain s", "branch x", "default x", "flow x", "erl s", "cover x"]),
    Rows = [row(F) || F <- Files],
    [Branch, Default, Flow, Cover] = [mean([element(I, R) || R <- Rows]) || I <- [1, 2, 3, 4]],
    io:format("~-16s ~9s ~9.2f ~9.2f ~9.2f ~9s ~9.2f~n", ["geom. mean", "", Branch, Default, Flow, "", Cover]),
    halt(case Branch =< ?GOAL andalso Flow =< ?FLOW_GOAL of true -> 0; false -> 1 end).

row(File) ->
    Name = filename:basename(File, ".erl"),
    Fathom = os:getenv("FATHOM", "build/fathom"),
    Call = ["erlang:phash2(", Name, ":main())"],
    Run = fun(Options) -> seconds([Fathom, " run --quiet ", Options, " -e '", Call, "' ", File]) end,
    [Plain, Branch, Default, Flow] =
        least([fun() -> Run(O) end || O <- ["", "--cover=branch", "--cover", "--cover=data_flow"]]),
    Compiled = ["c:c(\"", File, "\", [{outdir, \"/tmp\"}])"],
    Covered = ["cover:start(), {ok, _} = cover:compile(\"", File, "\")"],
    Erl = fun(Load) ->
        seconds(["erl +S 1 -noshell -pa /tmp -eval '", Load, ", ", Call, ", halt().'"])
    end,
    [Otp, Cover] = least([fun() -> Erl(Compiled) end, fun() -> Erl(Covered) end]),
    io:format("~-16s ~9.2f ~9.2f ~9.2f ~9.2f ~9.2f ~9.2f~n",
              [Name, Plain, Branch / Plain, Default / Plain, Flow / Plain, Otp, Cover / Otp]),
    {Branch / Plain, Default / Plain, Flow / Plain, Cover / Otp}.

%% One after the other in each round, so that all see the machine in the same state.
least(Runs) ->
    Rounds = [[R() || R <- Runs] || _ <- lists:seq(1, list_to_integer(os:getenv("BENCH_ROUNDS", "3")))],
    lists:foldl(fun(Round, Best) -> lists:zipwith(fun erlang:min/2, Round, Best) end, hd(Rounds), tl(Rounds)).

seconds(Command) ->
    Output = os:cmd(["bash -c 'TIMEFORMAT=%3U; time ( ", quoted(lists:flatten(Command)), " >/dev/null 2>&1 )' 2>&1"]),
    max(list_to_float(string:trim(Output)), 0.001).

quoted(Text) -> string:replace(Text, "'", "'\\''", all).

mean([]) -> 1.0;
mean(Ratios) -> math:exp(lists:sum([math:log(R) || R <- Ratios]) / length(Ratios)).
