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
%% OUT: 4 functions, 2 processes, 5 messages, 0 calls of funs
%% OUT:
%% OUT: Processes
%% OUT:   servers:test
%% OUT:     sends to log
%% OUT:       servers.erl:11:5  gen_server:cast(log, {line, "pushed"})
%% OUT:     sends to process of servers:test/0, line 8
%% OUT:       servers.erl:10:10  gen_server:call(Stack, {push, 1})
%% OUT:       servers.erl:12:5  gen_server:call(Stack, pop)
%% OUT:   process of servers:test/0, line 8
%% OUT:     started at servers.erl:8:19  gen_server:start_link(?MODULE, stack, [])
%% OUT:     sends to servers:test
%% OUT:       answers servers.erl:10:10  gen_server:call(Stack, {push, 1})
%% OUT:       answers servers.erl:12:5  gen_server:call(Stack, pop)
%% OUT:   log
%% OUT:     started at servers.erl:9:15  gen_server:start_link({local, log}, ?MODULE, log, [])
%% OUT:
%% OUT: Definitions and uses
%% OUT:   70 definitions and 82 uses of variables, 82 pairs in one function
%% OUT:   a value goes on by funs in 0 places, by structures in 18, by messages in 0
