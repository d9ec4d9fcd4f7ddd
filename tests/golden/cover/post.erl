%% Messages, exceptions, callees: which send feeds which clause, which raise comes to which handler.
-module(post).
-export([run/1, apply_to/2]).

run(What) ->
    Server = spawn(fun() -> serve(0) end),
    case What of
        add -> Server ! {add, 1};
        stop -> Server ! stop
    end,
    Server ! {get, self()},
    receive
        {is, N} -> N
    after 10 -> none
    end.

serve(N) ->
    receive
        {add, M} -> serve(N + M);
        {get, Who} -> Who ! {is, N};
        stop -> stopped
    end.

apply_to(F, X) ->
    try call(F, X)
    catch throw:{bad, Y} -> Y
    end.

call(twice, X) -> twice(fun(Y) -> check(Y) end, X);
call(once, X) -> once(fun check/1, X).

twice(F, X) -> F(F(X)).
once(F, X) -> F(X).

check(X) when X > 10 -> throw({bad, X});
check(X) -> X + 1.

%% Nobody calls it.
never(X) -> X.
