%% Big integers: digits of pi, a factorial, powers by squaring.
-module(bignums).
-export([main/0]).

main() ->
    Pi = pi(1500),
    Factorial = factorial(2500, 1),
    Power = power(3, 20000),
    {lists:sum(Pi), Factorial rem 1000003, Power rem 1000000007,
     length(integer_to_list(Factorial)), gcd(Power - 1, Factorial)}.

%% The spigot of Gibbons.
pi(Count) -> pi(Count, 1, 0, 1, 1).

pi(0, _, _, _, _) -> [];
pi(Count, Q, R, T, K) ->
    case digit(Q, R, T) of
        false ->
            L = 2 * K + 1,
            pi(Count, Q * K, (2 * Q + R) * L, T * L, K + 1);
        Digit ->
            [Digit | pi(Count - 1, 10 * Q, 10 * (R - Digit * T), T, K)]
    end.

digit(Q, R, T) ->
    case (3 * Q + R) div T of
        D when 4 * Q + R < (D + 1) * T -> D;
        _ -> false
    end.

factorial(0, Product) -> Product;
factorial(N, Product) -> factorial(N - 1, N * Product).

power(_, 0) -> 1;
power(X, N) when N rem 2 =:= 0 -> power(X * X, N div 2);
power(X, N) -> X * power(X, N - 1).

gcd(X, 0) -> X;
gcd(X, Y) -> gcd(Y, X rem Y).
