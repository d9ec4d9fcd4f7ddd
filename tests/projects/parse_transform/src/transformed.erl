-module(transformed).
-export([name/0]).
name() -> '$module'.
