#!/usr/bin/env escript
%%! +S 1 -enable-feature maybe_expr
%% Tests that `fathom gen` makes of random modules (random_module.hrl) must pass in OTP: each value
%% and each exception as predicted. Of each module one function is taken.
%%
%%   gen_random_test.escript [SEED...]   these modules, else the first COUNT (60) from SEED (1) on
%%
%% What fails is asked again without OTP's optimisations, which change exceptions: they leave out
%% M#{K := V} if its value is not used, and ask for the length of the list of a binary comprehension
%% first. Tests that pass only then are counted by themselves. Modules that OTP does not compile are
%% left out, and so are tests that take OTP too long.
-mode(compile).
-include("fathom_port.hrl").
-include("random_module.hrl").
-include("random_expressions.hrl").

-define(SECONDS, 20).

main(Arguments) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_gen_random." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    {ok, fathom_driver, Driver} = compile:file("tests/differential/fathom_driver.erl", [binary]),
    {module, _} = code:load_binary(fathom_driver, "fathom_driver.erl", Driver),
    Seeds = case Arguments of
                [] -> [setting("SEED", 1) + I || I <- lists:seq(0, setting("COUNT", 60) - 1)];
                _ -> [list_to_integer(S) || S <- Arguments]
            end,
    Counts = [check(Dir, Seed) || Seed <- Seeds],
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir),
    io:format("~b programs, ~b of them with tests; ~b tests pass only without OTP's optimisations~n",
              [length(Counts), length([x || {P, O, F} <- Counts, P + O + F > 0]),
               lists:sum([O || {_, O, _} <- Counts])]),
    summary(lists:sum([P + O || {P, O, _} <- Counts]), lists:sum([F || {_, _, F} <- Counts])).

setting(Name, Default) -> list_to_integer(os:getenv(Name, integer_to_list(Default))).

%% {tests that passed, those that passed without optimisations only, those that did not}
check(Dir, Seed) ->
    {Name, Text, _} = random_module(Seed),
    File = filename:join(Dir, Name ++ ".erl"),
    ok = file:write_file(File, Text),
    case load(File, []) of
        ok -> run(Dir, Name, File, lists:nth(1 + Seed rem length(get(functions)), get(functions)));
        error -> {0, 0, 0}
    end.

load(File, Options) ->
    case compile:file(File, [binary, return | Options]) of
        {ok, Module, Code, _} ->
            {module, Module} = code:load_binary(Module, File, Code),
            ok;
        _ -> error
    end.

run(Dir, Name, File, {Function, Types, _}) ->
    Suite = filename:join(Dir, Name ++ "_gen_tests"),
    Target = [Name, ":", Function, "/", integer_to_list(1 + length(Types))],
    Command = [os:getenv("FATHOM", "build/fathom"), " gen --quiet --errors --format eunit --time-limit 0.3 -o ",
               Suite, ".erl -f ", Target, " ", File, " tests/differential/fathom_driver.erl 2>&1"],
    Output = os:cmd(lists:flatten(Command)),
    case filelib:is_file(Suite ++ ".erl") andalso compile:file(Suite, [binary, return]) of
        {ok, Module, Code, []} when Output =:= "" ->
            {module, Module} = code:load_binary(Module, Suite, Code),
            Tests = [F || {F, 0} <- Module:module_info(exports), is_test(F)],
            {Passed, Others} = lists:partition(fun(F) -> is_right(Module, F) end, Tests),
            Others =:= [] orelse load(File, [no_copt, no_ssa_opt]),
            Results = [{F, outcome(Module, F)} || F <- Others],
            [io:format("seed ~s: ~s: ~p~n", [Name, F, R]) || {F, R} <- Results, is_wrong(R)],
            {length(Passed), length([x || {_, ok} <- Results]), length([x || {_, R} <- Results, is_wrong(R)]) + wrong_predictions(Suite)};
        Other ->
            io:format("~s: ~p~n~s~n", [Target, Other, Output]),
            {0, 0, 1}
    end.

%% They are comments of the suite.
wrong_predictions(Suite) ->
    {ok, Text} = file:read_file(Suite ++ ".erl"),
    Lines = [L || <<"%% No test, ", _/binary>> = L <- binary:split(Text, <<"\n">>, [global])],
    [io:format("~s: ~ts~n", [Suite, L]) || L <- Lines],
    length(Lines).

is_right(Module, Function) -> outcome(Module, Function) =:= ok.
is_wrong(Result) -> Result =/= ok andalso Result =/= slow.
is_test(Function) ->
    Name = atom_to_list(Function),
    lists:suffix("_test", Name) orelse lists:suffix("_test_", Name).

%% A test, or a generator of one that has a process of its own.
perform({spawn, Test}) -> Test();
perform(_) -> ok.

outcome(Module, Function) ->
    {Pid, Ref} = spawn_monitor(fun() ->
        exit(try perform(Module:Function()), ok catch C:R:S -> {C, R, lists:sublist(S, 2)} end)
    end),
    receive {'DOWN', Ref, process, Pid, Result} -> Result
    after ?SECONDS * 1000 -> exit(Pid, kill), slow end.
