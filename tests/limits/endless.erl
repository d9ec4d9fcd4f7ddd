%% Programs that do not end, or not soon, each in its own way. cases.txt says with which limits
%% they are run.
-module(endless).
-export([count/0, deep/0, garbage/0, list/0, timer/0, timeouts/0, flood/0, interleavings/0,
         relay/0, spawning/0, seq/0, copy/0, product/0, backtracking/0, external/0, equal/0,
         hash/0, append/0, member/0, sort/0, text/0, atoms/0, table/0, output/0, mailbox/0,
         replies/0]).

%% --- Processes

count() ->
    [spawn(fun() -> count(1000000000000) end) || _ <- lists:seq(1, 4)],
    receive never -> ok end.

count(0) -> ok;
count(N) -> count(N - 1).

%% A server that re-arms its timer.
timer() ->
    spawn(fun() -> tick() end),
    receive never -> ok end.

tick() ->
    erlang:send_after(10, self(), tick),
    receive tick -> tick() end.

timeouts() ->
    receive never -> ok after 10 -> timeouts() end.

flood() ->
    flood(spawn(fun() -> receive never -> ok end end), 0).

flood(Pid, N) ->
    Pid ! {message, N},
    flood(Pid, N + 1).

%% Looks through a long mailbox, again and again.
mailbox() ->
    [self() ! {message, N} || N <- lists:seq(1, 100000)],
    search().

search() ->
    receive never -> ok after 0 -> search() end.

%% The same for a reference, which any of the messages might have.
replies() ->
    Reference = make_ref(),
    [self() ! {message, N} || N <- lists:seq(1, 100000)],
    search(Reference).

search(Reference) ->
    receive {Reference, _} -> ok after 0 -> search(Reference) end.

%% 12 processes that write the same terms.
interleavings() ->
    Self = self(),
    Pids = [spawn(fun() -> write(N), Self ! {done, N} end) || N <- lists:seq(1, 12)],
    [receive {done, _} -> ok end || _ <- Pids],
    interleavings().

write(N) -> [persistent_term:put({?MODULE, Key}, N) || Key <- [1, 2, 3, 4]].

%% Each process lives for a moment.
relay() ->
    spawn(fun() -> relay([]) end),
    receive never -> ok end.

relay(_) -> spawn(fun() -> relay([]) end).

spawning() ->
    spawn(fun() -> receive never -> ok end end),
    spawning().

%% --- Stack and heap

deep() -> deep(0).

deep(N) -> 1 + deep(N + 1).

garbage() -> garbage([]).

garbage(_) -> garbage(lists:seq(1, 1000)).

list() -> list([], 0).

list(L, N) -> list([{N, N} | L], N + 1).

atoms() -> atoms(0).

atoms(N) -> atoms(N + 1, list_to_atom(integer_to_list(N))).

atoms(N, _) -> atoms(N).

table() -> table(ets:new(table, []), 0).

table(Table, N) ->
    ets:insert(Table, {N, N}),
    table(Table, N + 1).

output() ->
    io:put_chars(lists:duplicate(1000, $a)),
    output().

%% --- Functions that take long by themselves

seq() -> length(lists:seq(1, 1000000000)).

copy() -> copy([]).

copy(Binaries) -> copy([binary:copy(<<1>>, 10000000) | Binaries]).

product() -> product(7 bsl 10000000).

product(N) -> product((N * N) bsr 10000000).

backtracking() ->
    re:run(lists:duplicate(40, $a) ++ "!", "^(a+)+$"),
    backtracking().

%% Of 2^60 elements, in 60 cells.
shared() -> lists:foldl(fun(_, Term) -> [Term, Term] end, element, lists:seq(1, 60)).

external() -> byte_size(term_to_binary(shared())).

equal() -> shared() =:= shared().

hash() -> erlang:phash2(shared()).

append() -> append(lists:seq(1, 1000000)).

append(L) -> append(L, L ++ [end_of_list]).

append(L, _) -> append(L).

member() -> member(lists:seq(1, 1000000)).

member(L) -> member(L, lists:member(absent, L)).

member(L, false) -> member(L).

sort() -> lists:sort([N * 7919 rem 1000003 || N <- lists:seq(1, 100000000)]).

text() -> io_lib:format("~w", [shared()]).
