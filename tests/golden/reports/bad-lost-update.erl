%% Read, then write through gen_server:call: a lost update.
%% RUN: fathom check -t bad-lost-update:t %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//' %t/out; exit $code
-module('bad-lost-update').
-behaviour(gen_server).
-include_lib("stdlib/include/assert.hrl").
-export([t/0, init/1, handle_call/3, handle_cast/2]).

t() ->
    {ok, Account} = gen_server:start_link(?MODULE, 0, []),
    Self = self(),
    [spawn_link(fun() -> deposit(Account, 10), Self ! done end) || _ <- [1, 2]],
    receive done -> ok end,
    receive done -> ok end,
    ?assertEqual(20, gen_server:call(Account, get)).

deposit(Account, Amount) ->
    Balance = gen_server:call(Account, get),
    ok = gen_server:call(Account, {set, Balance + Amount}).

init(Balance) -> {ok, Balance}.
handle_call(get, _From, Balance) -> {reply, Balance, Balance};
handle_call({set, New}, _From, _) -> {reply, ok, New}.
handle_cast(_, Balance) -> {noreply, Balance}.
%% EXIT: 2
