%% Timers that are set and cancelled, few of which fire.
-module(timers).
-export([main/0]).

main() -> cycle(300, 0).

cycle(0, Fired) -> Fired;
cycle(N, Fired) ->
    Refs = [erlang:send_after(1000000 + I, self(), late) || I <- lists:seq(1, 1000)],
    erlang:send_after(0, self(), now),
    receive now -> ok end,
    Left = [erlang:cancel_timer(R) || R <- Refs],
    cycle(N - 1, Fired + length([L || L <- Left, L =:= false]) + 1).
