-module(modes_helper).
-export([expected/0]).
expected() -> [plain, from_eunit_compile_opts, in_test].
