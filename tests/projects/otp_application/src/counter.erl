-module(counter).
-behaviour(gen_server).
-export([start_link/0, next/0, crash/0, init/1, handle_call/3, handle_cast/2]).
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
next() -> gen_server:call(?MODULE, next).
crash() -> gen_server:cast(?MODULE, crash).
init([]) -> {ok, application:get_env(counter_app, first, 0)}.
handle_call(next, _From, N) -> {reply, N, N + 1}.
handle_cast(crash, _) -> exit(crash).
