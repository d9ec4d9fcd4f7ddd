%% The price list asks the stock, which asks the price list.
%% ENTRY circle_two:main
%% WITH circle_stock
%% FINDING circular_call 15
-module(circle_two).
-behaviour(gen_server).
-export([main/0, price/1, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, _} = gen_server:start_link({local, prices}, ?MODULE, [], []),
    {ok, _} = gen_server:start_link({local, stock}, circle_stock, [], []),
    price(apples),
    circle_stock:value(apples).

price(What) -> gen_server:call(prices, {price, What}).

init([]) -> {ok, []}.

handle_call({price, What}, _From, State) -> {reply, 10 - circle_stock:count(What), State}.

handle_cast(_, State) -> {noreply, State}.
