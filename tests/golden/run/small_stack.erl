%% RUN: ulimit -s 256
%% RUN: fathom run -e 'small_stack:all()' %s
%% However long a program runs, the C++ stack stays small: each of these does hundreds
%% of thousands of times what would leave a frame there if an instruction did not end
%% with a jump to the next one.
-module(small_stack).
-export([all/0, id/1, add/2]).

-define(TIMES, 300000).

all() ->
    lists:sort([loop(Name, ?TIMES) || Name <- [calls, funs, apply, apply_fun, dynamic, binaries,
                                               maps, guards, native, badarith, badarg, badarity,
                                               case_clause, throws]]
               ++ [long(2000000), deep(1000000)]).

loop(Name, 0) -> Name;
loop(Name, N) ->
    step(Name, N),
    loop(Name, N - 1).

step(calls, N) -> ?MODULE:id(N);
step(funs, N) -> F = fun(X) -> X + N end, F(1);
step(apply, N) -> apply(?MODULE, add, [N, 1]);
step(apply_fun, N) -> apply(fun(X, Y) -> X - Y end, [N, 1]);
step(dynamic, N) -> M = id(?MODULE), F = id(add), M:F(N, N);
step(binaries, N) -> <<A:8, _/bitstring>> = <<N:16, (integer_to_binary(N))/binary>>, A;
step(maps, N) -> #{N := X} = maps:put(b, N, #{N => 1, a => #{}}), X;
step(guards, N) when hd(N) =:= 1; element(N, {}) =:= 1; N + a =:= 1; map_get(N, #{}) -> never;
step(guards, N) -> N;
step(native, N) -> maps:get(N, #{}, N) + length(lists:map(fun id/1, [N]));
step(badarith, N) -> try N + id(a) catch error:badarith -> N end;
step(badarg, N) -> try hd(N) + atom_to_list(N) catch error:badarg -> N end;
step(badarity, N) -> try (fun() -> N end)(N) catch error:{badarity, _} -> N end;
step(case_clause, N) -> try case id(N) of a -> a end catch error:{case_clause, N} -> N end;
step(throws, N) -> try throw(N) catch throw:N -> N end.

long(0) -> long;
long(N) -> long(N - 1).

deep(N) -> count(N) =:= N andalso deep.

count(0) -> 0;
count(N) -> 1 + count(N - 1).

id(X) -> X.
add(X, Y) -> X + Y.
%% OUT: [apply,apply_fun,badarg,badarith,badarity,binaries,calls,case_clause,deep,
%% OUT:  dynamic,funs,guards,long,maps,native,throws]
