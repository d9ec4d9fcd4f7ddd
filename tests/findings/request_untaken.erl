%% A cast that the server has no clause for.
%% ENTRY request_untaken:main
%% FINDING message_not_taken 12
-module(request_untaken).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    ok = gen_server:call(Server, {add, 1}),
    gen_server:cast(Server, clear),
    gen_server:cast(Server, {clear, all}).

init(_) -> {ok, 0}.

handle_call({add, N}, _From, Sum) -> {reply, ok, Sum + N}.

handle_cast(clear, _Sum) -> {noreply, 0}.
