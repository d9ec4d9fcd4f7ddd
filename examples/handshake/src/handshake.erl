%% One end of a connection. What comes from the other end is told to it by incoming/2; what
%% it has to say goes through the fun that it was given.
%%
%%   calling    has said hello and waits for a welcome
%%   answering  has got a hello, said welcome and waits for ready, or for data
%%   open       both know that the other is there
%%   listening  waits for a hello
%%
%% Data that is to be sent before the connection is open is postponed. When it is open,
%% the owner gets {handshake, Pid, open}, then {handshake, Pid, {data, Data}}; at the end
%% {handshake, Pid, closed} or, if nobody answers, {handshake, Pid, failed}.
-module(handshake).
-behaviour(gen_statem).

-export([connect/1, connect/2, listen/1, listen/2, incoming/2, send/2, state/1, close/1]).
-export([init/1, callback_mode/0, calling/3, answering/3, open/3, listening/3]).

-type transport() :: fun((message()) -> term()).
-type message() :: hello | welcome | ready | {data, term()} | bye.
-type options() :: #{tries => pos_integer(), patience => pos_integer(), idle => timeout()}.

-record(data, {owner :: pid(),
               transport :: transport(),
               tries :: pos_integer(),     % how often something is said
               patience :: pos_integer(),  % milliseconds until it is said again
               idle :: timeout(),          % an open connection is closed after that
               said = 0 :: non_neg_integer()}).

-spec connect(transport()) -> {ok, pid()}.
connect(Transport) -> connect(Transport, #{}).

-spec connect(transport(), options()) -> {ok, pid()}.
connect(Transport, Options) -> start(calling, Transport, Options).

-spec listen(transport()) -> {ok, pid()}.
listen(Transport) -> listen(Transport, #{}).

-spec listen(transport(), options()) -> {ok, pid()}.
listen(Transport, Options) -> start(listening, Transport, Options).

-spec incoming(pid(), message()) -> ok.
incoming(Pid, Message) -> gen_statem:cast(Pid, Message).

%% Returns when the connection is open and the data on its way.
-spec send(pid(), term()) -> ok.
send(Pid, Data) -> gen_statem:call(Pid, {send, Data}).

-spec state(pid()) -> calling | answering | open | listening.
state(Pid) -> gen_statem:call(Pid, state).

-spec close(pid()) -> ok.
close(Pid) -> gen_statem:cast(Pid, close).

start(State, Transport, Options) ->
    gen_statem:start_link(?MODULE, {State, self(), Transport, Options}, []).

callback_mode() -> [state_functions, state_enter].

init({State, Owner, Transport, Options}) ->
    {ok, State, #data{owner = Owner, transport = Transport,
                      tries = maps:get(tries, Options, 4),
                      patience = maps:get(patience, Options, 100),
                      idle = maps:get(idle, Options, infinity)}}.

listening(enter, _, _) -> keep_state_and_data;
listening(cast, hello, Data) -> {next_state, answering, Data};
listening(Type, Content, Data) -> common(Type, Content, listening, Data).

calling(enter, _, Data) -> say(hello, Data#data{said = 0});
calling(cast, welcome, #data{transport = Transport} = Data) ->
    Transport(ready),
    {next_state, open, Data};
calling(Type, Content, Data) -> common(Type, Content, calling, Data).

answering(enter, _, Data) -> say(welcome, Data#data{said = 0});
answering(cast, ready, Data) -> {next_state, open, Data};
%% The ready was lost, but whoever sends data has seen the welcome.
answering(cast, {data, _}, Data) -> {next_state, open, Data, postpone};
%% The welcome was lost.
answering(cast, hello, #data{transport = Transport}) -> Transport(welcome), keep_state_and_data;
answering(Type, Content, Data) -> common(Type, Content, answering, Data).

open(enter, _, Data) ->
    tell(open, Data),
    {keep_state_and_data, idle(Data)};
open(cast, {data, Term}, Data) ->
    tell({data, Term}, Data),
    {keep_state_and_data, idle(Data)};
%% The ready was lost.
open(cast, welcome, #data{transport = Transport}) -> Transport(ready), keep_state_and_data;
open({call, From}, {send, Term}, #data{transport = Transport} = Data) ->
    Transport({data, Term}),
    {keep_state_and_data, [{reply, From, ok}, idle(Data)]};
open({timeout, idle}, _, Data) ->
    finish(Data);
open(Type, Content, Data) -> common(Type, Content, open, Data).

common(state_timeout, Message, _, #data{said = Said, tries = Tries} = Data) when Said < Tries ->
    say(Message, Data);
common(state_timeout, _, _, Data) ->
    tell(failed, Data),
    {stop, normal};
common({call, From}, state, State, _) ->
    {keep_state_and_data, {reply, From, State}};
common({call, _}, {send, _}, _, _) ->
    {keep_state_and_data, postpone};
common(cast, close, _, #data{transport = Transport} = Data) ->
    Transport(bye),
    finish(Data);
common(cast, bye, _, Data) ->
    finish(Data);
common(cast, _, _, _) ->
    keep_state_and_data.

%% Says it, and will say it again: each time after twice as long.
say(Message, #data{transport = Transport, said = Said, patience = Patience} = Data) ->
    Transport(Message),
    {keep_state, Data#data{said = Said + 1}, {state_timeout, Patience bsl Said, Message}}.

idle(#data{idle = Idle}) -> {{timeout, idle}, Idle, over}.

finish(Data) ->
    tell(closed, Data),
    {stop, normal}.

tell(What, #data{owner = Owner}) -> Owner ! {?MODULE, self(), What}.
