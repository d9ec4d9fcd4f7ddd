%% Races in which a service of OTP takes part: application, global, logger, timer, rex. In each pair
%% the first has an error in some interleavings, the second in none. Counts: which of two events
%% comes first, wherever that can be seen. What a service does is part of the request to it.
-module(services).
-behaviour(application).
-behaviour(supervisor).
-export([env_lost_update_bug/0, env_lost_update_fix/0]).
-export([env_readers/1, env_only_readers/1, env_writers/1, env_own_keys/1]).
-export([env_unset_bug/0, env_unset_fix/0]).
-export([load_twice_bug/0, load_twice_fix/0, loaded_bug/0]).
-export([start_twice_bug/0, start_twice_fix/0, application_left/0, left_and_stopped/0]).
-export([global_name_bug/0, global_name_fix/0, global_whereis_bug/0, global_whereis_fix/0]).
-export([global_lock_bug/0, global_lock_fix/0, global_names/1]).
-export([level_bug/0, level_fix/0, handler_twice_bug/0, handler_twice_fix/0]).
-export([cancelled_bug/0, cancelled_fix/0, interval_bug/0, interval_fix/0, timers/1]).
-export([count_bug/0, count_fix/0, processes_of_services/0]).
-export([names_of_services/0, name_of_service_bug/0, given_up_name/0, table_of_service_bug/0]).
-export([messages_to_init/0]).
-export([erpc_bug/0, erpc_fix/0, rpc_fix/0]).
-export([start/2, stop/1, init/1]).

-include("together.hrl").

%% ---- application: the environment

%% Each process reads, then writes. Both read before either writes, and then both write the same; or
%% one comes after the other: 3.
env_lost_update_bug() ->
    application:set_env(kernel, counter, 0),
    Count = fun() ->
                {ok, N} = application:get_env(kernel, counter),
                application:set_env(kernel, counter, N + 1)
            end,
    together([Count, Count]),
    {ok, 2} = application:get_env(kernel, counter).

%% Each has a counter of its own: 1.
env_lost_update_fix() ->
    Count = fun(Key) ->
                fun() ->
                    application:set_env(kernel, Key, 0),
                    {ok, N} = application:get_env(kernel, Key),
                    application:set_env(kernel, Key, N + 1)
                end
            end,
    together([Count(one), Count(two)]),
    {ok, 1} = application:get_env(kernel, one),
    {ok, 1} = application:get_env(kernel, two).

%% Each reader reads before or after the one writer: 2^N.
env_readers(N) ->
    application:set_env(kernel, key, 0),
    together([fun() -> application:set_env(kernel, key, 1) end |
              [fun() -> application:get_env(kernel, key) end || _ <- lists:seq(1, N)]]).

%% 1.
env_only_readers(N) ->
    together([fun() -> application:get_env(kernel, key) end || _ <- lists:seq(1, N)]).

%% Each writes another value: N!.
env_writers(N) ->
    together([fun() -> application:set_env(kernel, key, I) end || I <- lists:seq(1, N)]).

%% Each writes another key: 1.
env_own_keys(N) ->
    together([fun() -> application:set_env(kernel, {key, I}, I) end || I <- lists:seq(1, N)]).

%% The value is taken away before it is read or after it: 2.
env_unset_bug() ->
    application:set_env(kernel, key, 1),
    together([fun() -> application:unset_env(kernel, key) end,
              fun() -> {ok, 1} = application:get_env(kernel, key) end]).

%% Whoever reads does without it: 2.
env_unset_fix() ->
    application:set_env(kernel, key, 1),
    together([fun() -> application:unset_env(kernel, key) end,
              fun() -> 1 = application:get_env(kernel, key, 1) end]).

%% ---- application: loading and starting

%% Who is second is told so: 2.
load_twice_bug() ->
    together([fun() -> ok = application:load(specification([])) end || _ <- [1, 2]]).

%% 2.
load_twice_fix() ->
    Load = fun() ->
               case application:load(specification([])) of
                   ok -> ok;
                   {error, {already_loaded, _}} -> ok
               end
           end,
    together([Load, Load]).

%% Its keys are there before or after another process looks for them: 2.
loaded_bug() ->
    together([fun() -> application:load(specification([])) end,
              fun() -> {ok, "1"} = application:get_key(services, vsn) end]).

%% Who asks for a start that is going on waits for it; who asks later is told so.
start_twice_bug() ->
    application:load(specification([])),
    together([fun() -> ok = application:start(services) end || _ <- [1, 2]]).

