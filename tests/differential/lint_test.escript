#!/usr/bin/env escript
%%! +S 2
%% Fathom's linter and erl_lint:module/3, on a table of small modules (lint_cases.hrl),
%% on all sources of the installed OTP, and on such sources with a few words changed or
%% forms left out. Both must report the same errors: the
%% same rule at the same place, which is OTP's {Line, Column}; `fathom parse --lint
%% --format etf` tells it. Modules that do not parse are left out.
%%
%% What one OTP error stands for may be said once by Fathom: errors are compared as
%% sets.
%%
%% Every rule that OTP 25 knows (lint_rules.def) must have been broken by the table.
%%
%%   lint_test.escript [FAMILY...]   SEED=n, SCALE=n, DEPTH=n, SHOW=n in the environment
-mode(compile).
-include("fathom_port.hrl").
-include("lint_cases.hrl").

main(Wanted) ->
    Families = [F || {Name, _} = F <- [{otp, otp}, {mutants, mutants} | cases()],
                     Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_lint." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Results = [check_family(Dir, Name, Texts) || {Name, Texts} <- Families],
    os:getenv("KEEP") =:= false andalso (ok = file:del_dir_r(Dir)),
    {Passed, Failed, Rules} = lists:unzip3(Results),
    Unseen = case Wanted of
                 [] -> rules() -- lists:usort(lists:append(Rules));
                 _ -> []
             end,
    [io:format("no module breaks the rule ~ts~n", [R]) || R <- Unseen],
    summary(lists:sum(Passed), lists:sum(Failed) + length(Unseen)).

%% All but what OTP 25 does not have, what needs OTP 28 or debug info to occur, and
%% spec arities, which the parser gives.
rules() ->
    {ok, Text} = file:read_file("src/lint/lint_rules.def"),
    {match, Names} = re:run(Text, "^RULE\\(\\w+, \"([a-z0-9-]+)\"\\)", [global, multiline, {capture, [1], list}]),
    [list_to_atom(N) || [N] <- Names]
        -- ['duplicate-doc-attribute', 'fun-import', 'illegal-zip-generator', 'spec-wrong-arity', 'callback-wrong-arity'].

check_family(_Dir, otp, otp) ->
    Includes = otp_include_dirs(),
    check_files(otp, otp_sources(), include_args(Includes), Includes);
check_family(Dir, mutants, mutants) ->
    rand:seed(exsss, list_to_integer(os:getenv("SEED", "1"))),
    Includes = otp_include_dirs(),
    Sources = [S || App <- ["stdlib", "kernel", "compiler"],
                    S <- filelib:wildcard(filename:join([code:lib_dir(list_to_atom(App)), "src", "*.erl"])),
                    filelib:file_size(S) < 60000],
    Texts = [mutant(pick(Sources)) || _ <- lists:seq(1, 150 * list_to_integer(os:getenv("SCALE", "1")))],
    check_files(mutants, write_files(Dir, mutants, Texts), include_args(Includes), Includes);
check_family(Dir, Name, Texts) ->
    check_files(Name, write_files(Dir, Name, Texts), [], []).

write_files(Dir, Name, Texts) ->
    [begin
         File = filename:join(Dir, lists:flatten(io_lib:format("~w_~w.erl", [Name, N]))),
         ok = file:write_file(File, unicode:characters_to_binary(Text)),
         File
     end || {N, Text} <- lists:zip(lists:seq(1, length(Texts)), Texts)].

%% A source with some of its words changed.
mutant(Source) ->
    {ok, Bytes} = file:read_file(Source),
    Text = unicode:characters_to_list(Bytes, case epp:read_encoding(Source) of latin1 -> latin1; _ -> utf8 end),
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}, [text, return]),
    Words = ["Unknown" | [erl_scan:text(T) || T <- Tokens, element(1, T) =:= var]],
    lists:foldl(fun(_, Ts) -> mutated(Ts, Words) end, [erl_scan:text(T) || T <- Tokens], lists:seq(1, 1 + rand:uniform(6))).

mutated(Texts, Words) ->
    At = rand:uniform(length(Texts)),
    {Before, [Text | After]} = lists:split(At - 1, Texts),
    New = case Text of
              [C | _] when C >= $A, C =< $Z -> pick([pick(Words), pick(Words), "Unknown", "_", "1", "lists:sum(" ++ Text ++ ")"]);
              [C | _] when C >= $a, C =< $z -> pick([Text, Text ++ "x", "Unknown", "unknown"]);
              [C | _] when C >= $0, C =< $9 -> pick([pick(Words), "unknown()", "(1 + 1)"]);
              "=>" -> ":=";
              ":=" -> "=>";
              "==" -> pick(["=", "++", "andalso"]);
              "=" -> "==";
              _ -> Text
          end,
    case New of
        Text -> mutated(Texts, Words);
        _ -> Before ++ [New | After]
    end.

pick(List) -> lists:nth(rand:uniform(length(List)), List).

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
    {length(Compared) - Failed, Failed, Errors}.

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
    case {compared(Expected, Expected), compared(Got, Expected)} of
        {Same, Same} -> {same, Same};
        {E, G} -> {different, File, E, G}
    end.

%% Two ways in which one mistake leads erl_lint to others that are none: behind a
%% record pattern with a field that does not exist, the variables of the fields before
%% it are unbound; a spec of a module without a name has an empty module name.
compared(Errors, Expected) ->
    Ignored = [{'undefined-field', 'unbound-var'}, {'undefined-module', 'empty-module-name'}],
    Dropped = [Rule || {Cause, Rule} <- Ignored, lists:keymember(Cause, 2, Expected)],
    lists:usort([E || {_, Rule} = E <- Errors, not lists:member(Rule, Dropped)]).

fathom_errors(Args, Files) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Port = open_port({spawn_executable, "/bin/sh"},
                     [{packet, 4}, binary, exit_status,
                      {args, ["-c", "exec \"$0\" \"$@\" 2>/dev/null", Fathom, "parse", "--quiet", "--no-project",
                              "--lint", "--transforms", "never", "--format", "etf" | Args ++ Files]}]),
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
