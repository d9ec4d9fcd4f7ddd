#!/usr/bin/env escript
%%! +S 1
%% The concurrent programs of bench/processes: erl with one scheduler against `fathom run` of
%% the same source (compare.hrl), and the memory of many processes. The goals are a geometric
%% mean of at most 1 over those of GOAL_PROGRAMS, and 100,000 live processes in less than
%% 400 MB.
-mode(compile).
-include("compare.hrl").

-define(GOAL_PROGRAMS, ["ring", "ping_pong", "fan_in", "spawn_storm", "ets_mix"]).
-define(GOAL, 1.0).
-define(LIVE, "S = self(), Ps = [spawn(fun() -> S ! up, receive stop -> ok end end) || _ <- lists:seq(1, 100000)], [receive up -> ok end || _ <- Ps], length(Ps)").
-define(MEGABYTES_GOAL, 400).

main(Words) ->
    Ratios = ratios([F || F <- lists:sort(filelib:wildcard("bench/processes/*.erl")), is_wanted(F, Words)]),
    io:format("~-14s ~30.2f~n", ["geom. mean", geometric_mean([R || {_, R} <- Ratios])]),
    Mean = case [R || {Name, R} <- Ratios, lists:member(Name, ?GOAL_PROGRAMS)] of [] -> 0.0; Chosen -> geometric_mean(Chosen) end,
    io:format("of ~ts: ~.2f~n", [lists:join(", ", ?GOAL_PROGRAMS), Mean]),
    Megabytes = peak_megabytes(?LIVE),
    io:format("100,000 live processes: ~w MB at most~n", [Megabytes]),
    halt(case Mean =< ?GOAL andalso Megabytes < ?MEGABYTES_GOAL of true -> 0; false -> 1 end).

%% The largest resident set of a run, as the kernel counts it: the only child of a shell.
peak_megabytes(Expression) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Script = "\"$@\" & pid=$!; while read -r _ value _ < <(grep VmHWM /proc/$pid/status 2>/dev/null); do echo $value; done; wait $pid",
    Port = open_port({spawn_executable, os:find_executable("bash")},
                     [exit_status, {line, 1000}, {args, ["-c", Script, "bash", Fathom, "run", "-e", Expression]}]),
    Lines = lines(Port),
    true = lists:member("100000", Lines),
    lists:max([list_to_integer(L) || L <- Lines, L =/= "100000"]) div 1024.
