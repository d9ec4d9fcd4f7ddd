-module(way_dynamic_children).
-compile([export_all,nowarn_export_all]).
-behaviour(supervisor).
test() -> {ok, S} = supervisor:start_link(?MODULE, []), {ok, C} = supervisor:start_child(S,
    [fun(X) -> {c, X} end]), C ! {self(), 1}, receive {c, 1} = M -> M end, unlink(S), exit(S,
    shutdown).
init([]) -> {ok, {#{strategy => simple_one_for_one}, [#{id => w, start => {?MODULE, start_w,
    [extra]}}]}}.
start_w(_, F) -> {ok, spawn_link(fun() -> loop(F) end)}.
loop(F) -> receive {P, X} -> P ! F(X), loop(F) end.
