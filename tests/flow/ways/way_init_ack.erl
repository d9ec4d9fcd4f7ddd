-module(way_init_ack).
-compile([export_all,nowarn_export_all]).
test() -> {ok, P} = proc_lib:start_link(?MODULE, init, [self(), fun() -> i end]), P ! stop.
init(Parent, F) -> F(), proc_lib:init_ack(Parent, {ok, self()}), receive stop -> ok end.
