%% Starting pipelines and taking what comes out of them.
-module(pipeline).

-export([start/2, start/3, take/2, collect/1, waiting/1]).
-export_type([pipe/0]).

-opaque pipe() :: #{supervisor := pid(), last := pos_integer()}.

-spec start([term()], [fun((term()) -> term())]) -> {ok, pipe()}.
start(Items, Functions) ->
    {ok, Demand} = application:get_env(pipeline, demand),
    start(Items, Functions, Demand).

%% Demand: how many items a stage holds at most.
-spec start([term()], [fun((term()) -> term())], pos_integer()) -> {ok, pipe()}.
start(Items, Functions, Demand) ->
    Source = #{items => Items, function => fun(Item) -> Item end, demand => Demand},
    Stages = [Source | [#{function => F, demand => Demand} || F <- Functions]],
    {ok, Supervisor} = pipeline_sup:start_pipeline(Stages),
    {ok, #{supervisor => Supervisor, last => length(Stages)}}.

%% The next items; fewer than so many if there are no more. A stage that crashes meanwhile
%% is asked again when it is back.
-spec take(pipe(), non_neg_integer()) -> [term()].
take(_, 0) -> [];
take(#{supervisor := Supervisor, last := Last} = Pipe, Count) ->
    case stage(Supervisor, Last) of
        none ->
            [];
        Stage ->
            Monitor = monitor(process, Stage),
            pipeline_stage:ask(Stage, self(), Count),
            take(Pipe, Count, Stage, Monitor)
    end.

take(_, 0, _, Monitor) ->
    demonitor(Monitor, [flush]),
    [];
take(Pipe, Count, Stage, Monitor) ->
    receive
        {items, Stage, Items} -> Items ++ take(Pipe, Count - length(Items), Stage, Monitor);
        {over, Stage} -> take(Pipe, 0, Stage, Monitor);
        {'DOWN', Monitor, process, Stage, _} -> take(Pipe, Count)
    end.

%% All items.
-spec collect(pipe()) -> [term()].
collect(Pipe) ->
    case take(Pipe, 1) of
        [] -> [];
        Items -> Items ++ collect(Pipe)
    end.

%% How many results wait in each stage behind the first.
-spec waiting(pipe()) -> [non_neg_integer()].
waiting(#{supervisor := Supervisor, last := Last}) ->
    [gen_server:call(stage(Supervisor, N), waiting) || N <- lists:seq(2, Last)].

stage(Supervisor, Number) ->
    try lists:keyfind(Number, 1, supervisor:which_children(Supervisor)) of
        {_, Pid, _, _} when is_pid(Pid) -> Pid;
        {_, restarting, _, _} -> stage(Supervisor, Number);
        _ -> none
    catch
        exit:_ -> none
    end.
