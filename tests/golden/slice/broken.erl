-module(broken).
-export([f/1]).
f(X) -> Y.
