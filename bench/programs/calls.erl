%% Calls and small integers: Fibonacci, Takeuchi, Ackermann.
-module(calls).
-export([main/0]).

main() -> {fib(37), tak(22, 14, 7), tak(24, 16, 8), ack(2, 1500)}.

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

tak(X, Y, Z) when Y >= X -> Z;
tak(X, Y, Z) -> tak(tak(X - 1, Y, Z), tak(Y - 1, Z, X), tak(Z - 1, X, Y)).

ack(0, N) -> N + 1;
ack(M, 0) -> ack(M - 1, 1);
ack(M, N) -> ack(M - 1, ack(M, N - 1)).
