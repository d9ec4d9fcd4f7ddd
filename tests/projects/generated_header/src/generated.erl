-module(generated).
-export([build/0]).
-include("build.hrl").
build() -> ?BUILD.
