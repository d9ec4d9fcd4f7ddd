%% Programs with gen_statem, in pairs: *_bug goes wrong in some interleavings, *_fix in none.
-module(otp_statem).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).
-export([expiry_bug/0, expiry_fix/0, too_early_bug/0, too_early_fix/0, retry_bug/0, retry_fix/0]).

-include("together.hrl").

callback_mode() -> handle_event_function.

init({Kind, waiting}) -> {ok, waiting, Kind, [{state_timeout, 10, expired}]};
init({Kind, State}) -> {ok, State, Kind}.

%% A session that waits for a message, but not long.
handle_event(state_timeout, expired, waiting, _) -> {next_state, expired, expired_data};
handle_event(cast, confirm, waiting, _) -> {next_state, confirmed, data};
handle_event(cast, confirm, expired, _) -> keep_state_and_data;
handle_event({call, From}, strict_confirm, waiting, _) ->
    {next_state, confirmed, data, [{reply, From, ok}]};
%% A connection that opens, and requests that may come before it is open.
handle_event(cast, open, closed, _) -> {next_state, open, 0};
handle_event(cast, request, open, N) -> {keep_state, N + 1};
handle_event(cast, request, closed, postponing) -> {keep_state_and_data, [postpone]};
handle_event(cast, request, closed, dropping) -> keep_state_and_data;
handle_event({call, From}, count, open, N) -> {keep_state_and_data, [{reply, From, N}]};
handle_event({call, From}, state, State, _) -> {keep_state_and_data, [{reply, From, State}]}.

start(Arg) ->
    {ok, S} = gen_statem:start(?MODULE, Arg, []),
    S.

%% The client's call may come when the session has expired: it has no answer for that, fails,
%% and its caller with it.
expiry_bug() ->
    S = start({session, waiting}),
    together([fun() -> ok = gen_statem:call(S, strict_confirm) end]),
    gen_statem:stop(S).

%% The confirmation is taken in both states.
expiry_fix() ->
    S = start({session, waiting}),
    together([fun() -> gen_statem:cast(S, confirm) end]),
    true = lists:member(gen_statem:call(S, state), [confirmed, expired]),
    gen_statem:stop(S).

%% A request that comes before the connection is open is dropped.
too_early_bug() -> requests({dropping, closed}).

%% It is postponed.
too_early_fix() -> requests({postponing, closed}).

requests(Arg) ->
    S = start(Arg),
    together([fun() -> gen_statem:cast(S, open) end, fun() -> gen_statem:cast(S, request) end]),
    1 = gen_statem:call(S, count),
    gen_statem:stop(S).

%% The test looks at the state once, and takes it for the last one.
retry_bug() ->
    S = start({session, waiting}),
    waiting = gen_statem:call(S, state),
    gen_statem:stop(S).

%% It lets the session expire, which only takes time.
retry_fix() ->
    S = start({session, waiting}),
    receive after 2000 -> ok end,
    expired = gen_statem:call(S, state),
    gen_statem:stop(S).
