%% The stock of circle_two.
-module(circle_stock).
-behaviour(gen_server).
-export([count/1, value/1, init/1, handle_call/3, handle_cast/2]).

count(What) -> gen_server:call(stock, {count, What}).

value(What) -> gen_server:call(stock, {value, What}).

init([]) -> {ok, []}.

handle_call({count, _}, _From, State) -> {reply, 3, State};
handle_call({value, What}, _From, State) -> {reply, 3 * circle_two:price(What), State}.

handle_cast(_, State) -> {noreply, State}.
