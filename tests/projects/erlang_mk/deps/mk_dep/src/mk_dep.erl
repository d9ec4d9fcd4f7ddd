-module(mk_dep).
-export([one/0]).
one() -> 1.
