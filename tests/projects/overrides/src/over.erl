-module(over).
-export([flags/0]).
flags() -> part:flags().
