-module(fun1).
-export([main/1]).

main(N) ->
    Add = fun(X) -> X + N end,
    Mul = fun(X) -> X * N end,
    Show = fun(X) -> {shown, X} end,
    A = twice(Add, 1),
    B = twice(Mul, 2),
    Show(B),
    R = A,
    {B, R}.

twice(F, X) -> F(F(X)).
