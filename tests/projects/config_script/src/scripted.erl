-module(scripted).
-export([all/0]).
-ifdef(from_config).
all() -> {?from_script, ?from_file}.
-endif.
