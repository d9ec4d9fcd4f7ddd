-module(way_event_handler).
-compile([export_all,nowarn_export_all]).
-behaviour(gen_event).
test() -> {ok, E} = gen_event:start(), gen_event:add_handler(E, {?MODULE, 1}, self()),
    gen_event:notify(E, {ev, fun() -> z end}), gen_event:sync_notify(E, other),
    R = gen_event:call(E, {?MODULE, 1}, q), receive {h, V} -> {V, R} end, gen_event:stop(E).
init(P) -> {ok, P}. handle_event({ev, F}, P) -> P ! {h, F()}, {ok, P}; handle_event(other,
    _) -> remove_handler. handle_call(q, P) -> {ok, r, P}. terminate(_, _) -> ok.
