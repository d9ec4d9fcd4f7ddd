-module(way_statem_timeouts).
-compile([export_all,nowarn_export_all]).
-behaviour(gen_statem).
test() -> {ok, P} = gen_statem:start(?MODULE, [], []), gen_statem:cast(P, later),
    R = gen_statem:call(P, go), timer:sleep(5), gen_statem:stop(P), R.
init([]) -> {ok, idle, #{}}. callback_mode() -> state_functions.
idle(cast, later, D) -> {keep_state, D, [postpone]};
idle({call, From}, go, D) -> {next_state, busy, D#{from => From}, [{state_timeout, 1, {tick,
    fun() -> 7 end}}]}.
busy(cast, later, D) -> {keep_state, D#{later => true}};
busy(state_timeout, {tick, F}, #{from := From} = D) -> {next_state, done, D, [{reply, From,
    F()}, {{timeout, x}, 1, gen}]}.
done({timeout, x}, gen, _) -> keep_state_and_data.
