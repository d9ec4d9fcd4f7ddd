-module(open_tally).
-behaviour(gen_server).
-export([run/0, items/1, hits/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(state, {items = [], log = [], hits = 0}).

run() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    gen_server:cast(S, {add, 1}),
    gen_server:cast(S, {add, 2}),
    Items = gen_server:call(S, items),
    Hits = gen_server:call(S, hits),
    io:format("~p~n", [Hits]),
    N = length(Items),
    N.

init([]) -> {ok, #state{}}.

handle_call(items, _From, State = #state{items = Items, hits = H}) ->
    {reply, lists:reverse(Items), State#state{hits = H + 1}};
handle_call(hits, _From, State = #state{hits = H, log = Log}) ->
    {reply, H, State#state{log = [hits | Log]}}.

handle_cast({add, X}, State = #state{items = Items, log = Log}) ->
    {noreply, State#state{items = [X | Items], log = [{added, X} | Log]}}.
items(S) -> gen_server:call(S, items).
hits(S) -> gen_server:call(S, hits).
