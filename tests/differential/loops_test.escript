#!/usr/bin/env escript
%%! +S 2 -kernel logger_level none
%% The programs of tests/check/loops.erl in OTP, many times each, beside `fathom check`: what OTP
%% fails with must be an error that the check finds. So that a process which waits is made to wait
%% for the others hides nothing that happens in OTP. Those of always/0 fail in OTP sooner or later,
%% so that it is certain that the errors are no invention.
%%
%%   loops_test.escript [NAME...]     ROUNDS=300
-mode(compile).

main(Wanted) ->
    File = "tests/check/loops.erl",
    {ok, loops, Code} = compile:file(File, [binary, {i, "tests/check"}]),
    {module, loops} = code:load_binary(loops, File, Code),
    Names = [N || {N, 0} <- loops:module_info(exports), not lists:member(N, [module_info | endless()]),
                  Wanted =:= [] orelse lists:member(atom_to_list(N), Wanted)],
    Results = [is_right(File, Name) || Name <- Names],
    Passed = length([ok || true <- Results]),
    io:format("~w passed, ~w failed~n", [Passed, length(Results) - Passed]),
    halt(case Passed =:= length(Results) of true -> 0; false -> 1 end).

%% They take for ever, or long.
endless() -> [never_bug, slow_worker].

always() -> [name_bug].

is_right(File, Name) ->
    Rounds = list_to_integer(os:getenv("ROUNDS", "300")),
    Fails = lists:any(fun(N) -> fails(Name, N) end, lists:seq(1, Rounds)),
    Found = is_found(File, Name),
    IsRight = (not Fails orelse Found) andalso (Fails orelse not lists:member(Name, always())),
    IsRight orelse io:format("~s: OTP ~s, the check ~s~n", [Name, word(Fails), word(Found)]),
    IsRight.

word(true) -> "fails";
word(false) -> "does not fail".

%% Half of the rounds beside a process that keeps the other scheduler busy.
fails(Name, Round) ->
    Busy = spawn(fun() -> Round rem 2 =:= 0 andalso busy() end),
    {_, Reference} = spawn_monitor(loops, Name, []),
    Reason = receive {'DOWN', Reference, process, _, R} -> R end,
    exit(Busy, kill),
    clean(),
    Reason =/= normal.

busy() -> busy().

%% Nothing is left of the round.
clean() ->
    case whereis(loops) of
        undefined -> ok;
        Pid -> exit(Pid, kill), erlang:yield(), clean()
    end.

is_found(File, Name) ->
    Fathom = os:getenv("FATHOM", "build/fathom"),
    Output = os:cmd(lists:flatten(io_lib:format(
        "~s check ~s -t loops:~s --first-process-only --format json", [Fathom, File, Name]))),
    string:find(Output, "\"verdict\": \"bug\"") =/= nomatch orelse
        (string:find(Output, "\"verdict\": \"clean\"") =:= nomatch andalso error(Output)).
