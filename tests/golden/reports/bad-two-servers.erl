%% Two servers that call each other: a deadlock.
%% RUN: fathom check -t bad-two-servers:t %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//' %t/out; exit $code
-module('bad-two-servers').
-behaviour(gen_server).
-export([t/0, init/1, handle_call/3, handle_cast/2]).

t() ->
    {ok, Stock} = gen_server:start(?MODULE, none, []),
    {ok, Orders} = gen_server:start(?MODULE, Stock, []),
    gen_server:cast(Stock, {partner, Orders}),
    gen_server:call(Orders, order, infinity).

init(Partner) -> {ok, Partner}.

handle_call(order, _From, Stock) ->
    {reply, gen_server:call(Stock, reserve, infinity), Stock};
handle_call(reserve, _From, Orders) ->
    {reply, gen_server:call(Orders, confirm, infinity), Orders};
handle_call(confirm, _From, Partner) ->
    {reply, ok, Partner}.

handle_cast({partner, Partner}, _) -> {noreply, Partner}.
%% EXIT: 2
