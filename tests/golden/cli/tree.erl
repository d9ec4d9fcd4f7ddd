%% The tree of a small module: names, spans, and what came out of a macro.
%% RUN: fathom parse %s
-module(tree).
-export([area/1]).
-define(PI, 3.14).

-type shape() :: {circle, number()} | {square, number()}.

-spec area(shape()) -> number().
area({circle, R}) -> ?PI * R * R;
area({square, A}) when A >= 0 -> A * A.
