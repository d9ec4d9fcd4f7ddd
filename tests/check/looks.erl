%% What one process sees of another's own affairs, or does to them from outside: its tables while it
%% ends, the order of its messages, its dictionary, its group leader, whether it runs. Each test
%% that is said to be a bug fails on OTP too; tests/differential/endings_test.escript sees to that.
-module(looks).
-export([deleted_by_other_bug/0, deleted_by_other_fix/0, made_again_bug/0, made_again_fix/0,
         fixed_and_deleted_bug/0, fixed_and_deleted_fix/0,
         message_order_bug/0, message_order_fix/0, overtaken_bug/0, overtaken_fix/0,
         dictionary_bug/0, dictionary_fix/0, leader_bug/0, leader_fix/0,
         inherited_leader_bug/0, inherited_leader_fix/0,
         equal_keys_bug/0, equal_keys_fix/0, equal_in_list_bug/0, equal_in_map_bug/0,
         suspended_bug/0, suspended_fix/0, waiting_suspended_bug/0, priority_bug/0, priority_fix/0,
         leader_of_ending_bug/0, leader_of_ended_fix/0]).
-include("together.hrl").

%% It ends when it has said which table is its own; or when it is told to.
owner(Options) ->
    Self = self(),
    Pid = spawn(fun() ->
        Table = ets:new(again, [public | Options]),
        Self ! {table, Table},
        ok
    end),
    receive {table, Table} -> {Pid, Table} end.

patient_owner(Options) ->
    Self = self(),
    Pid = spawn(fun() -> Self ! {table, ets:new(again, [public | Options])}, receive stop -> ok end end),
    receive {table, Table} -> {Pid, Table} end.

%% 2: the table is deleted, or its owner, which ends, has given it up before.
deleted_by_other_bug() ->
    {_, Table} = owner([]),
    ets:delete(Table).

deleted_by_other_fix() ->
    {Pid, Table} = patient_owner([]),
    ets:delete(Table),
    Pid ! stop.

%% 2: the same. Either way the name is free then.
made_again_bug() ->
    {_, Table} = owner([named_table]),
    ets:delete(Table),
    ets:new(again, [named_table]).

made_again_fix() ->
    {Pid, Table} = patient_owner([named_table]),
    ets:delete(Table),
    Pid ! stop,
    ets:new(again, [named_table]).

%% 3: the table, which nobody fixes any more, is deleted before the look, after it, or too late: when
%% its owner has given it up.
fixed_and_deleted_bug() ->
    Table = ets:new(table, [public]),
    {Pid, Reference} = spawn_monitor(fun() -> ets:safe_fixtable(Table, true) end),
    receive {'DOWN', Reference, process, Pid, _} -> ok end,
    spawn(fun() -> ets:delete(Table) end),
    false = ets:info(Table, fixed).

fixed_and_deleted_fix() ->
    Table = ets:new(table, [public]),
    together([fun() -> ets:safe_fixtable(Table, true) end]),
    false = ets:info(Table, fixed).

%% 6: 1 and the 'DOWN' of its sender, 2 and that of its sender, in all orders: 4! / (2! * 2!).
message_order_bug() ->
    Self = self(),
    together([fun() -> Self ! 1 end, fun() -> Self ! 2 end]),
    {messages, [1, 2]} = process_info(self(), messages).

message_order_fix() ->
    Self = self(),
    together([fun() -> Self ! 1 end, fun() -> Self ! 2 end]),
    {messages, Messages} = process_info(self(), messages),
    [1, 2] = lists:sort(Messages).

%% 4: b comes before a, between a and go, between go and the look, or later.
overtaken_bug() ->
    Self = self(),
    spawn(fun() -> Self ! a, Self ! go end),
    spawn(fun() -> Self ! b end),
    receive go -> ok end,
    {messages, [a | _]} = process_info(self(), messages).

overtaken_fix() ->
    Self = self(),
    spawn(fun() -> Self ! a, Self ! go end),
    spawn(fun() -> Self ! b end),
    receive go -> ok end,
    {messages, Messages} = process_info(self(), messages),
    true = lists:member(a, Messages).

%% 2: before put/2 or after it.
dictionary_bug() ->
    Pid = spawn(fun() -> put(state, ready), receive stop -> ok end end),
    Look = process_info(Pid, dictionary),
    Pid ! stop,
    {dictionary, [{state, ready}]} = Look.

dictionary_fix() ->
    Self = self(),
    Pid = spawn(fun() -> put(state, ready), Self ! up, receive stop -> ok end end),
    receive up -> ok end,
    Look = process_info(Pid, dictionary),
    Pid ! stop,
    {dictionary, [{state, ready}]} = Look.

