%% A pool of workers. The server keeps the idle workers and the jobs for which there is no
%% worker yet; of the two, one is always empty.
%%
%% A job is {Ref, Client, Fun}: Ref is a monitor of the client, so that a job nobody waits
%% for any more is dropped from the queue.
-module(pool).
-behaviour(gen_server).

-export([start_link/1, run/2, run/3, async/2, await/1, await/2, info/1, stop/1]).
-export([finished/3]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-export_type([result/0]).

-type pool() :: gen_server:server_ref().
-type result() :: {ok, term()} | {error, term()}.
-type job() :: {reference(), {pid(), reference()}, fun(() -> term())}.

-record(state, {idle = [] :: [pid()],
                busy = #{} :: #{pid() => job()},
                waiting = queue:new() :: queue:queue(job())}).

-spec start_link(pos_integer()) -> {ok, pid()}.
start_link(Size) when is_integer(Size), Size > 0 ->
    gen_server:start_link(?MODULE, Size, []).

%% The result of the job, once a worker has done it.
-spec run(pool(), fun(() -> term())) -> result().
run(Pool, Fun) -> run(Pool, Fun, 5000).

-spec run(pool(), fun(() -> term()), timeout()) -> result().
run(Pool, Fun, Timeout) -> await(async(Pool, Fun), Timeout).

%% Asks for a job to be done. The result comes as a message, for await/1.
-spec async(pool(), fun(() -> term())) -> reference().
async(Pool, Fun) when is_function(Fun, 0) ->
    Ref = make_ref(),
    gen_server:cast(Pool, {job, {self(), Ref}, Fun}),
    Ref.

-spec await(reference()) -> result().
await(Ref) -> await(Ref, 5000).

-spec await(reference(), timeout()) -> result().
await(Ref, Timeout) ->
    receive
        {?MODULE, Ref, Result} -> Result
    after Timeout ->
        {error, timeout}
    end.

-spec info(pool()) -> #{idle | busy | waiting => non_neg_integer()}.
info(Pool) -> gen_server:call(Pool, info).

-spec stop(pool()) -> ok.
stop(Pool) -> gen_server:stop(Pool).

%% For workers: the job is done.
finished(Pool, Worker, Result) -> gen_server:cast(Pool, {finished, Worker, Result}).

init(Size) ->
    process_flag(trap_exit, true),
    {ok, #state{idle = [new_worker() || _ <- lists:seq(1, Size)]}}.

handle_call(info, _From, #state{idle = Idle, busy = Busy, waiting = Waiting} = State) ->
    {reply, #{idle => length(Idle), busy => map_size(Busy), waiting => queue:len(Waiting)}, State}.

handle_cast({job, {Client, _} = To, Fun}, #state{waiting = Waiting} = State) ->
    Job = {monitor(process, Client), To, Fun},
    {noreply, hand_out(State#state{waiting = queue:in(Job, Waiting)})};
handle_cast({finished, Worker, Result}, #state{busy = Busy, idle = Idle} = State) ->
    case maps:take(Worker, Busy) of
        {Job, Rest} ->
            answer(Job, {ok, Result}),
            {noreply, hand_out(State#state{busy = Rest, idle = [Worker | Idle]})};
        error ->
            {noreply, State}
    end.

handle_info({'EXIT', Worker, Reason}, #state{busy = Busy, idle = Idle} = State) ->
    case maps:take(Worker, Busy) of
        {Job, Rest} ->
            answer(Job, {error, Reason}),
            {noreply, hand_out(State#state{busy = Rest, idle = [new_worker() | Idle]})};
        error ->
            case lists:member(Worker, Idle) of
                true -> {noreply, State#state{idle = [new_worker() | lists:delete(Worker, Idle)]}};
                false -> {stop, Reason, State}
            end
    end;
handle_info({'DOWN', Ref, process, _, _}, #state{waiting = Waiting} = State) ->
    {noreply, State#state{waiting = queue:filter(fun({R, _, _}) -> R =/= Ref end, Waiting)}}.

new_worker() ->
    {ok, Worker} = pool_worker:start_link(self()),
    Worker.

hand_out(#state{idle = [Worker | Idle], busy = Busy, waiting = Waiting} = State) ->
    case queue:out(Waiting) of
        {{value, {_, _, Fun} = Job}, Rest} ->
            pool_worker:work(Worker, Fun),
            hand_out(State#state{idle = Idle, busy = Busy#{Worker => Job}, waiting = Rest});
        {empty, _} ->
            State
    end;
hand_out(#state{idle = []} = State) ->
    State.

answer({Monitor, {Client, Ref}, _}, Result) ->
    demonitor(Monitor, [flush]),
    Client ! {?MODULE, Ref, Result},
    ok.
