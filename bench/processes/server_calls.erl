%% Calls of a gen_server.
-module(server_calls).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Server} = gen_server:start_link(?MODULE, 0, []),
    Results = [gen_server:call(Server, {add, I}) || I <- lists:seq(1, 300000)],
    gen_server:stop(Server),
    lists:last(Results).

init(N) -> {ok, N}.
handle_call({add, I}, _From, N) -> {reply, N + I, N + I}.
handle_cast(_, N) -> {noreply, N}.
