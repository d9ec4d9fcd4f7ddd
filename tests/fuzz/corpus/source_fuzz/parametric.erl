-module(param, [A, B]).
-extends(base).
f() -> {?BASE_MODULE, THIS, ?MODULE}.
-file("gen.erl", 1).
-export([]).
