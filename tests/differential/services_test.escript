#!/usr/bin/env escript
%%! +S 2
%% The programs of tests/check/services.erl in OTP, many times each, beside `fathom check`: if any
%% process of theirs fails in OTP, the check must find an error, and what the check calls clean never
%% fails. Those of always/0 fail in OTP in some of the rounds, so that it is certain that the errors
%% are no invention.
%%
%%   services_test.escript [NAME...]     ROUNDS=300
-mode(compile).

main(Wanted) ->
    File = "tests/check/services.erl",
    logger:remove_handler(default),
    {ok, services, Code} = compile:file(File, [binary]),
    {module, services} = code:load_binary(services, File, Code),
    Names = [N || {N, 0} <- services:module_info(exports), N =/= module_info,
                  Wanted =:= [] orelse lists:member(atom_to_list(N), Wanted)],
    Results = [is_right(File, Name) || Name <- Names],
    Passed = length([ok || true <- Results]),
    io:format("~w passed, ~w failed~n", [Passed, length(Results) - Passed]),
    halt(case Passed =:= length(Results) of true -> 0; false -> 1 end).

always() ->
    [env_lost_update_bug, load_twice_bug, loaded_bug, global_name_bug, global_whereis_bug,
     handler_twice_bug, name_of_service_bug, table_of_service_bug].

%% They take as long as their timers.
slow() -> [interval_bug, interval_fix, cancelled_fix, global_lock_fix].

is_right(File, Name) ->
    Most = list_to_integer(os:getenv("ROUNDS", "300")),
    Rounds = case lists:member(Name, slow()) of true -> 1 + Most div 100; false -> Most end,
    Fails = length([N || N <- lists:seq(1, Rounds), fails(Name, N)]),
    Found = is_found(File, Name),
    IsRight = (Fails =:= 0 orelse Found) andalso (Fails > 0 orelse not lists:member(Name, always())),
    IsRight orelse
        io:format("~s: fails in OTP in ~w of ~w rounds, the check finds it: ~w~n",
                  [Name, Fails, Rounds, Found]),
    os:getenv("VERBOSE") =:= false orelse io:format("~s ~w/~w ~w~n", [Name, Fails, Rounds, Found]),
    IsRight.

%% Half of the rounds beside a process that keeps the other scheduler busy. No process but those of
%% the program itself starts or exits meanwhile: some programs count processes.
fails(Name, Round) ->
    Busy = [spawn_monitor(fun busy/0) || Round rem 2 =:= 0],
    {Test, TestReference} = spawn_monitor(fun() -> receive go -> services:Name() end end),
    erlang:trace(Test, true, [procs, set_on_spawn]),
    Test ! go,
    Reasons = exits(TestReference, 1, []),
    lists:foreach(fun end_process/1, Busy),
    clean(),
    lists:any(fun is_failure/1, Reasons).

end_process({Pid, Reference}) ->
    exit(Pid, kill),
    receive {'DOWN', Reference, process, _, _} -> ok end.

busy() -> busy().

%% The reasons with which the test, what it starts, and so on exit, until all have, or wait for ever.
exits(Test, 0, Reasons) -> done(Test, Reasons);
exits(Test, Left, Reasons) ->
    receive
        {trace, _, spawned, _, _} -> exits(Test, Left + 1, Reasons);
        {trace, _, exit, Reason} -> exits(Test, Left - 1, [Reason | Reasons]);
        {trace, _, _, _} -> exits(Test, Left, Reasons);
        {trace, _, _, _, _} -> exits(Test, Left, Reasons);
        {'DOWN', Test, process, _, Reason} -> exits(Test, Left, [Reason | Reasons])
    after 1500 -> done(Test, Reasons)
    end.

done(Test, Reasons) ->
    receive
        {'DOWN', Test, process, _, Reason} -> done(Test, [Reason | Reasons]);
        Trace when element(1, Trace) =:= trace -> done(Test, Reasons)
    after 0 -> Reasons
    end.

%% The result of a call by erpc is the reason of an exit.
is_failure({Reference, return, _}) when is_reference(Reference) -> false;
is_failure(Reason) -> not lists:member(Reason, [normal, shutdown, killed]).

%% Nothing is left of the round.
clean() ->
    whereis(user) =:= undefined andalso error(no_user),
    [application:unset_env(kernel, Key) || Key <- [counter, one, two, key]],
    application:stop(services),
    application:unload(services),
    logger:remove_handler(handler),
    logger:set_primary_config(level, notice),
    case global:whereis_name(global_name) of
        undefined -> ok;
        Pid -> end_process({Pid, monitor(process, Pid)}), global:unregister_name(global_name)
    end.

is_found(File, Name) ->
    Fathom = os:getenv("FATHOM", "build/fathom"),
    Output = os:cmd(lists:flatten(io_lib:format(
        "~s check ~s -t services:~s --format json", [Fathom, File, Name]))),
    string:find(Output, "\"verdict\": \"bug\"") =/= nomatch orelse
        (string:find(Output, "\"verdict\": \"clean\"") =:= nomatch andalso error(Output)).
