%% Families of programs that meet on mailboxes, of any size.
%%
%% Two sends to one process are in conflict only if some receive could have taken either of
%% the two messages. In other words: what counts is which message each receive takes.
-module(families_messages).
-export([any_order/1, first_only/1, first_two/1, fixed_order/1, nobody_receives/1, pairs/1,
         equal/1, two_each/1, even_only/1, halves/1, polled/1, polled_for_one/1, ring/1, calls/1,
         to_the_dead/1, two_boxes/1, forwarded/1, hidden_references/1, own_references/1]).

-include("together.hrl").

%% N senders; Receive is what the test does meanwhile.
senders(N, Receive) ->
    Me = self(),
    Workers = [spawn_monitor(fun() -> Me ! I end) || I <- lists:seq(1, N)],
    Received = Receive(),
    join(Workers),
    Received.

number() -> receive X when is_integer(X) -> X end.

%% The receiver takes them as they come: N!.
any_order(N) -> senders(N, fun() -> [number() || _ <- lists:seq(1, N)] end).

%% Each message holds the reference that the receiver asks for, somewhere inside: N!.
hidden_references(N) ->
    Me = self(),
    R = make_ref(),
    Deep = [x, {y, [z | R]}],
    Long = lists:seq(1, 40),
    Parts = [R, Deep, #{key => R}, {Long, R}],
    Workers = [spawn_monitor(fun() -> Me ! {I, Part} end)
               || {I, Part} <- lists:zip(lists:seq(1, N), lists:sublist(Parts, N))],
    [receive
         {I, R} -> I;
         {I, [_, {_, [_ | R]}]} -> I;
         {I, #{key := R}} -> I;
         {I, {_, R}} -> I
     end || _ <- Workers],
    join(Workers).

%% Each holds a reference of its own, and they are taken one after the other: 1.
own_references(N) ->
    Me = self(),
    Refs = [make_ref() || _ <- lists:seq(1, N)],
    Workers = [spawn_monitor(fun() -> Me ! {answer, R, [R]} end) || R <- Refs],
    [receive {answer, R, [R]} -> ok end || R <- Refs],
    join(Workers).

%% It takes one only, and the order of the others is nobody's business: N.
first_only(N) -> senders(N, fun number/0).

%% N choices for the first, N - 1 for the second: N (N - 1).
first_two(N) -> senders(N, fun() -> [number(), number()] end).

%% Each receive can take one of the messages only: 1.
fixed_order(N) -> senders(N, fun() -> [receive I -> I end || I <- lists:seq(1, N)] end).

%% No receive at all: 1.
nobody_receives(N) -> senders(N, fun() -> ok end).

%% N receivers with a sender each: 1.
pairs(N) ->
    together([fun() -> Me = self(), spawn(fun() -> Me ! I end), receive X -> X end end
              || I <- lists:seq(1, N)]).

%% N equal messages: which of them a receive takes makes no difference: 1.
equal(N) ->
    Me = self(),
    Workers = [spawn_monitor(fun() -> Me ! done end) || _ <- lists:seq(1, N)],
    [receive done -> ok end || _ <- Workers],
    join(Workers).

%% Two messages from each of N senders. Those of one sender come in their order, so it is
%% the number of ways to merge N sequences of two: (2N)! / 2^N.
two_each(N) ->
    Me = self(),
    Workers = [spawn_monitor(fun() -> Me ! I, Me ! -I end) || I <- lists:seq(1, N)],
    Received = [number() || _ <- lists:seq(1, 2 * N)],
    join(Workers),
    Received.

%% Only even numbers are taken; odd ones stay where they are: (N div 2)!.
even_only(N) ->
    senders(N, fun() -> [receive X when X rem 2 =:= 0 -> X end || _ <- lists:seq(1, N div 2)] end).

%% One receive for N small numbers, then one for N large ones. The large number may well have
%% come first: N^2.
halves(N) ->
    senders(2 * N, fun() ->
                       {receive X when X =< N -> X end,
                        receive Y when is_integer(Y), Y > N -> Y end}
                   end).

%% One look into the mailbox: it finds nothing, or what came first: N + 1.
polled(N) ->
    senders(N, fun() -> receive X when is_integer(X) -> X after 0 -> none end end).

%% The look is for one of the messages: 2.
polled_for_one(N) -> senders(N, fun() -> receive 1 -> 1 after 0 -> none end end).

%% A token goes around N processes once: 1.
ring(N) ->
    Last = lists:foldl(
             fun(_, Next) -> spawn(fun() -> receive token -> Next ! token end end) end,
             self(), lists:seq(1, N)),
    Last ! token,
    receive token -> ok end.

%% N clients of a server, which answers in the order in which they ask: N!.
calls(N) ->
    Server = spawn(fun() -> [receive {From, Q} -> From ! {reply, Q} end || _ <- lists:seq(1, N)] end),
    together([fun() -> Server ! {self(), I}, receive {reply, I} -> ok end end
              || I <- lists:seq(1, N)]).

%% N messages to a process that ends at once. Whether they find it alive nobody can tell: 1.
to_the_dead(N) ->
    P = spawn(fun() -> ok end),
    together([fun() -> P ! I end || I <- lists:seq(1, N)]).

%% N processes send to one box and then to another; both are emptied in order of arrival. No
%% process goes from the second box to the first, so any two orders fit together: N!^2.
two_boxes(N) ->
    Take = fun() -> [receive X -> X end || _ <- lists:seq(1, N)] end,
    A = spawn(Take),
    B = spawn(Take),
    together([fun() -> A ! I, B ! I end || I <- lists:seq(1, N)]).

%% N orders at the first box, and the second gets the messages in that one: N!.
forwarded(N) ->
    Me = self(),
    Forwarder = spawn(fun() -> [receive X -> Me ! {got, X} end || _ <- lists:seq(1, N)] end),
    together([fun() -> Forwarder ! I end || I <- lists:seq(1, N)]),
    [receive {got, X} -> X end || _ <- lists:seq(1, N)].
