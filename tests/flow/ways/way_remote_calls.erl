-module(way_remote_calls).
-compile([export_all,nowarn_export_all]).
test() -> R = rpc:call(node(), ?MODULE, f, [fun() -> 1 end]), X = erpc:call(node(),
    fun() -> (fun() -> 2 end)() end), K = rpc:async_call(node(), ?MODULE, f, [fun() -> 3 end]),
    {R, X, rpc:yield(K)}.
f(F) -> F().
