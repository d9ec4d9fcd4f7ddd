%% Values are made known on both sides before they are ordered; maps by their sizes, keys, values.
%% RUN: fathom gen --no-project %s -f order:both/2 --paths --length 1 --size 5 | grep wrong || echo no wrong predictions
%% RUN: fathom gen --no-project %s -f order:message/1
-module(order).
-export([both/2, message/1]).

both(#{a := A} = M, #{a := B} = N) when M >= N -> {A >= B, M =:= N};
both(_, _) -> less.

message(X) ->
    receive
        {Y = <<_/bits>>, _} -> if #{a => Y} >= #{a => X} -> not_less; true -> less end
    after 0 -> none
    end.
%% OUT: no wrong predictions
%% OUT: order:message/1: 3 tests, 5 of 5 clauses covered
%% OUT:   order:message(0)                                              ->  none
%% OUT:       alone covers clause 5 of order:message/1 (order.erl:11)
%% OUT:   self() ! {<<>>,1}, order:message(0)                           ->  not_less
%% OUT:       alone covers clause 3 of order:message/1 (order.erl:12)
%% OUT:   self() ! {<<0,0>>,0}, self() ! 1, order:message(<<0,0,0,0,0,0,0,0>>)  ->  less
%% OUT:       alone covers clause 4 of order:message/1 (order.erl:12)
