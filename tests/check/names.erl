%% Races for names. In each pair the first has an error in some interleavings, the second in
%% none. Counts: which of two events comes first, wherever that can be seen.
-module(names).
-export([dead_before_registered_bug/0, dead_before_registered_fix/0]).
-export([whereis_then_send_bug/0, whereis_then_send_fix/0]).
-export([successor_bug/0, successor_fix/0]).
-export([two_owners_bug/0, two_owners_fix/0]).
-export([send_before_registered_bug/0, send_before_registered_fix/0]).
-export([unregister_twice_bug/0]).

-include("together.hrl").

%% The process may have ended when the test registers it: before or after, 2.
dead_before_registered_bug() ->
    P = spawn(fun() -> ok end),
    register(short, P).

%% It stays until it is told to go: 1.
dead_before_registered_fix() ->
    {P, R} = spawn_monitor(fun() -> receive go -> ok end end),
    register(short, P),
    short ! go,
    join([{P, R}]).

%% The server may end between looking for its name and sending to it. Its end comes before the
%% look, between the two, or behind both: 3.
whereis_then_send_bug() ->
    S = spawn(fun() -> receive stop -> ok end end),
    register(server, S),
    together([fun() -> S ! stop end,
              fun() -> whereis(server) =:= undefined orelse (server ! hello) end]).

%% Sending to the pid does no harm. The end comes before the look or behind it: 2.
whereis_then_send_fix() ->
    S = spawn(fun() -> receive stop -> ok end end),
    register(server, S),
    together([fun() -> S ! stop end,
              fun() ->
                  case whereis(server) of
                      undefined -> ok;
                      Pid -> Pid ! hello
                  end
              end]).

%% The new owner of a name does not wait until the old one has given it up: 2.
successor_bug() ->
    Me = self(),
    Old = spawn_monitor(fun() ->
                            register(owner, self()),
                            Me ! registered,
                            receive resign -> unregister(owner) end
                        end),
    receive registered -> ok end,
    New = spawn_monitor(fun() -> register(owner, self()) end),
    element(1, Old) ! resign,
    join([Old, New]).

%% It waits for its end: 1.
successor_fix() ->
    Me = self(),
    Old = spawn_monitor(fun() ->
                            register(owner, self()),
                            Me ! registered,
                            receive resign -> ok end
                        end),
    receive registered -> ok end,
    element(1, Old) ! resign,
    join([Old]),
    together([fun() -> register(owner, self()) end]).

%% Who comes second is refused, unless the first has ended meanwhile. One registers itself
%% before the other (2), and then that one's end comes before or behind the other's attempt:
%% 4 in all, 2 of them with an error.
two_owners_bug() ->
    together([fun() -> register(only, self()) end || _ <- [1, 2]]).

%% Who is refused lives with it: 4.
two_owners_fix() ->
    together([fun() -> catch register(only, self()) end || _ <- [1, 2]]).

%% A message by a name that is not given yet: 2.
send_before_registered_bug() ->
    P = spawn_monitor(fun() -> register(late, self()), receive hello -> ok end end),
    late ! hello,
    join([P]).

%% The process says when it has its name: 1.
send_before_registered_fix() ->
    Me = self(),
    P = spawn_monitor(fun() -> register(late, self()), Me ! ready, receive hello -> ok end end),
    receive ready -> ok end,
    late ! hello,
    join([P]).

%% Two processes take one name away; the second finds none, in both orders: 2.
unregister_twice_bug() ->
    register(mine, self()),
    together([fun() -> unregister(mine) end || _ <- [1, 2]]).
