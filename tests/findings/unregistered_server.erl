%% No server has that name.
%% ENTRY unregistered_server:main
%% FINDING unregistered_name 10
-module(unregistered_server).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, _} = gen_server:start_link({local, ?MODULE}, ?MODULE, [], []),
    gen_server:call(unregistered, get).

init([]) -> {ok, 0}.

handle_call(_, _From, N) -> {reply, N, N}.

handle_cast(_, N) -> {noreply, N}.
