#!/usr/bin/env escript
%%! +S 2
%% The programs tests/check/everyday_*.erl, which `fathom check` finds clean, are correct: OTP runs
%% each a number of times, with yields before it begins, and it returns. So does `fathom run`.
%%
%%   everyday_test.escript     RUNS=n in the environment
-mode(compile).

main(_) ->
    logger:set_primary_config(level, none),
    Runs = list_to_integer(os:getenv("RUNS", "20")),
    Dir = filename:join([filename:dirname(escript:script_name()), "..", "check"]),
    Files = lists:sort(filelib:wildcard(filename:join(Dir, "everyday_*.erl"))),
    Results = lists:append([check_file(File, Runs) || File <- Files]),
    Failed = [Bad || {failed, _} = Bad <- Results],
    [io:format("FAILED ~tp~n", [Bad]) || Bad <- Failed],
    io:format("~w passed, ~w failed~n", [length(Results) - length(Failed), length(Failed)]),
    halt(case Failed of [] -> 0; _ -> 1 end).

check_file(File, Runs) ->
    {ok, Module, Beam} = compile:file(File, [binary]),
    {module, Module} = code:load_binary(Module, File, Beam),
    Callbacks = [callback_mode, start_stubborn, module_info],
    Tests = [F || {F, 0} <- Module:module_info(exports), not lists:member(F, Callbacks)],
    [in_otp(Module, F, Runs) || F <- Tests] ++ [in_fathom(File, Module, F) || F <- Tests].

in_otp(Module, Function, Runs) ->
    case [Why || _ <- lists:seq(1, Runs), (Why = run(Module, Function)) =/= returned] of
        [] -> passed;
        [Why | _] -> {failed, {otp, Module, Function, Why}}
    end.

run(Module, Function) ->
    Before = processes(),
    {P, R} = spawn_monitor(fun() ->
                               [erlang:yield() || _ <- lists:seq(1, rand:uniform(5))],
                               Module:Function(),
                               exit(returned)
                           end),
    Result = receive {'DOWN', R, process, P, Why} -> Why after 20000 -> hangs end,
    end_all(Before),
    Result.

%% What the program has left, so that the next run finds nothing of it.
end_all(Before) ->
    Services = [whereis(N) || N <- [timer_server, rex]],
    case processes() -- (Before ++ Services) of
        [] -> ok;
        Left -> [exit(P, kill) || P <- Left], erlang:yield(), end_all(Before)
    end.

in_fathom(File, Module, Function) ->
    Command = io_lib:format("~ts run ~ts --no-project -e 'begin ~w:~w(), returned end' 2>&1",
                            [os:getenv("FATHOM", "build/fathom"), File, Module, Function]),
    Output = string:trim(os:cmd(lists:flatten(Command))),  % crash reports, and the value
    case lists:suffix("returned", Output) of
        true -> passed;
        false -> {failed, {fathom, Module, Function, Output}}
    end.
