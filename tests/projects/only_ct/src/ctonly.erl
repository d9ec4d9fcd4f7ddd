-module(ctonly).
-export([double/1]).
double(X) -> 2 * X.
