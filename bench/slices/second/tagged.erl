-module(tagged).
-export([main/1]).

main(Es) ->
    Ts = [eval(E, [{x, 3}, {y, 4}]) || E <- Es],
    {Values, Errors} = split(Ts, [], []),
    Total = lists:sum(Values),
    N = count(Errors, 0),
    {Total, N}.

eval({num, N}, _) -> {ok, N, num};
eval({var, X}, Env) ->
    case lists:keyfind(X, 1, Env) of
        {X, V} -> {ok, V, {var, X}};
        false -> {error, {unbound, X}, 1}
    end;
eval({op, Op, A, B}, Env) ->
    case {eval(A, Env), eval(B, Env)} of
        {{ok, X, _}, {ok, Y, _}} -> {ok, calc(Op, X, Y), Op};
        {{error, W, N}, {error, _, M}} -> {error, W, N + M};
        {{error, W, N}, _} -> {error, W, N};
        {_, {error, W, N}} -> {error, W, N}
    end.

calc(plus, X, Y) -> X + Y;
calc(times, X, Y) -> X * Y.

split([], Vs, Ws) -> {lists:reverse(Vs), Ws};
split([{ok, V, _} | Ts], Vs, Ws) -> split(Ts, [V | Vs], Ws);
split([{error, W, N} | Ts], Vs, Ws) -> split(Ts, Vs, [{W, N} | Ws]).

count([], N) -> N;
count([{_, K} | Ws], N) -> count(Ws, N + K).
