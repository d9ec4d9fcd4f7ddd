%% File system: each process gives a block to its inode, if that has none; blocks and inodes
%% have a lock each. (From Flanagan, Godefroid: Dynamic partial-order reduction for model
%% checking software, POPL 2005; 26 blocks, 32 inodes.)
%%
%% A lock is a process here, which grants itself to who asks first: asking is a message, so
%% nobody spins, and two that want one lock make two interleavings.
%%
%% Process I takes inode I and starts to look for a block at 2 I rem 26. For 13 processes
%% these are all different and even. Process I >= 13 begins where process I - 13 does; who
%% comes second finds the block busy and takes the next, an odd one, which nobody else wants.
%% So there is one contested lock for each process from the 14th on, in either order each:
%% N processes have 2^(N - 13): 2, 8, 32, 64 for 14, 16, 18, 19.
-module(file_system).
-export([test/1]).

-include("together.hrl").

-define(BLOCKS, 26).
-define(INODES, 32).

test(N) ->
    Disk = ets:new(disk, [public]),
    ets:insert(Disk, [{{inode, I}, none} || I <- lists:seq(0, ?INODES - 1)]),
    ets:insert(Disk, [{{busy, B}, false} || B <- lists:seq(0, ?BLOCKS - 1)]),
    Inodes = [spawn(fun free/0) || _ <- lists:seq(1, ?INODES)],
    Blocks = [spawn(fun free/0) || _ <- lists:seq(1, ?BLOCKS)],
    together([fun() -> user(Disk, list_to_tuple(Inodes), list_to_tuple(Blocks), T rem ?INODES) end
              || T <- lists:seq(0, N - 1)]),
    [Lock ! remove || Lock <- Inodes ++ Blocks],
    %% Each process has a block of its own.
    Given = [ets:lookup_element(Disk, {inode, I}, 2) || I <- lists:seq(0, N - 1)],
    N = length(lists:usort(Given -- [none])).

user(Disk, Inodes, Blocks, I) ->
    Lock = element(I + 1, Inodes),
    acquire(Lock),
    case get_value(Disk, {inode, I}) of
        none -> ets:insert(Disk, {{inode, I}, find_block(Disk, Blocks, I * 2 rem ?BLOCKS)});
        _ -> ok
    end,
    release(Lock).

find_block(Disk, Blocks, B) ->
    Lock = element(B + 1, Blocks),
    acquire(Lock),
    Busy = get_value(Disk, {busy, B}),
    Busy orelse ets:insert(Disk, {{busy, B}, true}),
    release(Lock),
    case Busy of
        true -> find_block(Disk, Blocks, (B + 1) rem ?BLOCKS);
        false -> B
    end.

get_value(Disk, Key) -> ets:lookup_element(Disk, Key, 2).

%% ---- Locks

free() ->
    receive
        {acquire, Who} -> Who ! {acquired, self()}, taken(Who);
        remove -> ok
    end.

taken(Who) -> receive {release, Who} -> free() end.

acquire(Lock) ->
    Lock ! {acquire, self()},
    receive {acquired, Lock} -> ok end.

release(Lock) -> Lock ! {release, self()}.