%% 2: it asks before it has got another leader, or after.
leader_bug() ->
    Self = self(),
    Leader = spawn(fun() -> receive stop -> ok end end),
    Pid = spawn(fun() -> Self ! {leader, group_leader()}, receive stop -> ok end end),
    group_leader(Leader, Pid),
    is_told(Leader, [Leader, Pid]).

leader_fix() ->
    Self = self(),
    Leader = spawn(fun() -> receive stop -> ok end end),
    Pid = spawn(fun() -> receive go -> Self ! {leader, group_leader()} end, receive stop -> ok end end),
    group_leader(Leader, Pid),
    Pid ! go,
    is_told(Leader, [Leader, Pid]).

is_told(Leader, Pids) ->
    Told = receive {leader, Pid} -> Pid end,
    [Pid ! stop || Pid <- Pids],
    Leader = Told.

%% The same with a child, which has the leader that its parent had when it was started. The child
%% asks what nobody changes.
inherited_leader_bug() ->
    Self = self(),
    Leader = spawn(fun() -> receive stop -> ok end end),
    Pid = spawn(fun() ->
        spawn(fun() -> Self ! {leader, group_leader()} end),
        receive stop -> ok end
    end),
    group_leader(Leader, Pid),
    is_told(Leader, [Leader, Pid]).

inherited_leader_fix() ->
    Self = self(),
    Leader = spawn(fun() -> receive stop -> ok end end),
    Pid = spawn(fun() ->
        receive go -> spawn(fun() -> Self ! {leader, group_leader()} end) end,
        receive stop -> ok end
    end),
    group_leader(Leader, Pid),
    Pid ! go,
    is_told(Leader, [Leader, Pid]).

%% 2: whichever insertion comes last; the keys are the same in an ordered_set.
equal_keys_bug() -> [{{1, a}, integer}] = inserted(ordered_set, {1, a}, {1.0, a}).
equal_in_list_bug() -> [{[x, 1], integer}] = inserted(ordered_set, [x, 1], [x, 1.0]).
equal_in_map_bug() -> [{#{a := 1}, integer}] = inserted(ordered_set, #{a => 1}, #{a => 1.0}).

%% 1: in a set they are two.
equal_keys_fix() -> [_, _] = inserted(set, {1, a}, {1.0, a}).

inserted(Type, Integer, Float) ->
    Table = ets:new(table, [public, Type]),
    together([fun() -> ets:insert(Table, {Integer, integer}) end, fun() -> ets:insert(Table, {Float, float}) end]),
    ets:tab2list(Table).

%% 4: it is suspended before it takes the message, before it ends, or too late: it has ended before
%% the call, or while the test waits for the answer.
suspended_bug() ->
    Pid = spawn(fun() -> receive go -> ok end end),
    spawn(fun() -> Pid ! go end),
    erlang:suspend_process(Pid).

suspended_fix() ->
    Self = self(),
    Pid = spawn(fun() -> receive go -> Self ! done end end),
    erlang:suspend_process(Pid),
    spawn(fun() -> Pid ! go end),
    erlang:resume_process(Pid),
    receive done -> ok end.

%% The test is suspended before it starts the second process; or while it waits, which gets a or
%% b first; or it has got b before, and is suspended before it ends, or too late. In the first
%% execution the test is suspended when the messages come: b could have come before. How many there
%% are is not derived: the signal and a are on their way.
waiting_suspended_bug() ->
    Self = self(),
    spawn(fun() -> erlang:suspend_process(Self), Self ! a end),
    spawn(fun() -> Self ! b end),
    receive _ -> ok end.

%% 2: any flag can be seen from outside.
priority_bug() ->
    Pid = spawn(fun() -> process_flag(priority, low), receive stop -> ok end end),
    Look = process_info(Pid, priority),
    Pid ! stop,
    {priority, low} = Look.

priority_fix() ->
    Self = self(),
    Pid = spawn(fun() -> process_flag(priority, low), Self ! up, receive stop -> ok end end),
    receive up -> ok end,
    Look = process_info(Pid, priority),
    Pid ! stop,
    {priority, low} = Look.

%% 4: the owner gets a group leader; its exit has begun, so that it gets none, but its table is there;
%% the table has gone meanwhile; or it was gone before.
leader_of_ending_bug() ->
    {Pid, Table} = owner([]),
    try group_leader(self(), Pid) catch error:badarg -> undefined = ets:info(Table) end.

%% Who waits for its end sees no table. 3: the monitor is set before the exit begins, or before the
%% table goes, or later.
leader_of_ended_fix() ->
    {Pid, Table} = owner([]),
    monitor(process, Pid),
    receive {'DOWN', _, process, Pid, _} -> ok end,
    try group_leader(self(), Pid) catch error:badarg -> undefined = ets:info(Table) end.
