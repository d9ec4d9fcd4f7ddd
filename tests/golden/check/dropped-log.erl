%% RUN: fathom check %s -t dropped-log:t | sed 's/;.*//'
-module('dropped-log').
-export([t/0, log/2]).

%% The handler would tell; but nothing is logged, and the verdict says so.
t() ->
    ok = logger:add_handler(own, ?MODULE, #{config => self()}),
    logger:error("something"),
    receive logged -> error(logged) after 0 -> ok end.

log(_, #{config := Pid}) -> Pid ! logged.
%% OUT: clean: 1 interleaving of dropped-log:t(), complete
%% OUT:   assuming: time-outs of 1000 ms or more fire only when no process can run
%% OUT:   assuming: signals to a process arrive in the order in which they are sent
%% OUT:   assuming: log events are dropped (--log runs OTP's logger)
