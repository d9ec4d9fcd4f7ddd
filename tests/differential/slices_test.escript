#!/usr/bin/env escript
%%! -pa .
%% Slices of random programs, compiled by OTP's compiler and run by its emulator: what the criterion
%% shows in the original is a prefix of what it shows in the slice.
%%
%%   slices_test.escript [COUNT]
%%
%% The programs and slices come from fathom_slice_tests (WRITE_TO).
-mode(compile).

main(Args) ->
    Count = case Args of [N] -> N; [] -> "4" end,
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    os:cmd("cd " ++ Root ++ " && scripts/build release fathom_slice_tests"),
    Dir = string:trim(os:cmd("mktemp -d")),
    os:cmd("SEED=7000 COUNT=" ++ Count ++ " WRITE_TO=" ++ Dir ++ " " ++
               filename:join([Root, "build", "tests", "fathom_slice_tests"])),
    logger:set_primary_config(level, none),
    Slices = lists:sort(filelib:wildcard(filename:join(Dir, "*.slice"))),
    Bad = [S || S <- Slices, not agrees(S)],
    os:cmd("rm -r " ++ Dir),
    [io:format("~s differs~n", [B]) || B <- Bad],
    io:format("~p passed, ~p failed~n", [length(Slices) - length(Bad), length(Bad)]),
    halt(case Bad =:= [] andalso Slices =/= [] of true -> 0; false -> 1 end).

agrees(Slice) ->
    Base = filename:rootname(Slice),
    [Seed, Id] = string:split(filename:basename(Base), "-"),
    Original = filename:join(filename:dirname(Slice), Seed ++ ".original"),
    Expected = shown(Original, list_to_integer(Id)),
    Seen = shown(Slice, list_to_integer(Id)),
    Seen =/= no_code andalso
        lists:all(fun({A, B}) -> lists:prefix(A, B) end, lists:zip(Expected, Seen)).

inputs() ->
    [[0, []], [1, [1]], [2, [3, 0, 1]], [3, [a]], [a, [2, 2]], [7, [0, 0, 0]]].

shown(File, Id) ->
    {ok, Text} = file:read_file(File),
    Noted = binary_to_list(iolist_to_binary(string:replace(Text, "erlang:display(", "slice_notes ! note(", all)))
        ++ "\nnote(X) -> {note, X}.\n",
    case forms(Noted, 1) of
        {ok, Forms} ->
            case compile:forms(Forms, [binary, nowarn_unused_function]) of
                {ok, t, Code} ->
                    {module, t} = code:load_binary(t, "t.erl", Code),
                    [run(Input, Id) || Input <- inputs()];
                _ -> no_code
            end
    end.

forms(Text, Line) ->
    {ok, Tokens, _} = erl_scan:string(Text, Line),
    {ok, [begin {ok, F} = erl_parse:parse_form(Form), F end || Form <- split(Tokens, [])]}.

split([], []) -> [];
split([{dot, _} = Dot | Rest], Form) -> [lists:reverse([Dot | Form]) | split(Rest, [])];
split([Token | Rest], Form) -> split(Rest, [Token | Form]).

%% A slice may go on where the original ends; then it is stopped.
run(Input, Id) ->
    register(slice_notes, self()),
    {Pid, Ref} = spawn_monitor(fun() -> apply(t, main, Input) end),
    receive {'DOWN', Ref, _, _, _} -> ok after 2000 -> exit(Pid, kill), receive {'DOWN', Ref, _, _, _} -> ok end end,
    unregister(slice_notes),
    notes(Id).

notes(Id) ->
    receive
        {note, {Id, Value}} -> [Value | notes(Id)];
        {note, _} -> notes(Id)
    after 0 -> []
    end.
