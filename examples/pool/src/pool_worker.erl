%% Does one job at a time for its pool, to which it is linked. What a job throws or exits
%% with is what the worker dies of; the pool sees it.
-module(pool_worker).
-behaviour(gen_server).

-export([start_link/1, work/2]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link(Pool) -> gen_server:start_link(?MODULE, Pool, []).

work(Worker, Fun) -> gen_server:cast(Worker, {work, Fun}).

init(Pool) -> {ok, Pool}.

handle_call(_, _, Pool) -> {reply, {error, unknown_request}, Pool}.

handle_cast({work, Fun}, Pool) ->
    pool:finished(Pool, self(), run(Fun)),
    {noreply, Pool}.

%% No crash report: the client is told.
run(Fun) ->
    try Fun()
    catch
        throw:Value -> exit({shutdown, {nocatch, Value}});
        error:Reason -> exit({shutdown, Reason})
    end.
