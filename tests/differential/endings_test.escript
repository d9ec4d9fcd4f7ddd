#!/usr/bin/env escript
%%! +S 2 -kernel logger_level none
%% The programs of tests/check/endings.erl, looks.erl and seen_late.erl in OTP, many times each, beside `fathom
%% check`: what OTP fails with must be an error that the check finds, and what the check calls free of errors of the
%% test process never fails. Those of always/0 fail in OTP nearly every time, so that it is
%% certain that the errors are no invention.
%%
%%   endings_test.escript [NAME...]     ROUNDS=300
-mode(compile).

main(Wanted) ->
    Results = lists:append([results(Module, Wanted) || Module <- [endings, looks, seen_late]]),
    Passed = length([ok || true <- Results]),
    io:format("~w passed, ~w failed~n", [Passed, length(Results) - Passed]),
    halt(case Passed =:= length(Results) of true -> 0; false -> 1 end).

results(Module, Wanted) ->
    File = lists:flatten(io_lib:format("tests/check/~s.erl", [Module])),
    {ok, Module, Code} = compile:file(File, [binary]),
    {module, Module} = code:load_binary(Module, File, Code),
    Names = [N || {N, 0} <- Module:module_info(exports), not lists:member(N, [module_info, start_worker]),
                  Wanted =:= [] orelse lists:member(atom_to_list(N), Wanted)],
    [is_right(Module, File, Name) || Name <- Names].

always() ->
    [name_of_killed_bug, whereis_killed_bug, down_first_bug, deleted_by_other_bug, made_again_bug, dictionary_bug, priority_bug,
     equal_keys_bug, equal_in_list_bug, equal_in_map_bug, refused_bug, refused_info_bug, refused_name_bug, refused_order_bug,
     own_messages_bug, own_length_bug].

is_right(Module, File, Name) ->
    Rounds = list_to_integer(os:getenv("ROUNDS", "300")),
    Fails = lists:any(fun(N) -> fails(Module, Name, N) end, lists:seq(1, Rounds)),
    Found = is_found(Module, File, Name),
    IsRight = (not Fails orelse Found) andalso (Fails orelse not lists:member(Name, always())),
    IsRight orelse io:format("~s: OTP ~s, the check ~s~n", [Name, word(Fails), word(Found)]),
    IsRight.

word(true) -> "fails";
word(false) -> "does not fail".

%% Half of the rounds beside a process that keeps the other scheduler busy.
fails(Module, Name, Round) ->
    Busy = spawn(fun() -> Round rem 2 =:= 0 andalso busy() end),
    {_, Reference} = spawn_monitor(Module, Name, []),
    Reason = receive {'DOWN', Reference, process, _, R} -> R end,
    exit(Busy, kill),
    clean(),
    Reason =/= normal andalso Reason =/= killed.

busy() -> busy().

%% Nothing is left of the round.
clean() ->
    Left = [Pid || Name <- [server, worker, owner], Pid <- [whereis(Name)], Pid =/= undefined],
    [exit(Pid, kill) || Pid <- Left],
    case Left =:= [] andalso [T || T <- [first, second, again], ets:whereis(T) =/= undefined] of
        [] -> ok;
        _ -> erlang:yield(), clean()
    end.

is_found(Module, File, Name) ->
    Fathom = os:getenv("FATHOM", "build/fathom"),
    Output = os:cmd(lists:flatten(io_lib:format(
        "~s check ~s -t ~s:~s --first-process-only --format json", [Fathom, File, Module, Name]))),
    string:find(Output, "\"verdict\": \"bug\"") =/= nomatch orelse
        (string:find(Output, "\"verdict\": \"clean\"") =:= nomatch andalso error(Output)).
