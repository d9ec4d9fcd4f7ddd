-module(machine1).
-export([main/1]).

main(Program) ->
    {Stack, Env, Trace} = exec(Program, {[], [], []}),
    Top = case Stack of [T | _] -> T; [] -> empty end,
    Bound = length(Env),
    {Top, Bound, lists:reverse(Trace)}.

exec([], S) -> S;
exec([{push, N} | P], {St, Env, Tr}) -> exec(P, {[N | St], Env, [push | Tr]});
exec([add | P], {[A, B | St], Env, Tr}) -> exec(P, {[A + B | St], Env, [add | Tr]});
exec([{store, X} | P], {[A | St], Env, Tr}) -> exec(P, {St, [{X, A} | Env], [store | Tr]});
exec([{load, X} | P], {St, Env, Tr}) ->
    {_, V} = lists:keyfind(X, 1, Env),
    exec(P, {[V | St], Env, [load | Tr]});
exec([pop | P], {[_ | St], Env, Tr}) -> exec(P, {St, Env, [pop | Tr]}).
