-module(way_timers_with_funs).
-compile([export_all,nowarn_export_all]).
test() -> T = erlang:start_timer(1, self(), {msg, fun() -> t end}), receive {timeout, T, {msg,
    F}} -> F() end, timer:apply_after(1, ?MODULE, later, [self(), fun() -> l end]), receive {l,
    G} -> G() after 100 -> no end.
later(P, F) -> P ! {l, F}.
