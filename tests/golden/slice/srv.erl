-module(srv).
-behaviour(gen_server).
-export([run/1, init/1, handle_call/3, handle_cast/2]).

run(N) ->
    {ok, P} = gen_server:start(?MODULE, N, []),
    gen_server:cast(P, {add, 3}),
    A = gen_server:call(P, get),
    B = A + 1,
    C = N * 2,
    {B, C}.

init(N) -> {ok, {N, 0}}.

handle_call(get, _From, {S, Calls}) -> {reply, S, {S, Calls + 1}}.

handle_cast({add, K}, {S, Calls}) -> {noreply, {S + K, Calls}}.
