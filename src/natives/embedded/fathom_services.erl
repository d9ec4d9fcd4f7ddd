%% The services that are processes (services.h): how each is started, by a process that
%% does nothing else.
-module(fathom_services).
-export([start/1, adopt/1, init/1, log_crash/3]).

start(logger) ->
    unlinked(logger_server:start_link()),
    ok = logger:remove_handler(simple),
    ok = logger:add_handler(default, logger_std_h, default_handler());
start(application_controller) ->
    {ok, Controller} = application_controller:start(without_start(kernel)),
    unlink(Controller),
    Monitor = monitor(process, Controller),
    ok = application:start(kernel, permanent),
    ok = application:load(specification(stdlib)),
    ok = application:start(stdlib, permanent),
    receive {'DOWN', Monitor, process, Controller, Reason} -> ended(Reason) end;
start(logger_handler_watcher) -> started(logger_handler_watcher, logger_handler_watcher);
start(timer_server) -> started(timer_server, timer);
start(global_name_server) -> started(global_name_server, global);
start(rex) -> started(rex, rpc);
start(kernel_sup) ->
    Timers = #{id => timer_server, start => {?MODULE, adopt, [timer]}, shutdown => brutal_kill, modules => [timer]},
    unlinked(supervisor:start_link({local, kernel_sup}, ?MODULE, [Timers]));
start(Supervisor) -> unlinked(supervisor:start_link({local, Supervisor}, ?MODULE, [])).

%% A child of kernel_sup that may be running already, as a service.
adopt(timer) ->
    case whereis(timer_server) of
        undefined -> timer:start_link();
        Pid -> link(Pid), {ok, Pid}
    end.

started(Name, Module) -> {ok, _} = gen_server:start({local, Name}, Module, [], []).

unlinked({ok, Pid}) -> unlink(Pid).

%% The controller does not live on without a permanent application, nor the system
%% without the controller.
ended(Reason) ->
    io:format(user, "Kernel pid terminated (application_controller) (~tp)~n", [Reason]),
    halt(1).

%% Supervisors of what kernel starts on demand: most begin without children.
init(Children) -> {ok, {{one_for_one, 4, 3600}, Children}}.

%% The specification of an application, without what would start its processes: they are
%% started as services, one by one.
without_start(Name) ->
    {application, Name, Keys} = specification(Name),
    {application, Name, lists:keydelete(mod, 1, Keys)}.

specification(Name) ->
    {ok, Bytes, _} = erl_prim_loader:get_file(code:where_is_file(atom_to_list(Name) ++ ".app")),
    {ok, [Specification]} = fathom_code:terms(Bytes),
    Specification.

%% ---- Logging

%% What kernel's default configuration asks for.
default_handler() ->
    #{level => all, filter_default => stop, filters => filters(),
      config => #{type => standard_io},
      formatter => {logger_formatter, #{legacy_header => true, single_line => false}}}.

filters() ->
    [{remote_gl, {fun logger_filters:remote_gl/2, stop}},
     {domain, {fun logger_filters:domain/2, {log, super, [otp, sasl]}}},
     {no_domain, {fun logger_filters:domain/2, {log, undefined, []}}}].

%% What the emulator says of a process that nobody saw fail.
log_crash(Pid, GroupLeader, Reason) ->
    logger:log(error, "Error in process ~p with exit value:~n~p~n", [Pid, Reason],
               #{pid => Pid, gl => GroupLeader, error_logger => #{emulator => true, tag => error},
                 time => logger:timestamp()}).
