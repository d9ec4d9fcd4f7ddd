%% Names for processes.
%%
%% The table has {Name, Pid, Monitor}. It can be behind: a process has ended, but the server
%% has not heard of it. So readers ask whether the process lives, and the server does so
%% before it says that a name is taken.
-module(registry).
-behaviour(gen_server).

-export([start_link/0, stop/0, register_name/2, unregister_name/1, whereis_name/1, send/2, names/0, names/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-spec start_link() -> {ok, pid()} | {error, term()}.
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

-spec stop() -> ok.
stop() -> gen_server:stop(?MODULE).

-spec register_name(term(), pid()) -> yes | no.
register_name(Name, Pid) when is_pid(Pid) -> gen_server:call(?MODULE, {register, Name, Pid}).

-spec unregister_name(term()) -> ok.
unregister_name(Name) -> gen_server:call(?MODULE, {unregister, Name}).

-spec whereis_name(term()) -> pid() | undefined.
whereis_name(Name) ->
    case ets:lookup(?MODULE, Name) of
        [{Name, Pid, _}] -> case is_process_alive(Pid) of true -> Pid; false -> undefined end;
        [] -> undefined
    end.

-spec send(term(), term()) -> pid().
send(Name, Message) ->
    case whereis_name(Name) of
        undefined -> exit({badarg, {Name, Message}});
        Pid -> Pid ! Message, Pid
    end.

-spec names() -> [term()].
names() -> lists:sort([Name || {Name, _, _} <- ets:tab2list(?MODULE)]).

%% Those of one process.
-spec names(pid()) -> [term()].
names(Pid) -> lists:sort(ets:select(?MODULE, [{{'$1', Pid, '_'}, [], ['$1']}])).

init([]) ->
    ets:new(?MODULE, [named_table, protected, {read_concurrency, true}]),
    {ok, #{}}.

%% The state: monitor => name.
handle_call({register, Name, Pid}, _From, Monitors) ->
    case ets:lookup(?MODULE, Name) of
        [{Name, Old, Monitor}] ->
            case is_process_alive(Old) of
                true -> {reply, no, Monitors};
                false -> {reply, yes, add(Name, Pid, remove(Name, Monitor, Monitors))}
            end;
        [] ->
            {reply, yes, add(Name, Pid, Monitors)}
    end;
handle_call({unregister, Name}, _From, Monitors) ->
    case ets:lookup(?MODULE, Name) of
        [{Name, _, Monitor}] -> {reply, ok, remove(Name, Monitor, Monitors)};
        [] -> {reply, ok, Monitors}
    end.

handle_cast(_, Monitors) -> {noreply, Monitors}.

handle_info({'DOWN', Monitor, process, _, _}, Monitors) ->
    case Monitors of
        #{Monitor := Name} -> {noreply, remove(Name, Monitor, Monitors)};
        _ -> {noreply, Monitors}
    end.

add(Name, Pid, Monitors) ->
    Monitor = monitor(process, Pid),
    ets:insert(?MODULE, {Name, Pid, Monitor}),
    Monitors#{Monitor => Name}.

remove(Name, Monitor, Monitors) ->
    demonitor(Monitor, [flush]),
    ets:delete(?MODULE, Name),
    maps:remove(Monitor, Monitors).
