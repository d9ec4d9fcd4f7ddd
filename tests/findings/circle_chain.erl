%% Servers of one kind, each of which asks the next: no circle, as far as anybody knows.
%% ENTRY circle_chain:main
%% NOTE circular_call 15
-module(circle_chain).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() -> gen_server:call(chain(3, none), sum).

chain(0, Next) -> Next;
chain(N, Next) -> {ok, Pid} = gen_server:start_link(?MODULE, {N, Next}, []), chain(N - 1, Pid).

init(State) -> {ok, State}.
handle_call(sum, _From, {N, none}) -> {reply, N, {N, none}};
handle_call(sum, _From, {N, Next}) -> {reply, N + gen_server:call(Next, sum), {N, Next}}.

handle_cast(_, State) -> {noreply, State}.
