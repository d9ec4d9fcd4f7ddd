-module(way_statem_with_funs).
-behaviour(gen_statem).
-export([test/0, init/1, callback_mode/0, idle/3, busy/3, terminate/3]).
-record(d, {fs = #{}, n = 0, log = []}).
test() ->
    {ok, P} = gen_statem:start_link(?MODULE, [fun(X) -> X + 1 end], []),
    ok = gen_statem:call(P, {add, a, fun(X) -> {wrapped, X} end}),
    gen_statem:cast(P, work),
    R1 = gen_statem:call(P, {run, a, 3}),
    P ! {note, fun() -> noted end},
    R2 = gen_statem:call(P, last),
    F = gen_statem:call(P, {get, a}),
    R3 = F(R2),
    gen_statem:stop(P),
    {R1, R2, R3}.
callback_mode() -> [state_functions, state_enter].
init([F]) -> {ok, idle, #d{fs = #{first => F}}, [{next_event, internal, {boot, F}}]}.
idle(enter, _Old, D) -> {keep_state, D, [{state_timeout, 50, {tick, fun() -> tock end}}]};
idle(internal, {boot, F}, D) -> {keep_state, D#d{n = F(1)}};
idle({call, From}, {add, K, F}, D = #d{fs = Fs}) -> {keep_state, D#d{fs = Fs#{K => F}}, [{reply, From, ok}]};
idle(cast, work, D) -> {next_state, busy, D, [{{timeout, back}, 10, {go, D#d.n}}]};
idle({call, From}, {run, K, A}, #d{fs = Fs}) -> F = maps:get(K, Fs), {keep_state_and_data, [{reply, From, F(A)}]};
idle({call, From}, last, #d{log = [F | _]}) -> {keep_state_and_data, {reply, From, F()}};
idle({call, _}, last, #d{log = []}) -> {keep_state_and_data, [postpone]};
idle({call, From}, {get, K}, #d{fs = Fs}) -> {keep_state_and_data, [{reply, From, maps:get(K, Fs)}]};
idle(info, {note, F}, D) -> {keep_state, D#d{log = [F | D#d.log]}};
idle(state_timeout, {tick, F}, D) -> F(), {keep_state, D};
idle(_, _, D) -> {keep_state, D}.
busy(enter, idle, _D) -> keep_state_and_data;
busy({timeout, back}, {go, N}, D) -> {next_state, idle, D#d{n = N * 2}};
busy(_, _, _) -> {keep_state_and_data, [postpone]}.
terminate(Reason, State, #d{log = L}) -> [F() || F <- L], {Reason, State}.
