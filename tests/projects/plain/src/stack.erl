-module(stack).
-export([new/0, push/2, pop/1]).
-include("stack.hrl").
new() -> #stack{}.
push(X, S = #stack{items = Is}) -> S#stack{items = [X | Is]}.
pop(S = #stack{items = [X | Is]}) -> {X, S#stack{items = Is}}.
