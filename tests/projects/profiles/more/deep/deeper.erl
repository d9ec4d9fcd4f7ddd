-module(deeper).
-export([value/0]).
value() -> 42.
