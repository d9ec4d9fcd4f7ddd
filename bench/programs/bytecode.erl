%% An interpreter of a stack machine: a case of many clauses, state in arguments.
-module(bytecode).
-export([main/0]).

main() -> {run(sum_program(), 450000), run(collatz_program(), 12000)}.

run(Program, Input) -> step(0, list_to_tuple(Program), [Input], #{}).

step(At, Program, Stack, Variables) ->
    case element(At + 1, Program) of
        {push, N} -> step(At + 1, Program, [N | Stack], Variables);
        {load, V} -> step(At + 1, Program, [maps:get(V, Variables) | Stack], Variables);
        {store, V} -> step(At + 1, Program, tl(Stack), Variables#{V => hd(Stack)});
        pop -> step(At + 1, Program, tl(Stack), Variables);
        dup -> step(At + 1, Program, [hd(Stack) | Stack], Variables);
        swap ->
            [X, Y | Rest] = Stack,
            step(At + 1, Program, [Y, X | Rest], Variables);
        {jump, To} -> step(To, Program, Stack, Variables);
        {jump_if_zero, To} ->
            case Stack of
                [0 | Rest] -> step(To, Program, Rest, Variables);
                [_ | Rest] -> step(At + 1, Program, Rest, Variables)
            end;
        halt -> hd(Stack);
        Operator ->
            [Y, X | Rest] = Stack,
            step(At + 1, Program, [compute(Operator, X, Y) | Rest], Variables)
    end.

compute(add, X, Y) -> X + Y;
compute(subtract, X, Y) -> X - Y;
compute(multiply, X, Y) -> X * Y;
compute(divide, X, Y) -> X div Y;
compute(remainder, X, Y) -> X rem Y;
compute(less, X, Y) when X < Y -> 1;
compute(less, _, _) -> 0;
compute(equal, X, X) -> 1;
compute(equal, _, _) -> 0.

sum_program() ->
    [{store, n}, {push, 0}, {store, sum},
     {load, n}, {jump_if_zero, 14},
     {load, n}, {load, sum}, add, {push, 1000003}, remainder, {store, sum},
     {load, n}, {push, 1}, {jump, 15},
     {jump, 18},
     subtract, {store, n}, {jump, 3},
     {load, sum}, halt].

%% The longest way of the numbers up to the input.
collatz_program() ->
    [{store, i}, {push, 0}, {store, best},
     {load, i}, {jump_if_zero, 38},
     {load, i}, {store, x}, {push, 0}, {store, steps},
     {load, x}, {push, 1}, equal, {jump_if_zero, 14}, {jump, 29},
     {load, x}, dup, {push, 2}, remainder, {jump_if_zero, 24},
     {push, 3}, multiply, {push, 1}, add, {jump, 26},
     {push, 2}, divide,
     {store, x}, {load, steps}, {jump, 40},
     {load, best}, {load, steps}, less, {jump_if_zero, 35}, {load, steps}, {store, best},
     {load, i}, {push, 1}, {jump, 44},
     {load, best}, halt,
     {push, 1}, add, {store, steps}, {jump, 9},
     subtract, {store, i}, {jump, 3}].
