%% RUN: fathom run %s -e 'order_of_append:t()'
%% What follows a comprehension is evaluated before it, as OTP's compiler has it; other
%% operands of ++ from left to right.
-module(order_of_append).
-export([t/0]).

t() ->
    put(seen, []),
    {[see(comprehension, X) || X <- [1, 2]] ++ see(behind, [3]),
     see(left, [4]) ++ see(right, [5]),
     lists:reverse(get(seen))}.

see(Name, Value) ->
    put(seen, [Name | get(seen)]),
    Value.
%% OUT: {[1,2,3],[4,5],[behind,comprehension,comprehension,left,right]}
