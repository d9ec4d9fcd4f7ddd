-module(fib).
-export([main/1]).

main(N) ->
    {A, B, Steps} = fib(N, 0, 1, 0),
    {A, Steps, B}.

fib(0, A, B, S) -> {A, B, S};
fib(N, A, B, S) -> fib(N - 1, B, A + B, S + 1).
