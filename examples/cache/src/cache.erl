%% A cache. Its table has {Key, Value, End}: from the time End on the entry does not count,
%% whether or not it is still there. The server removes such entries now and then, and sees
%% to it that a missing value is computed once.
-module(cache).
-behaviour(gen_server).

-export([start_link/1, start_link/2, stop/1, put/3, put/4, get/2, fetch/3, delete/2, size/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-type name() :: atom().
-type options() :: #{ttl => pos_integer(), sweep => pos_integer()}.  % milliseconds

-record(state, {name :: name(),
                ttl :: pos_integer(),
                sweep :: pos_integer(),
                %% Who computes the value of a key, and who waits for it.
                makers = #{} :: #{reference() => term()},
                waiting = #{} :: #{term() => [gen_server:from()]}}).

-spec start_link(name()) -> {ok, pid()} | {error, term()}.
start_link(Name) -> start_link(Name, #{}).

-spec start_link(name(), options()) -> {ok, pid()} | {error, term()}.
start_link(Name, Options) -> gen_server:start_link({local, Name}, ?MODULE, {Name, Options}, []).

-spec stop(name()) -> ok.
stop(Name) -> gen_server:stop(Name).

-spec put(name(), term(), term()) -> ok.
put(Name, Key, Value) -> gen_server:call(Name, {put, Key, Value, default}).

-spec put(name(), term(), term(), pos_integer()) -> ok.
put(Name, Key, Value, Ttl) -> gen_server:call(Name, {put, Key, Value, Ttl}).

-spec get(name(), term()) -> {ok, term()} | error.
get(Name, Key) ->
    case ets:lookup(Name, Key) of
        [{Key, Value, End}] ->
            case now_ms() < End of
                true -> {ok, Value};
                false -> error
            end;
        [] ->
            error
    end.

%% The value of the key; if there is none, what Make returns, which is kept. What Make
%% raises, every caller that waits for it exits with.
-spec fetch(name(), term(), fun(() -> term())) -> term().
fetch(Name, Key, Make) ->
    case get(Name, Key) of
        {ok, Value} -> Value;
        error ->
            case gen_server:call(Name, {fetch, Key, Make}, infinity) of
                {ok, Value} -> Value;
                {failed, Reason} -> exit(Reason)
            end
    end.

-spec delete(name(), term()) -> ok.
delete(Name, Key) -> gen_server:call(Name, {delete, Key}).

%% Entries that have expired and not been removed included.
-spec size(name()) -> non_neg_integer().
size(Name) -> ets:info(Name, size).

init({Name, Options}) ->
    ets:new(Name, [named_table, protected, {read_concurrency, true}]),
    State = #state{name = Name, ttl = maps:get(ttl, Options, 5000), sweep = maps:get(sweep, Options, 1000)},
    sweep_later(State),
    {ok, State}.

handle_call({put, Key, Value, Ttl}, _From, State) ->
    {reply, ok, store(Key, Value, Ttl, State)};
handle_call({delete, Key}, _From, State) ->
    ets:delete(State#state.name, Key),
    {reply, ok, State};
handle_call({fetch, Key, Make}, From, #state{waiting = Waiting} = State) ->
    %% It may have come since the caller looked.
    case {get(State#state.name, Key), Waiting} of
        {{ok, _} = Found, _} -> {reply, Found, State};
        {error, #{Key := Others}} -> {noreply, State#state{waiting = Waiting#{Key := [From | Others]}}};
        {error, _} -> {noreply, make(Key, Make, State#state{waiting = Waiting#{Key => [From]}})}
    end.

handle_cast(_, State) -> {noreply, State}.

handle_info(sweep, #state{name = Name} = State) ->
    ets:select_delete(Name, [{{'_', '_', '$1'}, [{'=<', '$1', now_ms()}], [true]}]),
    sweep_later(State),
    {noreply, State};
handle_info({'DOWN', Monitor, process, _, Outcome}, #state{makers = Makers} = State) ->
    {Key, Rest} = maps:take(Monitor, Makers),
    {noreply, made(Key, Outcome, State#state{makers = Rest})}.

make(Key, Make, #state{makers = Makers} = State) ->
    {_, Monitor} = spawn_monitor(fun() -> exit(outcome(Make)) end),
    State#state{makers = Makers#{Monitor => Key}}.

outcome(Make) ->
    try {made, Make()}
    catch
        error:Reason -> {failed, Reason};
        exit:Reason -> {failed, Reason};
        throw:Value -> {failed, {nocatch, Value}}
    end.

made(Key, {made, Value}, State) ->
    answer(Key, {ok, Value}, store(Key, Value, default, State));
made(Key, {failed, Reason}, State) ->
    answer(Key, {failed, Reason}, State);
made(Key, Killed, State) ->
    answer(Key, {failed, Killed}, State).

answer(Key, Answer, #state{waiting = Waiting} = State) ->
    {Clients, Rest} = maps:take(Key, Waiting),
    [gen_server:reply(Client, Answer) || Client <- lists:reverse(Clients)],
    State#state{waiting = Rest}.

store(Key, Value, default, #state{ttl = Ttl} = State) ->
    store(Key, Value, Ttl, State);
store(Key, Value, Ttl, #state{name = Name} = State) ->
    ets:insert(Name, {Key, Value, now_ms() + Ttl}),
    State.

sweep_later(#state{sweep = Sweep}) -> erlang:send_after(Sweep, self(), sweep).

now_ms() -> erlang:monotonic_time(millisecond).
