-module(made).
-export([tests/0, noise/1]).

tests() ->
    [{"one", fun() -> half(4) end}, {"two", fun() -> half(6) end}].

noise(X) -> X + 1.

half(N) -> N div 2.
