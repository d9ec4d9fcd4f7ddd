%% A variable that stands twice in a pattern asks for equal values; a native function may raise.
-module(same_twice).
-export([compare/1, compiled/1]).

compare(X) -> {pair({X, 1}), pair({X, 2})}.

pair({X, X}) -> same;
pair({_, 2}) -> two;
pair({_, _}) -> other.

compiled(Spec) ->
    case compile(Spec) of
        {ok, Compiled} -> Compiled;
        badarg -> none
    end.

compile(Spec) ->
    try {ok, ets:match_spec_compile(Spec)}
    catch error:_ -> badarg
    end.
