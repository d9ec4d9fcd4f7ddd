#!/usr/bin/env escript
%%! +S 2
%% Fathom's linter and erl_lint:module/3, on a table of small modules (lint_cases.hrl)
%% and on all sources of the installed OTP. Both must report the same errors: the
%% same rule at the same place, which is OTP's {Line, Column}; `fathom parse --lint
%% --format etf` tells it. Modules that do not parse are left out.
%%
%% What one OTP error stands for may be said once by Fathom: errors are compared as
%% sets.
%%
%%   lint_test.escript [FAMILY...]   SHOW=n in the environment
-mode(compile).
-include("fathom_port.hrl").
-include("lint_cases.hrl").

main(Wanted) ->
    Families = [F || {Name, _} = F <- [{otp, otp} | cases()],
                     Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_lint." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Counts = [check_family(Dir, Name, Texts) || {Name, Texts} <- Families],
    ok = file:del_dir_r(Dir),
    {Passed, Failed} = lists:unzip(Counts),
    summary(lists:sum(Passed), lists:sum(Failed)).

check_family(_Dir, otp, otp) ->
    Includes = otp_include_dirs(),
    check_files(otp, otp_sources(), include_args(Includes), Includes);
check_family(Dir, Name, Texts) ->
    Files = [begin
                 File = filename:join(Dir, lists:flatten(io_lib:format("~w_~w.erl", [Name, N]))),
                 ok = file:write_file(File, unicode:characters_to_binary(Text)),
                 File
             end || {N, Text} <- lists:zip(lists:seq(1, length(Texts)), Texts)],
    check_files(Name, Files, [], []).

check_files(Name, Files, Args, Includes) ->
    Got = maps:from_list(fathom_errors(Args, Files)),
    Results = [compare(File, expected(File, Includes), maps:get(File, Got)) || File <- Files],
    Failures = [{File, E, G} || {different, File, E, G} <- Results],
    [print_failure(Name, F) || F <- lists:sublist(Failures, list_to_integer(os:getenv("SHOW", "10")))],
    Failed = length(Failures),
    Compared = [R || R <- Results, R =/= unparsed],
    Errors = lists:usort([Rule || {same, Es} <- Results, {_, Rule} <- Es]),
    io:format("~w: ~w modules, ~w with errors, ~w errors of ~w kinds, ~w do not parse, ~w different~n",
              [Name, length(Results), length([1 || {same, [_ | _]} <- Results]),
               lists:sum([length(Es) || {same, Es} <- Results]), length(Errors),
               length(Results) - length(Compared), Failed]),
    {length(Compared) - Failed, Failed}.

print_failure(Name, {File, E, G}) ->
    {ok, Text} = file:read_file(File),
    Lines = lists:usort([Line || {{Line, _}, _} <- (E -- G) ++ (G -- E)]),
    Shown = case byte_size(Text) > 1000 of
                true -> [File, "\n" | [[lists:nth(L, string:split(Text, "\n", all)), "\n"] || L <- Lines]];
                false -> Text
            end,
    io:format("DIFFERENT ~w: ~ts~n  only OTP    ~0tp~n  only Fathom ~0tp~n", [Name, Shown, E -- G, G -- E]).

compare(_, unparsed, _) -> unparsed;
compare(File, Expected, Got) ->
    case {lists:usort(Expected), lists:usort(Got)} of
        {Same, Same} -> {same, Same};
        {E, G} -> {different, File, E, G}
    end.

fathom_errors(Args, Files) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Port = open_port({spawn_executable, "/bin/sh"},
                     [{packet, 4}, binary, exit_status,
                      {args, ["-c", "exec \"$0\" \"$@\" 2>/dev/null", Fathom, "parse", "--quiet", "--no-project",
                              "--lint", "--format", "etf" | Args ++ Files]}]),
    fold_port(Port, fun(Path, Errors, Acc) -> [{Path, Errors} | Acc] end, []).

%% erl_lint's errors with Fathom's names of their rules, or `unparsed`.
expected(File, Includes) ->
    try epp:parse_file(File, [{location, {1, 1}}, {includes, Includes}]) of
        {ok, Forms} ->
            case [error || {error, _} <- Forms] of
                [] ->
                    case erl_lint:module(Forms, File, []) of
                        {ok, _} -> [];
                        {error, Errors, _} -> [expected_error(E) || {_, Es} <- Errors, E <- Es]
                    end;
                _ -> unparsed
            end;
        {error, _} -> unparsed
    catch
        exit:_ -> unparsed
    end.

expected_error({Place, erl_lint, What}) -> {Place, rule(What)};
expected_error({erl_lint, What}) -> {none, rule(What)}.

rule(What) when is_tuple(What) -> rule(element(1, What));
rule(What) -> list_to_atom([case C of $_ -> $-; _ -> C end || C <- atom_to_list(What)]).
