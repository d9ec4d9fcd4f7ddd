%% RUN: fathom test %s > %t/out || code=$?
%% RUN: sed -E "s/ in [0-9.]+ s\$//" %t/out; exit $code
-module('bad-cases_SUITE').
-compile([export_all, nowarn_export_all]).

suite() -> [{timetrap, {seconds, 5}}].

all() -> [passes, {group, stock}, {group, broken}, later].

groups() -> [{stock, [sequence], [counts, adds, sells]}, {broken, [], [one, two]}].

init_per_group(broken, _) -> error(no_database);
init_per_group(_, Config) -> [{stock, 3} | Config].

end_per_group(_, _) -> ok.

passes(_) -> ok.

counts(Config) -> 3 = proplists:get_value(stock, Config).

adds(Config) ->
    ct:pal("stock is ~p", [proplists:get_value(stock, Config)]),
    4 = proplists:get_value(stock, Config).

sells(_) -> ok.

one(_) -> ok.

two(_) -> ok.

later(_) -> {skip, "needs a server"}.
%% EXIT: 2
