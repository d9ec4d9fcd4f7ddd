#!/usr/bin/env escript
%% The EUnit tests of the projects in examples/, under rebar3 and on Fathom's machine: the
%% same tests, with the same results; and `fathom test` counts as many that pass. Both print them as EUnit's verbose listener does; what
%% may differ in its lines is left out: times, the number of a fun in its function, and what
%% is between them, such as reports of crashes.
%%
%%   examples_test.escript [PROJECT...]
-mode(compile).
-include("fathom_port.hrl").

main(Wanted) ->
    Projects = [filename:dirname(Config) || Config <- lists:sort(filelib:wildcard("examples/*/rebar.config"))],
    Results = [check(P) || P <- Projects, Wanted =:= [] orelse lists:member(filename:basename(P), Wanted)],
    summary(lists:sum([Passed || {Passed, _} <- Results]), lists:sum([Failed || {_, Failed} <- Results])).

check(Project) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), lists:concat(["fathom_examples.", os:getpid()])),
    run("rm -rf \"$0\" && cp -r \"$1\" \"$0\"", [Dir, Project]),
    {0, Rebar} = run("cd \"$0\" && ERL_FLAGS='-kernel logger_level none' exec timeout 120 rebar3 eunit --verbose 2>&1", [Dir]),
    run("rm -rf \"$0\"", [Dir]),
    Modules = [filename:basename(F, ".erl") || F <- filelib:wildcard(filename:join([Project, "test", "*_tests.erl"]))],
    Expected = lists:sort(tests(Rebar)),
    Got = lists:sort(lists:append([tests(fathom(Project, M)) || M <- Modules])),
    [io:format("DIFFERENT ~ts: only under rebar3: ~ts~n", [Project, T]) || T <- Expected -- Got],
    [io:format("DIFFERENT ~ts: only on the machine: ~ts~n", [Project, T]) || T <- Got -- Expected],
    Passed = length([T || T <- Expected, binary:longest_common_suffix([T, <<": ok">>]) =:= 4]),
    Counted = counted(Project),
    Counted =:= Passed orelse io:format("DIFFERENT ~ts: ~w pass under rebar3, ~w in fathom test~n", [Project, Passed, Counted]),
    Different = length(Expected -- Got) + length(Got -- Expected) + abs(Counted - Passed),
    io:format("~ts: ~w tests, ~w different~n", [Project, length(Expected), Different]),
    case Expected of
        [] -> {0, 1};
        _ -> {length(Expected) - length(Expected -- Got), Different}
    end.

fathom(Project, Module) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    {_, Output} = run("exec timeout 120 \"$0\" run -D TEST -e \"$@\" 2>&1",
                      [Fathom, "eunit:test(" ++ Module ++ ", [verbose])" | filelib:wildcard(filename:join(Project, "{src,test}/*.erl"))]),
    Output.

%% How many tests of the project pass, as `fathom test` says.
counted(Project) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    {_, Output} = run("exec timeout 120 \"$0\" test --quiet --format json \"$1\"", [Fathom, Project]),
    {match, [Count]} = re:run(Output, "\"passed\": ([0-9]+)", [{capture, [1], list}]),
    list_to_integer(Count).

%% "name of the test: result", of each.
tests(Output) ->
    Found = re:run([Output, "\n"], "^ *(\\w+_tests:.*?)\\.\\.\\.(?:.|\\n)*?(ok|\\*failed\\*|\\*timed out\\*|\\*skipped\\*)$",
                            [global, multiline, {capture, [1, 2], binary}]),
    [iolist_to_binary(re:replace([Name, ": ", Result], "-fun-[0-9]+-", "-fun-"))
     || {match, Tests} <- [Found], [Name, Result] <- Tests].

run(Script, Arguments) ->
    Port = open_port({spawn_executable, os:find_executable("bash")}, [binary, exit_status, {args, ["-c", Script | Arguments]}]),
    port_output(Port, []).
