%% Processes that share something: locks, buffers, counters, a stack, a token.
-module(sharing).
-export([philosophers_bug/1, philosophers_fix/1, mutex_bug/0, mutex_fix/1, spin_lock/0]).
-export([readers_writer_bug/0, readers_writer_fix/1, buffer/2, stack_bug/0, stack_fix/1]).
-export([election/1, barrier_bug/0, barrier_fix/1, swap_bug/0]).

-include("together.hrl").

%% ---- Locks: a process that is free or held

lock() -> spawn(fun free/0).

free() ->
    receive
        {acquire, Who} -> Who ! {granted, self()}, receive {release, Who} -> free() end;
        remove -> ok
    end.

acquire(Lock) ->
    Lock ! {acquire, self()},
    receive {granted, Lock} -> ok end.

release(Lock) -> Lock ! {release, self()}.

%% Philosophers take the fork on their left, then that on their right. All may hold their left
%% one: a deadlock, and the forks are stuck with them.
%% Each fork is asked for by two, and is granted to one of them first: 2^N ways. In one of
%% them each has his left fork first: the deadlock. In another each has his right fork first,
%% and that one cannot be, since nobody asks for his right fork before he has his left one.
%% 2^N - 1. (N = 2: both want both forks.)
philosophers_bug(N) -> dine(N, fun(Left, Right) -> {Left, Right} end).

%% All take the fork with the smaller pid first. Forks are started in turn, so it is the last
%% philosopher who takes his right one first. Neither circle can be: 2^N - 2.
philosophers_fix(N) -> dine(N, fun(Left, Right) -> {min(Left, Right), max(Left, Right)} end).

dine(N, Order) ->
    Forks = [lock() || _ <- lists:seq(1, N)],
    together([fun() ->
                  {A, B} = Order(Left, Right),
                  acquire(A),
                  acquire(B),
                  release(A),
                  release(B)
              end || {Left, Right} <- lists:zip(Forks, tl(Forks) ++ [hd(Forks)])]),
    [Fork ! remove || Fork <- Forks].

%% Two processes read, add and write without a lock. Both read first, and then write the same,
%% in whichever order: 1, which is wrong. Or one process after the other: 2. 3 in all.
mutex_bug() -> count(2, fun(Add) -> Add() end).

%% N processes, one at a time: N!.
mutex_fix(N) ->
    Lock = lock(),
    count(N, fun(Add) -> acquire(Lock), Add(), release(Lock) end),
    Lock ! remove.

count(N, Guarded) ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    Add = fun() -> ets:insert(T, {n, ets:lookup_element(T, n, 2) + 1}) end,
    together([fun() -> Guarded(Add) end || _ <- lists:seq(1, N)]),
    N = ets:lookup_element(T, n, 2).

%% Two processes that take a lock by insert_new, once each, and leave if it is held. A takes it
%% before B or B before A; then who comes second comes before the release or behind it: 4.
spin_lock() ->
    T = ets:new(t, [public]),
    together([fun() -> ets:insert_new(T, {lock}) andalso ets:delete(T, lock) end || _ <- [1, 2]]).

%% ---- Readers and writers

%% A writer changes two keys, which must agree. Each of the reader's two looks comes before or
%% behind the write of its key. All combinations are possible: old and new if both writes lie
%% between the looks, new and old if both looks lie between the writes. 4, 2 with an error.
readers_writer_bug() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{a, 0}, {b, 0}]),
    together([fun() -> ets:insert(T, {a, 1}), ets:insert(T, {b, 1}) end,
              fun() -> [{a, X}] = ets:lookup(T, a), [{b, X}] = ets:lookup(T, b) end]).

%% Both keys in one write, and N readers that read a whole table at once: 2^N.
readers_writer_fix(N) ->
    T = ets:new(t, [public]),
    ets:insert(T, [{a, 0}, {b, 0}]),
    together([fun() -> ets:insert(T, [{a, 1}, {b, 1}]) end |
              [fun() -> [[X, X]] = [[Y || {_, Y} <- ets:match_object(T, '_')]] end
               || _ <- lists:seq(1, N)]]).

%% ---- A bounded buffer between one producer and one consumer, with room for Room

%% The buffer takes what is next whenever it can: from the producer if there is room, from the
%% consumer if there is something. With room for one, producer and consumer take turns: 1.
%% With room for all of N, each of the N requests of the consumer may come at any time: the
%% buffer sees an order of N puts and N gets in which no get is taken before its put. These
%% are the Catalan numbers: 1, 2, 5, 14.
buffer(N, Room) ->
    Buffer = spawn(fun() -> buffer_loop([], Room, 2 * N) end),
    together([fun() ->
                  [begin Buffer ! {put, self(), I}, receive {done, Buffer} -> ok end end
                   || I <- lists:seq(1, N)]
              end,
              fun() ->
                  [begin Buffer ! {get, self()}, receive {Buffer, I} -> ok end end
                   || I <- lists:seq(1, N)]
              end]).

