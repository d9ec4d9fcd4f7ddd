%% Programs with gen_server, in pairs: *_bug goes wrong in some interleavings, *_fix in none.
%% Calls have their usual time-out of five seconds, so they go through aliases.
-module(otp_server).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2]).
-export([late_name_bug/0, late_name_fix/0, stopping_bug/0, stopping_fix/0]).
-export([lost_update_bug/0, lost_update_fix/0, double_start_bug/0, double_start_fix/0]).
-export([mutual_calls_bug/0, mutual_calls_fix/0, impatient_bug/0, impatient_fix/0]).
-export([leaked_bug/0, leaked_fix/0, returned_early_bug/0, reply_after_stop_bug/0, reply_after_stop_fix/0]).
-export([calls/1, circle_bug/0, circle_fix/0]).

-include("together.hrl").

%% ---- The server: a number, and who holds it

init({named_late, Name}) -> {ok, 0, {continue, {register, Name}}};
init(N) -> {ok, N}.

handle_continue({register, Name}, N) ->
    register(Name, self()),
    {noreply, N}.

handle_call(get, _, N) -> {reply, N, N};
handle_call(add, _, N) -> {reply, N, N + 1};
handle_call({ask_now, Other}, _, N) -> {reply, gen_server:call(Other, get), N};
handle_call({call, Other}, _, N) -> {reply, gen_server:call(Other, get, infinity), N};
handle_call(lend, {Client, _}, N) -> {reply, ok, {lent, Client, N}};
handle_call({lend_watched, Client}, _, N) ->
    {reply, ok, {lent, monitor(process, Client), N}};
handle_call({stop_later, Reply}, From, N) -> self() ! {stop, From, Reply}, {noreply, N}.

handle_cast({set, N}, _) -> {noreply, N};
handle_cast(add, N) -> {noreply, N + 1};
handle_cast(return, {lent, _, N}) -> {noreply, N};
handle_cast({ask, Other}, N) -> gen_server:cast(Other, {asked, self()}), {noreply, N};
handle_cast({asked, By}, N) -> By ! {answer, N}, {noreply, N};
handle_cast(stop, N) -> {stop, normal, N}.

handle_info({'DOWN', Ref, process, _, _}, {lent, Ref, N}) -> {noreply, N};
handle_info({'DOWN', _, process, _, _}, N) -> {noreply, N};
handle_info({answer, Other}, N) -> {noreply, N + Other};
handle_info({stop, _, noreply}, N) -> {stop, normal, N};
handle_info({stop, From, Reply}, N) -> gen_server:reply(From, Reply), {stop, normal, N}.

start() ->
    {ok, S} = gen_server:start(?MODULE, 0, []),
    S.

%% ---- Pairs

%% The server gives itself a name when it has been started already. What is cast to the name
%% before that is lost without a word.
late_name_bug() ->
    {ok, S} = gen_server:start(?MODULE, {named_late, late}, []),
    gen_server:cast(late, add),
    1 = gen_server:call(S, get),
    gen_server:stop(S).

%% The name is there when start returns.
late_name_fix() ->
    {ok, S} = gen_server:start({local, late}, ?MODULE, 0, []),
    gen_server:cast(late, add),
    1 = gen_server:call(S, get),
    gen_server:stop(S).

%% The server may have stopped when it is called: noproc, or normal if it stops meanwhile.
stopping_bug() ->
    S = start(),
    together([fun() -> gen_server:cast(S, stop) end,
              fun() -> gen_server:call(S, get) end]).

%% Whoever calls a server that may stop must say what that means to him.
stopping_fix() ->
    S = start(),
    together([fun() -> gen_server:cast(S, stop) end,
              fun() -> try gen_server:call(S, get) catch exit:{_, _} -> gone end end]).

%% Read, add and write by two clients: one addition may be lost.
lost_update_bug() ->
    S = start(),
    together([fun() -> gen_server:cast(S, {set, gen_server:call(S, get) + 1}) end || _ <- [1, 2]]),
    2 = gen_server:call(S, get),
    gen_server:stop(S).

