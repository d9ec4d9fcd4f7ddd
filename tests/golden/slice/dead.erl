-module(dead).
-export([f/1]).
f(X) -> X.
g(Y) -> Y + 1.
