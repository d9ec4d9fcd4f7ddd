%% A fun that is sent to the process that calls it.
-module(posted).
-export([main/0]).

main() ->
    Worker = spawn(fun work/0),
    K = 7,
    Worker ! {do, fun(X) -> X + K end}.

work() ->
    receive
        {do, F} -> F(1)
    end.
