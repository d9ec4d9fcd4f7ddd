%% Processes that run beside each other, and a test process that waits until all have ended.
%%
%% The test waits for each by the reference of its monitor, so no two of the 'DOWN' messages
%% could be taken by the same receive: waiting adds no interleavings.

together(Funs) -> join([spawn_monitor(Fun) || Fun <- Funs]).

join(Workers) ->
    lists:foreach(fun({Pid, Ref}) -> receive {'DOWN', Ref, process, Pid, _} -> ok end end, Workers).
