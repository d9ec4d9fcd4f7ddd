-module(store).
-behaviour(gen_server).
-export([t/0, init/1, handle_call/3, handle_cast/2]).

t() ->
    {ok, S} = gen_server:start_link(?MODULE, [], []),
    gen_server:cast(S, {put, a, 1}),
    gen_server:cast(S, {put, b, zero}),
    gen_server:cast(S, touch),
    V = gen_server:call(S, {get, b}),
    10 div V.

init([]) -> {ok, {#{}, 0}}.

handle_call({get, K}, _From, {Map, N}) -> {reply, maps:get(K, Map), {Map, N}}.

handle_cast(touch, {Map, N}) -> {noreply, {Map, N + 1}};
handle_cast({put, K, V}, {Map, N}) -> {noreply, {Map#{K => V}, N}}.