buffer_loop(_, _, 0) -> ok;
buffer_loop(Items, Room, Left) ->
    receive
        {put, From, I} when length(Items) < Room ->
            From ! {done, self()},
            buffer_loop(Items ++ [I], Room, Left - 1);
        {get, From} when Items =/= [] ->
            From ! {self(), hd(Items)},
            buffer_loop(tl(Items), Room, Left - 1)
    end.

%% ---- A stack, in one cell

%% Two pushes by read and write; one may be lost. As mutex_bug: 4, 2 with an error.
stack_bug() ->
    T = ets:new(t, [public]),
    ets:insert(T, {stack, []}),
    together([fun() -> ets:insert(T, {stack, [I | ets:lookup_element(T, stack, 2)]}) end
              || I <- [1, 2]]),
    2 = length(ets:lookup_element(T, stack, 2)).

%% Pushes by compare and swap, tried again until one succeeds. For two: the reads commute. One
%% process is done before the other reads: 2. Or both read the old value, and then one swap
%% succeeds and the other fails, whose process reads and swaps again: 2. A read between the
%% other's read and swap makes no third way, since then both have read the old value: 4.
stack_fix(N) ->
    T = ets:new(t, [public]),
    ets:insert(T, {stack, []}),
    together([fun() -> push(T, I) end || I <- lists:seq(1, N)]),
    N = length(ets:lookup_element(T, stack, 2)).

push(T, I) ->
    Old = ets:lookup_element(T, stack, 2),
    Swap = [{{stack, Old}, [], [{{stack, {const, [I | Old]}}}]}],
    ets:select_replace(T, Swap) =:= 1 orelse push(T, I).

%% Two cells are exchanged by two processes without a lock, in opposite order: A reads 1, reads
%% 2, writes 1, writes 2; B reads 2, reads 1, writes 2, writes 1. On each cell A may be done
%% before B begins, or B before A, or both read first and then A writes before B or B before
%% A. For cells 1 and 2 together, if A is done with cell 1 first: all but "B done with cell 2
%% first" (3). If B is done with cell 1, which it writes last, it was with cell 2 (1). If A
%% writes cell 1 first behind both reads: all but "A done with cell 2 first" (3). If B does: B
%% has written cell 2 before, and A reads it before or behind that (2). Together 9; but where
%% both have read both cells first (3 of them), they write the same, in whichever order: 7.
%% The cells are equal at the end if only one has been read by both before it was written.
swap_bug() ->
    A = atomics:new(2, []),
    atomics:put(A, 1, 1),
    atomics:put(A, 2, 2),
    Swap = fun(I, J) ->
               X = atomics:get(A, I),
               Y = atomics:get(A, J),
               atomics:put(A, I, Y),
               atomics:put(A, J, X)
           end,
    together([fun() -> Swap(1, 2) end, fun() -> Swap(2, 1) end]),
    true = lists:member([atomics:get(A, 1), atomics:get(A, 2)], [[1, 2], [2, 1]]).

%% ---- Agreement

%% Leader election on a ring: each process sends its number on, and passes on numbers that are
%% larger than its own; who gets its own number is the leader, and tells the others. Each
%% process has messages from one other only, in the order of sending: 1.
election(N) ->
    Me = self(),
    Ring = [spawn_monitor(fun() -> receive {next, Next} -> candidate(I, Next, Me) end end)
            || I <- lists:seq(1, N)],
    Pids = [P || {P, _} <- Ring],
    [P ! {next, Next} || {P, Next} <- lists:zip(Pids, tl(Pids) ++ [hd(Pids)])],
    receive {leader, N} -> ok end,
    join(Ring).

candidate(I, Next, Test) ->
    Next ! {number, I},
    candidate_loop(I, Next, Test).

candidate_loop(I, Next, Test) ->
    receive
        {number, I} -> Test ! {leader, I}, Next ! over, receive over -> ok end;
        {number, J} when J > I -> Next ! {number, J}, candidate_loop(I, Next, Test);
        {number, _} -> candidate_loop(I, Next, Test);
        over -> Next ! over
    end.

%% Each of two processes writes its own key and then reads the other's. Each read comes before
%% or behind the other's write, and both before is impossible: 3. One of them fails if the
%% other has not written yet.
barrier_bug() ->
    T = ets:new(t, [public]),
    together([fun() -> ets:insert(T, {I}), [_] = ets:lookup(T, J) end || {I, J} <- [{1, 2}, {2, 1}]]).

%% N processes report to one that lets them go when all have come. Their words are taken in the
%% order of coming: N!.
barrier_fix(N) ->
    T = ets:new(t, [public]),
    Gate = spawn(fun() ->
                     Ps = [receive {here, P} -> P end || _ <- lists:seq(1, N)],
                     [P ! open || P <- Ps]
                 end),
    together([fun() ->
                  ets:insert(T, {I}),
                  Gate ! {here, self()},
                  receive open -> ok end,
                  [_] = ets:lookup(T, I rem N + 1)
              end || I <- lists:seq(1, N)]).
