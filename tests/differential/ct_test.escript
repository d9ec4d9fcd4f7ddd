#!/usr/bin/env escript
%%! +S 2 +pc unicode
%% The suites of ct/, which use what Common Test has (groups and their properties, init and end
%% functions that fail and skip, timetraps, saved configuration, files), under OTP's ct_run and under
%% `fathom test`: the same cases, in the same order, with the same results. Of parallel groups the
%% order is not compared.
%%
%%   ct_test.escript [SUITE...]
-mode(compile).
-include("json.hrl").
-include("ct_log.hrl").

main(Wanted) ->
    Dir = filename:absname(filename:join(filename:dirname(escript:script_name()), "ct")),
    Suites = [S || F <- filelib:wildcard(filename:join(Dir, "*_SUITE.erl")),
                   S <- [filename:basename(F, ".erl")], Wanted =:= [] orelse lists:member(S, Wanted)],
    Work = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_ct." ++ os:getpid()),
    Theirs = otp(Dir, Suites, Work),
    Ours = fathom(Dir, Suites),
    Counts = [compare(S, of_suite(S, Theirs), of_suite(S, Ours)) || S <- Suites],
    os:cmd("rm -r '" ++ Work ++ "'"),
    {Passed, Failed} = lists:unzip(Counts),
    io:format("~b passed, ~b failed~n", [lists:sum(Passed), lists:sum(Failed)]),
    halt(min(1, lists:sum(Failed))).

of_suite(Suite, Results) ->
    Own = [{Case, Result} || {Name, Case, Result} <- Results, Name =:= Suite],
    case Suite of
        "parallel_SUITE" -> lists:sort(Own);
        _ -> Own
    end.

compare(_, Same, Same) -> {max(1, length(Same)), 0};
compare(Suite, Theirs, Ours) ->
    Wrong = max(1, length([1 || {T, O} <- together(Theirs, Ours), T =/= O])),
    io:format("~ts:~n", [Suite]),
    [io:format("  OTP ~tp, Fathom ~tp~n", [T, O]) || {T, O} <- together(Theirs, Ours), T =/= O],
    {max(0, length(Theirs) - Wrong), Wrong}.

together([], []) -> [];
together([T | Theirs], []) -> [{T, nothing} | together(Theirs, [])];
together([], [O | Ours]) -> [{nothing, O} | together([], Ours)];
together([T | Theirs], [O | Ours]) -> [{T, O} | together(Theirs, Ours)].

%% ---- OTP

otp(Dir, Suites, Work) ->
    Log = filename:join(Work, "log"),
    ok = filelib:ensure_dir(filename:join(Log, "x")),
    os:cmd(lists:flatten(io_lib:format("cp -r '~ts' '~ts/suites'", [Dir, Work]))),
    os:cmd(lists:flatten(io_lib:format(
        "cd '~ts' && ct_run -noinput -dir suites -suite ~ts -logdir log >out 2>&1",
        [Work, lists:join($\s, Suites)]))),
    Files = filelib:wildcard(filename:join(Log, "ct_run*/*/run*/suite.log")),
    Files =/= [] orelse begin io:format("ct_run wrote no log~n"), halt(1) end,
    lists:append([ct_cases(F) || F <- Files]).

%% ---- Fathom

fathom(Dir, Suites) ->
    Files = [filename:join(Dir, S ++ ".erl") || S <- Suites],
    Quoted = lists:join($\s, [["'", F, "'"] || F <- Files]),
    Text = os:cmd(lists:flatten(io_lib:format("~ts test --format json ~ts 2>/dev/null",
                                              [os:getenv("FATHOM", "build/fathom"), Quoted]))),
    [{binary_to_list(maps:get(<<"module">>, T)), binary_to_list(maps:get(<<"function">>, T)), own(T)}
     || T <- maps:get(<<"tests">>, json(unicode:characters_to_binary(Text))),
        not maps:get(<<"group">>, T) orelse maps:is_key(<<"left_out">>, T)].

own(#{<<"status">> := <<"skipped">>, <<"left_out">> := true}) -> skipped;
own(#{<<"status">> := <<"skipped">>}) -> auto_skipped;
own(#{<<"status">> := <<"passed">>}) -> ok;
own(#{<<"status">> := Status}) -> binary_to_atom(Status).
