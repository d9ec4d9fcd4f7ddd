#!/usr/bin/env escript
%%! +S 2
%% `fathom parse --format abstract` is text that file:consult/1 reads back as the
%% forms of epp:parse_file/2, one term for each form. (That the forms are right is
%% otp_sources_test's affair; this is about how they are written, so some of
%% OTP's applications are enough.)
-mode(compile).
-include("fathom_port.hrl").

main(_) ->
    Dirs = otp_include_dirs(),
    Files = [F || F <- otp_sources(),
                  App <- ["/stdlib-", "/kernel-", "/xmerl-", "/crypto-", "/sasl-"],
                  string:find(F, App) =/= nomatch],
    Text = filename:join(temp_dir(), "fathom_abstract.terms"),
    Results = [check(File, Dirs, Text) || File <- Files],
    file:delete(Text),
    Passed = length([1 || same <- Results]),
    io:format("~w OTP sources: the text of ~w reads back as epp's forms~n", [length(Files), Passed]),
    summary(Passed, length(Files) - Passed).

temp_dir() ->
    case os:getenv("TMPDIR") of
        false -> "/tmp";
        Dir -> Dir
    end.

check(File, Dirs, Text) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Port = open_port({spawn_executable, Fathom},
                     [exit_status, {args, ["parse", "--quiet", "--no-project", "--format", "abstract",
                                           "-o", Text | include_args(Dirs)] ++ [File]}]),
    receive {Port, {exit_status, _}} -> ok end,
    {ok, Expected} = epp:parse_file(File, [{location, {1, 1}}, {includes, Dirs}]),
    case file:consult(Text) of
        {ok, Expected} -> same;
        {ok, Got} ->
            case [1 || {error, _} <- Expected] of
                [_ | _] -> same;  % errors are worded differently
                [] ->
                    print_difference(File, Expected, Got),
                    different
            end;
        {error, Reason} ->
            io:format("UNREADABLE ~ts: ~ts~n", [File, file:format_error(Reason)]),
            different
    end.