start_twice_fix() ->
    application:load(specification([])),
    together([fun() -> {ok, _} = application:ensure_all_started(services) end || _ <- [1, 2]]).

%% The application, its masters and its supervisor are idle.
application_left() ->
    application:load(specification([{mod, {?MODULE, []}}])),
    ok = application:start(services),
    true = is_pid(whereis(services_supervisor)).

%% Its processes are gone when stop has returned.
left_and_stopped() ->
    application_left(),
    ok = application:stop(services),
    undefined = whereis(services_supervisor).

specification(Keys) ->
    {application, services,
     [{vsn, "1"}, {modules, []}, {registered, []}, {applications, [kernel, stdlib]} | Keys]}.

start(_, _) -> supervisor:start_link({local, services_supervisor}, ?MODULE, []).

stop(_) -> ok.

init([]) -> {ok, {#{}, []}}.

%% ---- global

%% One of the two gets the name: 2.
global_name_bug() ->
    both(fun() -> yes = global:register_name(global_name, self()) end).

%% 2.
global_name_fix() ->
    both(fun() ->
             case global:register_name(global_name, self()) of
                 yes -> ok;
                 no -> true = is_pid(global:whereis_name(global_name))
             end
         end).

%% Two processes that stay until both have done it, or failed.
both(Fun) ->
    Me = self(),
    Workers = [spawn_monitor(fun() -> Fun(), Me ! {self(), done}, receive stop -> ok end end)
               || _ <- [1, 2]],
    Ended = [receive {Pid, done} -> done; {'DOWN', Ref, _, _, Reason} -> Reason end
             || {Pid, Ref} <- Workers],
    Done = [Worker || {Worker, done} <- lists:zip(Workers, Ended)],
    [Pid ! stop || {Pid, _} <- Done],
    join(Done),
    [exit(Reason) || Reason <- Ended, Reason =/= done].

%% The name is given before or after another process looks for it: 2.
global_whereis_bug() ->
    {P, R} = spawn_opt(fun() -> global:register_name(global_name, self()), receive stop -> ok end end,
                       [link, monitor]),
    P = global:whereis_name(global_name),
    P ! stop,
    join([{P, R}]).

%% It waits until it is told: 1.
global_whereis_fix() ->
    Me = self(),
    {P, R} = spawn_monitor(fun() ->
                               global:register_name(global_name, self()),
                               Me ! {self(), registered},
                               receive stop -> ok end
                           end),
    receive {P, registered} -> ok end,
    P = global:whereis_name(global_name),
    P ! stop,
    join([{P, R}]).

%% Each gives itself another name, and exits, by which it loses it. Each of the 2 N events shows in
%% the state of the service: (2 N)! / 2^N.
global_names(N) ->
    together([fun() -> yes = global:register_name({name, I}, self()) end || I <- lists:seq(1, N)]).

%% Who does not wait for the lock may not get it. It is there until the end of its holder.
global_lock_bug() ->
    together([fun() -> true = global:set_lock({lock, self()}, [node()], 0) end || _ <- [1, 2]]).

%% Who waits for it gets it.
global_lock_fix() ->
    T = ets:new(counters, [public]),
    ets:insert(T, {count, 0}),
    Count = fun() ->
                [{count, N}] = ets:lookup(T, count),
                ets:insert(T, {count, N + 1})
            end,
    together([fun() -> global:trans({lock, self()}, Count) end || _ <- [1, 2]]),
    [{count, 2}] = ets:lookup(T, count).

%% ---- logger

%% The level is changed before or after another process reads it: 2.
level_bug() ->
    together([fun() -> logger:set_primary_config(level, debug) end,
              fun() -> #{level := notice} = logger:get_primary_config() end]).

%% 1.
level_fix() ->
    together([fun() -> #{level := notice} = logger:get_primary_config() end || _ <- [1, 2]]).

%% Who is second is told that there is one already: 2.
handler_twice_bug() ->
    together([fun() -> ok = logger:add_handler(handler, logger_std_h, #{level => none}) end
              || _ <- [1, 2]]).

%% 2.
handler_twice_fix() ->
    Add = fun() ->
              case logger:add_handler(handler, logger_std_h, #{level => none}) of
                  ok -> ok;
                  {error, _} -> ok
              end
          end,
    together([Add, Add]).

%% ---- timer

%% The timer is cancelled in time; or it has fired before, and what it has started sends before the
%% test looks or after it: 3.
cancelled_bug() ->
    Me = self(),
    {ok, T} = timer:apply_after(1, erlang, send, [Me, tick]),
    together([fun() -> timer:cancel(T) end]),
    receive tick -> exit(late) after 0 -> ok end.

%% Who waits long enough sees whether it has fired before: 2.
cancelled_fix() ->
    Me = self(),
    {ok, T} = timer:apply_after(1, erlang, send, [Me, {tick, 1}]),
    together([fun() -> timer:cancel(T) end]),
    receive {tick, 1} -> ok after 1000 -> ok end.

%% An interval may send more than once before it is cancelled: after 800 ms, but not after 1200 ms,
%% since a process can run. 2.
interval_bug() ->
    {ok, T} = timer:send_interval(400, tick),
    receive tick -> ok end,
    {ok, cancel} = timer:cancel(T),
    receive tick -> exit(twice) after 0 -> ok end.

%% 2.
interval_fix() ->
    {ok, T} = timer:send_interval(400, tick),
    receive tick -> ok end,
    {ok, cancel} = timer:cancel(T),
    flush().

%% Each process sets a timer. The service gives out their references in the order of the requests: N!.
timers(N) ->
    together([fun() -> timer:apply_after(2000 * I, erlang, self, []) end || I <- lists:seq(1, N)]).

flush() -> receive tick -> flush() after 0 -> ok end.

%% ---- Services are processes

%% Between the two looks another process may end, or have ended before, or end later: 3.
count_bug() ->
    spawn(fun() -> ok end),
    N = erlang:system_info(process_count),
    N = length(processes()).

%% 1.
count_fix() ->
    N = erlang:system_info(process_count),
    N = length(processes()),
    application:get_env(kernel, key),
    global:whereis_name(global_name),
    N = length(processes()).

processes_of_services() ->
    lists:foreach(fun(Name) ->
                      Pid = whereis(Name),
                      true = lists:member(Pid, processes()),
                      true = is_process_alive(Pid),
                      {registered_name, Name} = process_info(Pid, registered_name),
                      {status, waiting} = process_info(Pid, status),
                      {message_queue_len, 0} = process_info(Pid, message_queue_len)
                  end, some_services()).

names_of_services() -> [] = some_services() -- registered().

some_services() ->
    [user, init, code_server, erl_prim_loader, file_server_2, standard_error,
     application_controller, logger, kernel_sup, kernel_safe_sup, global_name_server, rex].

%% Fails always.
name_of_service_bug() -> register(user, self()).

%% A process may take the name of a service that has lost it.
given_up_name() ->
    User = whereis(user),
    true = unregister(user),
    undefined = whereis(user),
    {'EXIT', {badarg, _}} = (catch unregister(user)),
    true = register(user, self()),
    user ! hello,
    receive hello -> ok end,
    true = unregister(user),
    undefined = whereis(user),
    {'EXIT', {badarg, _}} = (catch (user ! hello)),
    true = register(user, User),
    User = whereis(user).

%% Fails always.
table_of_service_bug() -> ets:new(ac_tab, [named_table]).

messages_to_init() ->
    init ! hello,
    code_server ! hello,
    init ! {self(), get_status},
    receive {init, {_, started}} -> ok end,
    init ! {self(), {get_argument, no_such_flag}},
    receive {init, error} -> ok end.

%% ---- rpc and erpc

%% Both read before either writes, and then both write the same; or one comes after the other: 3.
erpc_bug() ->
    T = ets:new(counters, [public]),
    ets:insert(T, {count, 0}),
    Count = fun() ->
                [{count, N}] = ets:lookup(T, count),
                ets:insert(T, {count, N + 1})
            end,
    together([fun() -> erpc:call(node(), Count, 5000) end || _ <- [1, 2]]),
    [{count, 2}] = ets:lookup(T, count).

%% 2.
erpc_fix() ->
    T = ets:new(counters, [public]),
    ets:insert(T, {count, 0}),
    Count = fun() -> ets:update_counter(T, count, 1) end,
    together([fun() -> erpc:call(node(), Count, 5000) end || _ <- [1, 2]]),
    [{count, 2}] = ets:lookup(T, count).

rpc_fix() ->
    [2, 1] = rpc:call(node(), lists, reverse, [[1, 2]]),
    [2, 1] = rpc:call(node(), lists, reverse, [[1, 2]], 5000),
    [2, 1] = erpc:call(node(), lists, reverse, [[1, 2]]),
    Key = rpc:async_call(node(), lists, reverse, [[1, 2]]),
    [2, 1] = rpc:yield(Key).
