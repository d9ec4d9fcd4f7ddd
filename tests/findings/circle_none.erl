%% The price list asks the stock, which asks nobody, and only tells the price list.
%% ENTRY circle_none:main
%% WITH line_stock
-module(circle_none).
-behaviour(gen_server).
-export([main/0, price/1, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, _} = gen_server:start_link({local, prices}, ?MODULE, [], []),
    {ok, _} = gen_server:start_link({local, stock}, line_stock, [], []),
    price(apples),
    line_stock:value(apples).

price(What) -> gen_server:call(prices, {price, What}).

init([]) -> {ok, []}.

handle_call({price, What}, _From, State) -> {reply, 10 - line_stock:count(What), State}.

handle_cast(_, State) -> {noreply, State}.
