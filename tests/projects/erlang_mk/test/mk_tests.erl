-module(mk_tests).
-include_lib("eunit/include/eunit.hrl").
-include_lib("mk/include/mk.hrl").
flag_test() -> ?assertEqual(?DEFAULT, mk:flag()).
dep_test() -> ?assertEqual(1, mk_dep:one()).
