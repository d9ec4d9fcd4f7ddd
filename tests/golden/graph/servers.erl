%% Two servers that share all of OTP's code, and not each other's clients.
%% RUN: fathom graph %s -t servers:test | sed "s/ in [0-9.]* s$//"
-module(servers).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, Stack} = gen_server:start_link(?MODULE, stack, []),
    {ok, _} = gen_server:start_link({local, log}, ?MODULE, log, []),
    ok = gen_server:call(Stack, {push, 1}),
    gen_server:cast(log, {line, "pushed"}),
    gen_server:call(Stack, pop).

init(Kind) -> {ok, {Kind, []}}.

handle_call({push, X}, _From, {Kind, Items}) -> {reply, ok, {Kind, [X | Items]}};
handle_call(pop, _From, {Kind, [X | Items]}) -> {reply, X, {Kind, Items}}.

handle_cast({line, Line}, {Kind, Lines}) -> {noreply, {Kind, [Line | Lines]}}.
%% OUT: 4 functions, 5 calls, 0 starts of processes, 0 messages
%% OUT:
%% OUT: Processes
%% OUT:   caller of fathom_expression:value/0
%% OUT:     enters at expression:1:49  
%% OUT:     sends to log
%% OUT:       servers.erl:11:5  gen_server:cast(log, {line, "pushed"})
%% OUT:     sends to started by servers:test/0, line 8
%% OUT:       servers.erl:10:10  gen_server:call(Stack, {push, 1})
%% OUT:       servers.erl:12:5  gen_server:call(Stack, pop)
%% OUT:   started by servers:test/0, line 8
%% OUT:     started at servers.erl:8:19  gen_server:start_link(?MODULE, stack, [])
%% OUT:     sends to caller of fathom_expression:value/0
%% OUT:       answers servers.erl:10:10  gen_server:call(Stack, {push, 1})
%% OUT:       answers servers.erl:12:5  gen_server:call(Stack, pop)
%% OUT:   log
%% OUT:     started at servers.erl:9:15  gen_server:start_link({local, log}, ?MODULE, log, [])
