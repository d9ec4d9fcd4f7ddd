%% The same in one module: which clauses are for which server is not known.
%% ENTRY circle_shared:main
%% NOTE circular_call 17
%% NOTE circular_call 19
-module(circle_shared).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, _} = gen_server:start_link({local, prices}, ?MODULE, prices, []),
    {ok, _} = gen_server:start_link({local, stock}, ?MODULE, stock, []),
    gen_server:call(prices, {price, apples}),
    gen_server:call(stock, {value, apples}).

init(Kind) -> {ok, Kind}.

handle_call({price, What}, _From, Kind) -> {reply, gen_server:call(stock, {count, What}), Kind};
handle_call({count, _}, _From, Kind) -> {reply, 3, Kind};
handle_call({value, What}, _From, Kind) -> {reply, gen_server:call(prices, {price, What}), Kind}.

handle_cast(_, Kind) -> {noreply, Kind}.
