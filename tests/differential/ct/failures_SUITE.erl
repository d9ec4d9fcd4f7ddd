-module(failures_SUITE).
-compile([export_all, nowarn_export_all]).
%% Cases that fail, each in its way.
all() -> [matched, clause, an_error, an_exit, exit_normal, thrown, missing, not_exported_at_all, asserted,
          arithmetic, ct_fails, ct_fails_with_text, killed_by_link, kills_itself, exits_by_signal].
matched(_) -> {a, _} = list_to_tuple([b, 1]).
clause(C) -> only(C).
only(never) -> ok.
an_error(_) -> error(reason).
an_exit(_) -> exit(reason).
exit_normal(_) -> exit(normal).
thrown(_) -> throw(ball).
missing(_) -> lists:no_such_function(1).
asserted(_) -> true = is_atom(1).
arithmetic(C) -> 1 / length(C -- C).
ct_fails(_) -> ct:fail({some, reason}).
ct_fails_with_text(_) -> ct:fail("~p of ~p", [1, 2]).
killed_by_link(_) ->
    spawn_link(fun() -> exit(boom) end),
    timer:sleep(1000).
kills_itself(_) -> exit(self(), kill), timer:sleep(1000).
exits_by_signal(_) ->
    Self = self(),
    spawn(fun() -> exit(Self, signal) end),
    timer:sleep(1000).
