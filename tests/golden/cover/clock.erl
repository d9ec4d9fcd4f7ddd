%% Messages that come from timers: which timer feeds which clause.
-module(clock).
-export([run/1]).

run(What) ->
    case What of
        tick -> erlang:send_after(5, self(), tick);
        alarm -> erlang:start_timer(5, self(), wake_up)
    end,
    receive
        tick -> ticked;
        {timeout, _, wake_up} -> woken
    end.
