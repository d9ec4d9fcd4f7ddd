%% Families of programs that meet on names, links, monitors, exits and timers, of any size.
%%
%% Looking at a process and its end are in conflict; two looks are not. The end of a process
%% also writes its name, so processes that race for a name stay until all have had their turn.
-module(families_signals).
-export([name_race/1, lookers/1, senders_by_name/1, independent_names/1]).
-export([monitors/1, demonitors/1, links/1, alive/1, exits_in_any_order/1, exits_in_order/1,
         normal_exits/1, own_flags/1, counted_processes/1, spawners/1]).
-export([cancelled/1, read_timers/1, missed/1, aliases/1]).

-include("together.hrl").

%% Processes that do something and then stay until the test lets them go. What they do is over
%% when staying/1 returns; the test takes their words in a fixed order.
staying(Funs) ->
    Me = self(),
    Workers = [spawn_monitor(fun() -> Fun(), Me ! {done, self()}, receive go -> ok end end)
               || Fun <- Funs],
    [receive {done, P} -> ok end || {P, _} <- Workers],
    Workers.

let_go(Workers) ->
    [P ! go || {P, _} <- Workers],
    join(Workers).

%% ---- Names

%% N processes want one name. Who is first gets it; the others only see that it is taken, in
%% whatever order: N.
name_race(N) ->
    let_go(staying([fun() -> catch register(contested, self()) end || _ <- lists:seq(1, N)])).

%% One takes a name while N others look for it: 2^N.
lookers(N) ->
    let_go(staying([fun() -> register(sought, self()) end |
                    [fun() -> whereis(sought) end || _ <- lists:seq(1, N)]])).

%% The same with sending to the name. Nobody takes the messages, so their order does not
%% matter: 2^N.
senders_by_name(N) ->
    Workers = [spawn_monitor(fun() -> catch addressed ! I end) || I <- lists:seq(1, N)],
    register(addressed, self()),
    join(Workers).

%% N processes, N names: 1.
independent_names(N) ->
    let_go(staying([fun() -> register(list_to_atom("name" ++ integer_to_list(I)), self()) end
                    || I <- lists:seq(1, N)])).

%% ---- Ends

%% N processes monitor one that ends: before (reason normal) or after (noproc): 2^N.
monitors(N) ->
    P = spawn(fun() -> ok end),
    together([fun() -> R = monitor(process, P), receive {'DOWN', R, _, _, Why} -> Why end end
              || _ <- lists:seq(1, N)]).

%% They have monitored it already, and give up: before it ends (true) or after (there is a
%% message to flush). Each monitor may be late, so it is refused, and the message comes before
%% demonitor or after it: 2; or it is not, and the message has come when the worker gives up, or has
%% not, and what tells the process of that comes before its end or after it: 3. Together 5^N.
demonitors(N) ->
    P = spawn(fun() -> receive go -> ok end end),
    Me = self(),
    Workers = [spawn_monitor(fun() ->
                                 R = monitor(process, P),
                                 Me ! {ready, self()},
                                 demonitor(R, [flush, info])
                             end) || _ <- lists:seq(1, N)],
    [receive {ready, W} -> ok end || {W, _} <- Workers],
    P ! go,
    join(Workers).

%% N processes link to one that ends, and see why: 2^N.
links(N) ->
    P = spawn(fun() -> ok end),
    together([fun() ->
                  process_flag(trap_exit, true),
                  link(P),
                  receive {'EXIT', P, Why} -> Why end
              end || _ <- lists:seq(1, N)]).

%% N processes look whether it lives: 2^N.
alive(N) ->
    P = spawn(fun() -> ok end),
    together([fun() -> is_process_alive(P) end || _ <- lists:seq(1, N)]).

%% N signals to a process that takes them as messages, whatever they are: N!.
exits_in_any_order(N) ->
    process_flag(trap_exit, true),
    Me = self(),
    Workers = [spawn_monitor(fun() -> exit(Me, {signal, I}) end) || I <- lists:seq(1, N)],
    [receive {'EXIT', _, {signal, I}} -> I end || _ <- lists:seq(1, N)],
    join(Workers).

%% The same, in an order that the receives fix: 1.
exits_in_order(N) ->
    process_flag(trap_exit, true),
    Me = self(),
    Workers = [spawn_monitor(fun() -> exit(Me, {signal, I}) end) || I <- lists:seq(1, N)],
    [receive {'EXIT', _, {signal, I}} -> I end || I <- lists:seq(1, N)],
    join(Workers).

%% N signals that do nothing to a process that waits: 1.
normal_exits(N) ->
    Me = self(),
    together([fun() -> exit(Me, normal) end || _ <- lists:seq(1, N)]).

%% Flags that nobody looks at: 1.
own_flags(N) ->
    together([fun() -> process_flag(trap_exit, true), process_flag(trap_exit, false) end
              || _ <- lists:seq(1, N)]).

%% One asks for all processes while N others end: 2^N.
counted_processes(N) ->
    Workers = [spawn_monitor(fun() -> ok end) || _ <- lists:seq(1, N)],
    All = length(processes()),
    join(Workers),
    All.

%% N processes start one each; nobody counts them: 1.
spawners(N) ->
    together([fun() -> spawn(fun() -> ok end) end || _ <- lists:seq(1, N)]).

%% N processes answer through an alias that holds for one answer. The receive takes any, and
%% the later ones are lost: who is first decides, and using the alias is in conflict with
%% every other use, since the first one deactivates it and the others see that it is gone.
%% The order of those that come too late cannot be seen: N.
aliases(N) ->
    Alias = alias([reply]),
    Workers = [spawn_monitor(fun() -> Alias ! {reply, I} end) || I <- lists:seq(1, N)],
    First = receive {reply, I} -> I end,
    join(Workers),
    First.

%% ---- Time

%% A timer is cancelled before it fires, or too late; N processes do so with one each: 2^N.
cancelled(N) ->
    together([fun() ->
                  Timer = erlang:send_after(10, self(), tick),
                  erlang:cancel_timer(Timer)
              end || _ <- lists:seq(1, N)]).

%% The same with looking at it: 2^N.
read_timers(N) ->
    together([fun() ->
                  Timer = erlang:send_after(10, self(), tick),
                  erlang:read_timer(Timer)
              end || _ <- lists:seq(1, N)]).

%% A process waits for a message for a short time; N others send one. None comes in time, or
%% that of one of them is the first: N + 1.
missed(N) ->
    Me = self(),
    Workers = [spawn_monitor(fun() -> Me ! {x, I} end) || I <- lists:seq(1, N)],
    Seen = receive {x, I} -> I after 10 -> none end,
    join(Workers),
    Seen.
