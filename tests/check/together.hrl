%% Processes that run beside each other, and a test process that waits until all have ended.
%%
%% The test waits for each by the reference of its monitor, so no two of the 'DOWN' messages
%% could be taken by the same receive: waiting adds no interleavings.

together(Funs) -> join([spawn_monitor(Fun) || Fun <- Funs]).

%% Who is told how a process has ended must look at it, else its exit is handled: when all have
%% ended, the test ends as the first of them that did not end normally.
join(Workers) ->
    Reasons = [receive {'DOWN', Ref, process, Pid, Reason} -> Reason end || {Pid, Ref} <- Workers],
    lists:foreach(fun(Reason) -> Reason =:= normal orelse exit(Reason) end, Reasons).
