-module(way_captured_values).
-compile([export_all,nowarn_export_all]).
test() -> F = fun(X) -> {in, X} end, G = fun() -> F(1) end, {env, [H]} = erlang:fun_info(G,
    env), H(2).
