-module(way_global_names_and_groups).
-compile([export_all,nowarn_export_all]).
test() -> global:register_name({n, 1}, spawn(fun() -> receive {g, F, P} -> P ! {r,
    F()} end end)), global:send({n, 1}, {g, fun() -> gg end, self()}), receive {r, V} -> V end,
    S = spawn(fun() -> receive {'$gen_call', {P, Tag}, F} -> P ! {Tag, F()} end end),
    gen_server:call(S, fun() -> c end), pg:start_link(), pg:join(grp, self()), [Q ! {pg,
    fun() -> x end} || Q <- pg:get_members(grp)], receive {pg, H} -> H() end.
