%% A server of OTP: what its clients ask for flows through gen_server to the patterns of its
%% callbacks, and its state from one callback to the next.
%% RUN: fathom run %s -e 'till:day()' --cover=data_flow --verbose
-module(till).
-behaviour(gen_server).
-export([day/0, start/0, pay/2, total/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(sum, {cents = 0}).

start() -> gen_server:start(?MODULE, [], []).
pay(Till, Cents) -> gen_server:cast(Till, {pay, Cents}).
total(Till) -> gen_server:call(Till, total).

day() ->
    {ok, Till} = start(),
    pay(Till, 5),
    total(Till).

init([]) -> {ok, #sum{}}.

handle_call(total, _From, #sum{cents = Cents} = Sum) -> {reply, Cents, Sum}.

handle_cast({pay, Cents}, #sum{cents = Before} = Sum) when Cents > 0 ->
    {noreply, Sum#sum{cents = Before + Cents}};
handle_cast({pay, _}, #sum{} = Sum) ->
    {noreply, Sum}.
%% OUT: 5
%% ERR: till.erl:20:18: not covered: data_flow (#sum{} matched by #sum{cents = Cents} at till.erl:22:27)
%% ERR: till.erl:25:15: not covered: data_flow (Sum#sum{cents = Before + Cents} matched by #sum{cents = Before} at till.erl:24:27)
%% ERR: till.erl:25:15: not covered: data_flow (Sum#sum{cents = Before + Cents} matched by Sum#sum{cents = Before + Cents} at till.erl:25:15)
%% ERR: coverage  data_flow
%% ERR: till       70% 7/10
