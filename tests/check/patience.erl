%% Who gives up, and when: time-outs in a row count together, and a start that takes too long is no
%% error of the process that is killed for it.
-module(patience).
-export([tries_fix/0, tries_bug/0, start_fix/0, start_link_fix/0, slow/1, killed_spinner/0]).
-export([deadline_fix/0, early_bug/0]).

table() -> ets:new(table, [public]).

%% A hundred times 10 ms are a second: it gives up only when nobody else can run.
tries_fix() ->
    Table = table(),
    spawn(fun() -> ets:insert(Table, {ready}) end),
    try_until_ready(Table, 100, 10).

%% Three times are not.
tries_bug() ->
    Table = table(),
    spawn(fun() -> ets:insert(Table, {ready}) end),
    try_until_ready(Table, 3, 10).

try_until_ready(_, 0, _) -> exit(not_ready);
try_until_ready(Table, N, Pause) ->
    case ets:member(Table, ready) of
        true -> ok;
        false -> timer:sleep(Pause), try_until_ready(Table, N - 1, Pause)
    end.

%% proc_lib kills it: 1.
start_fix() -> {error, timeout} = proc_lib:start(?MODULE, slow, [self()], 1000), ok.

start_link_fix() ->
    process_flag(trap_exit, true),
    {error, timeout} = proc_lib:start_link(?MODULE, slow, [self()], 1000),
    ok.

slow(Parent) -> receive after 5000 -> proc_lib:init_ack(Parent, ok) end.

%% It looks until it is killed, however often that is: the monitor comes first, or never.
killed_spinner() ->
    Table = table(),
    Process = spawn(fun() -> spin(Table) end),
    Reference = monitor(process, Process),
    exit(Process, kill),
    receive {'DOWN', Reference, process, Process, killed} -> ok end.

spin(Table) ->
    case ets:member(Table, never) of
        true -> ok;
        false -> spin(Table)
    end.

%% Within bounds too: who looks at the clock to give up does so when nobody else can run.
deadline_fix() ->
    Table = table(),
    spawn(fun() -> ets:insert(Table, {one}), ets:insert(Table, {ready}) end),
    wait_until(Table, erlang:monotonic_time(millisecond) + 500).

wait_until(Table, End) ->
    case ets:member(Table, ready) of
        true -> ok;
        false ->
            case erlang:monotonic_time(millisecond) > End of
                true -> exit(too_late);
                false -> timer:sleep(10), wait_until(Table, End)
            end
    end.

%% It is ready before its data are there; found with two delays.
early_bug() ->
    Table = table(),
    spawn(fun() -> ets:insert(Table, {ready}), ets:insert(Table, {data}) end),
    try_until_ready(Table, 10, 200),
    true = ets:member(Table, data).
