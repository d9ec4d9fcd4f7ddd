%% The transforms of OTP: match specifications made of funs, exports of tests.
%% RUN: for call in 'otp:guard(7)' 'otp:record()' 'otp:trace(7)'; do fathom run %s -e "$call"; done
%% RUN: fathom run %s -e '[F || {Name, _} = F <- lists:sort(otp:module_info(exports)), Name =/= module_info]'
%% RUN: fathom run %s -e 'otp:one_test()'
-module(otp).
-include_lib("stdlib/include/ms_transform.hrl").
-include_lib("eunit/include/eunit.hrl").
-export([guard/1, record/0, trace/1]).

-record(r, {a, b = 2}).

guard(X) -> ets:fun2ms(fun({A, B}) when A > X, is_atom(B); A =:= 0 -> {B, [A + 1]} end).

record() -> ets:fun2ms(fun(#r{a = A} = R) -> {A, R} end).

trace(X) -> {dbg:fun2ms(fun([A, _]) when A == X -> return_trace() end), X}.

one_test() -> ?assert(not_exported()).

two_test_() -> [].

not_exported() -> true.
%% OUT: [{{'$1','$2'},[{'>','$1',{const,7}},{is_atom,'$2'}],[{{'$2',[{'+','$1',1}]}}]},
%% OUT:  {{'$1','$2'},[{'=:=','$1',0}],[{{'$2',[{'+','$1',1}]}}]}]
%% OUT: [{{r,'$1','_'},[],[{{'$1','$_'}}]}]
%% OUT: {[{['$1','_'],[{'==','$1',{const,7}}],[{return_trace}]}],7}
%% OUT: [{guard,1},{one_test,0},{record,0},{test,0},{trace,1},{two_test_,0}]
%% OUT: ok
