-module(way_logger_metadata).
-compile([export_all,nowarn_export_all]).
test() -> logger:set_process_metadata(#{f => fun() -> m end}),
    #{f := F} = logger:get_process_metadata(), F().
