-module(mk).
-export([flag/0]).
-include("mk.hrl").
-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").
inside_test() -> ?assertEqual(4, flag()).
-endif.
-ifndef(flag).
-define(flag, ?DEFAULT).
-endif.
flag() -> ?flag.
