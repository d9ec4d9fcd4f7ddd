-module(levels).
-export([next/0]).
-include("levels.hrl").
next() -> ?NEXT(?LEVEL).
