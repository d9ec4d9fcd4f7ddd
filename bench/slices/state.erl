-module(state).
-export([main/1]).

main(Commands) ->
    {Stack, Count, Errors} = run(Commands, {[], 0, 0}),
    {Stack, Errors, Count}.

run([], State) -> State;
run([push | Cs], {S, N, E}) -> run(Cs, {[N | S], N + 1, E});
run([pop | Cs], {[_ | S], N, E}) -> run(Cs, {S, N + 1, E});
run([pop | Cs], {[], N, E}) -> run(Cs, {[], N + 1, E + 1}).
