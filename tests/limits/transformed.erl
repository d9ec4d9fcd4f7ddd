-module(transformed).
-compile({parse_transform, loop_transform}).
-export([t/0]).

t() -> ok.
