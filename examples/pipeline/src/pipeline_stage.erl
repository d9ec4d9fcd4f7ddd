%% A stage. It asks the stage before it, its producer, for items, at most `demand` at a time;
%% applies its fun to each; and passes the results on as far as they were asked for. The
%% rest waits, and so nothing more is asked for.
%%
%% The first stage has a list of items instead of a producer, the last one passes everything
%% on to whoever collects.
-module(pipeline_stage).
-behaviour(gen_server).

-export([start_link/1, ask/3]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2, handle_info/2]).

-record(state, {function :: fun((term()) -> term()),
                demand :: pos_integer(),
                producer :: pid() | none,
                pending = 0 :: non_neg_integer(),   % asked for, and not come yet
                ready = [] :: [term()],             % results, the oldest first
                consumer :: pid() | undefined,
                wanted = 0 :: non_neg_integer(),    % what the consumer has asked for
                is_over = false :: boolean()}).     % nothing more will come

start_link(Options) -> gen_server:start_link(?MODULE, Options, []).

%% The consumer wants so many items more; it gets {items, Stage, Items}, at last {over, Stage}.
ask(Stage, Consumer, Count) -> gen_server:cast(Stage, {ask, Consumer, Count}).

init(#{function := Function, demand := Demand} = Options) ->
    State = #state{function = Function, demand = Demand, producer = none},
    case Options of
        #{items := Items} -> {ok, State#state{ready = Items, is_over = true}};
        _ -> {ok, State, {continue, {find_producer, Options}}}
    end.

%% The supervisor answers once all its children are started.
handle_continue({find_producer, #{supervisor := Supervisor, number := Number}}, State) ->
    case lists:keyfind(Number - 1, 1, supervisor:which_children(Supervisor)) of
        {_, Producer, _, _} when is_pid(Producer) -> {noreply, fill(State#state{producer = Producer})};
        %% It has given out all it had, before this stage crashed.
        {_, undefined, _, _} -> {noreply, State#state{is_over = true}}
    end.

handle_call(waiting, _From, #state{ready = Ready} = State) -> {reply, length(Ready), State}.

handle_cast({ask, Consumer, Count}, #state{consumer = Consumer, wanted = Wanted} = State) ->
    pass_on(State#state{wanted = Wanted + Count});
handle_cast({ask, Consumer, Count}, State) ->
    pass_on(State#state{consumer = Consumer, wanted = Count}).

handle_info({items, Producer, Items}, #state{producer = Producer, pending = Pending, ready = Ready} = State) ->
    Results = [(State#state.function)(Item) || Item <- Items],
    pass_on(State#state{pending = Pending - length(Items), ready = Ready ++ Results});
handle_info({over, Producer}, #state{producer = Producer} = State) ->
    pass_on(State#state{is_over = true});
handle_info(_FromAnEarlierProducer, State) ->
    {noreply, State}.

pass_on(#state{ready = Ready, wanted = Wanted, consumer = Consumer} = State) ->
    {Now, Later} = lists:split(min(Wanted, length(Ready)), Ready),
    Now =:= [] orelse (Consumer ! {items, self(), Now}),
    Rest = State#state{ready = Later, wanted = Wanted - length(Now)},
    case Rest of
        #state{ready = [], is_over = true, wanted = Left} when Left > 0 ->
            Consumer ! {over, self()},
            {stop, normal, Rest};
        _ ->
            {noreply, fill(Rest)}
    end.

%% Asks for what there is room for.
fill(#state{producer = none} = State) -> State;
fill(#state{is_over = true} = State) -> State;
fill(#state{producer = Producer, demand = Demand, pending = Pending, ready = Ready} = State) ->
    case Demand - Pending - length(Ready) of
        Room when Room > 0 ->
            ask(Producer, self(), Room),
            State#state{pending = Pending + Room};
        _ ->
            State
    end.
