-module(way_ways_to_spawn).
-compile([export_all,nowarn_export_all]).
test() -> F = fun way_ways_to_spawn:g/1, apply(F, [fun() -> 1 end]), spawn(?MODULE, g,
    [fun() -> 2 end]), spawn_opt(fun() -> g(fun() -> 3 end) end, [monitor]), receive {'DOWN', _,
    _, _, X} -> X end, erlang:spawn_request(?MODULE, g, [fun() -> 4 end], [monitor, {reply_tag,
    tt}]), receive {tt, _, ok, P} -> P end.
g(F) -> F().
