%% A server that calls itself by its name.
%% ENTRY circle_self:main
%% FINDING circular_call 14
-module(circle_self).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, _} = gen_server:start_link({local, ?MODULE}, ?MODULE, [], []),
    gen_server:call(?MODULE, total).

init([]) -> {ok, [1, 2]}.

handle_call(total, _From, Items) -> {reply, length(gen_server:call(?MODULE, items)), Items};
handle_call(items, _From, Items) -> {reply, Items, Items}.

handle_cast(_, Items) -> {noreply, Items}.
