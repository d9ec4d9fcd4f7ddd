%% Clauses for all the rest, and those that only raise, are not findings.
-module(reached_clause).
-export([total/2]).

total(Sides, Other) -> extent({square, Sides}) + extent(Other) + kind(square) + edge(line).

extent({square, Side}) -> Side * Side;
extent({line, Length}) -> Length;
extent({circle, R}) -> R * R * 3.

kind(square) -> 4;
kind(circle) -> error(no_corners);
kind(_) -> 0.

edge(Kind) ->
    try lookup(Kind)
    catch
        error:badarith -> 0;
        throw:none -> 1
    end.

lookup(Kind) -> maps:get(Kind, #{line => 1}).
