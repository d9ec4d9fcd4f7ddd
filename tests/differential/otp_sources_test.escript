#!/usr/bin/env escript
%%! +S 2
%% Every .erl file of the installed OTP, read by Fathom and by epp:parse_file/2
%% with the same include path: the forms must be equal, places with columns
%% included. Where epp reports errors, Fathom must report errors at the same
%% places, and the other forms must be equal.
-mode(compile).
-include("fathom_port.hrl").

main(_) ->
    Dirs = otp_include_dirs(),
    Files = otp_sources(),
    Count = fun(Path, Forms, {Passed, Failed, WithErrors}) ->
                    {ok, Expected} = epp:parse_file(Path, [{location, {1, 1}}, {includes, Dirs}]),
                    case check(Path, Expected, Forms) of
                        same -> {Passed + 1, Failed, WithErrors};
                        same_errors -> {Passed + 1, Failed, WithErrors + 1};
                        different -> {Passed, Failed + 1, WithErrors}
                    end
            end,
    {Passed, Failed, WithErrors} =
        fold_fathom(["--no-project" | include_args(Dirs)] ++ Files, Count, {0, 0, 0}),
    Missing = length(Files) - Passed - Failed,
    io:format("~w OTP sources: ~w equal epp's forms, ~w of them with errors at the same places; "
              "~w different, ~w not read~n", [length(Files), Passed, WithErrors, Failed, Missing]),
    summary(Passed, Failed + Missing).

check(_, Same, Same) -> same;
check(Path, Expected, Got) ->
    case {split(Expected), split(Got)} of
        {{Forms, [_ | _] = Places}, {Forms, Places}} -> same_errors;
        {{Forms, Places1}, {Forms, Places2}} ->
            print_difference(Path, Places1, Places2),
            different;
        {{Forms1, _}, {Forms2, _}} ->
            print_difference(Path, Forms1, Forms2),
            different
    end.

%% Forms without the errors, and the places of the errors.
split(Forms) ->
    {[F || F <- Forms, element(1, F) =/= error],
     [Place || {error, {Place, _, _}} <- Forms]}.
