-module(alike).
-export([main/1]).

%% How many commands there are does not depend on what they do to the stack.
main(Commands) ->
    {Stack, Count, Errors} = run(Commands, {[], 0, 0}),
    {Count, Errors, Stack}.

run([], State) -> State;
run([push | Cs], {S, N, E}) -> run(Cs, {[N | S], N + 1, E});
run([pop | Cs], {[_ | S], N, E}) -> run(Cs, {S, N + 1, E});
run([pop | Cs], {[], N, E}) -> run(Cs, {[], N + 1, E + 1});
run([nop | Cs], {S, N, E}) -> run(Cs, {S, N, E});
run([_ | Cs], {_, N, E}) -> run(Cs, {[], N + 1, E + 1}).