%% The server adds.
lost_update_fix() ->
    S = start(),
    together([fun() -> gen_server:call(S, add) end || _ <- [1, 2]]),
    2 = gen_server:call(S, get),
    gen_server:stop(S).

%% Two clients start the server if it is not there. Both may find that it is not.
double_start_bug() ->
    together([fun() ->
                  case whereis(only) of
                      undefined -> {ok, _} = gen_server:start({local, only}, ?MODULE, 0, []);
                      _ -> ok
                  end
              end || _ <- [1, 2]]),
    gen_server:stop(only).

%% Who comes second is told so by start.
double_start_fix() ->
    together([fun() ->
                  case gen_server:start({local, only}, ?MODULE, 0, []) of
                      {ok, S} -> S;
                      {error, {already_started, S}} -> S
                  end
              end || _ <- [1, 2]]),
    gen_server:stop(only).

%% Two servers that call each other may both wait for ever.
mutual_calls_bug() ->
    A = start(),
    B = start(),
    together([fun() -> gen_server:call(X, {call, Y}, infinity) end || {X, Y} <- [{A, B}, {B, A}]]).

%% The same with the usual time-outs, which end it in the end: a deadlock all the same.
circle_bug() ->
    A = start(),
    B = start(),
    together([fun() -> gen_server:call(X, {ask_now, Y}) end || {X, Y} <- [{A, B}, {B, A}]]).

%% In one direction only.
circle_fix() ->
    A = start(),
    B = start(),
    together([fun() -> gen_server:call(A, {ask_now, B}) end || _ <- [1, 2]]),
    [gen_server:stop(S) || S <- [A, B]].

%% They send questions and answers, and do not wait.
mutual_calls_fix() ->
    A = start(),
    B = start(),
    together([fun() -> gen_server:cast(X, {ask, Y}) end || {X, Y} <- [{A, B}, {B, A}]]),
    [gen_server:stop(S) || S <- [A, B]].

%% A client that does not wait long enough ends by a time-out.
impatient_bug() ->
    S = start(),
    together([fun() -> gen_server:call(S, get, 10) end]),
    gen_server:stop(S).

impatient_fix() ->
    S = start(),
    together([fun() -> gen_server:call(S, get) end]),
    gen_server:stop(S).

%% What is lent to a client that ends is never returned: the server knows only `return`. The
%% client ends before it, if somebody stops it in between.
leaked_bug() ->
    S = start(),
    Client = spawn_monitor(fun() ->
                               gen_server:call(S, lend),
                               receive stop -> ok after 0 -> gen_server:cast(S, return) end
                           end),
    element(1, Client) ! stop,
    join([Client]),
    0 = gen_server:call(S, get),
    gen_server:stop(S).

%% The server watches whom it has lent to. The test asks it until it knows that the client has ended.
leaked_fix() ->
    S = start(),
    stopped_client(S),
    returned(S),
    gen_server:stop(S).

%% The test, which has watched the client for longer, may be told before the server.
returned_early_bug() ->
    S = start(),
    stopped_client(S),
    0 = gen_server:call(S, get),
    gen_server:stop(S).

stopped_client(S) ->
    Client = spawn_monitor(fun() ->
                               gen_server:call(S, {lend_watched, self()}),
                               receive stop -> ok after 0 -> gen_server:cast(S, return) end
                           end),
    element(1, Client) ! stop,
    join([Client]).

returned(S) ->
    case gen_server:call(S, get) of
        0 -> ok;
        _ -> timer:sleep(10), returned(S)
    end.

%% The server stops and does not answer: its caller is told that it has stopped, and fails. It
%% does so in every interleaving.
reply_after_stop_bug() ->
    S = start(),
    together([fun() -> ok = gen_server:call(S, {stop_later, noreply}) end]).

reply_after_stop_fix() ->
    S = start(),
    together([fun() -> ok = gen_server:call(S, {stop_later, ok}) end]).

%% ---- Counts

%% N clients call: N!, as if there were no library in between. The server is left idle.
calls(N) ->
    S = start(),
    together([fun() -> gen_server:call(S, add) end || _ <- lists:seq(1, N)]).
