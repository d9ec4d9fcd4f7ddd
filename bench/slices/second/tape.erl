-module(tape).
-export([main/1]).

main(Input) ->
    {State, {Left, Head, Right}, Steps} = run(start, {[], blank, Input}, 0),
    Written = lists:reverse(Left) ++ [Head | Right],
    Ok = State =:= halt,
    {Ok, Written, Steps}.

run(halt, Tape, Steps) -> {halt, Tape, Steps};
run(State, {L, H, R}, Steps) ->
    {Next, Symbol, Move} = rule(State, H),
    Tape = move(Move, {L, Symbol, R}),
    run(Next, Tape, Steps + 1).

rule(start, blank) -> {scan, blank, right};
rule(scan, 1) -> {scan, 0, right};
rule(scan, 0) -> {scan, 1, right};
rule(scan, blank) -> {halt, blank, stay}.

move(stay, Tape) -> Tape;
move(right, {L, H, []}) -> {[H | L], blank, []};
move(right, {L, H, [R | Rs]}) -> {[H | L], R, Rs};
move(left, {[], H, R}) -> {[], blank, [H | R]};
move(left, {[L | Ls], H, R}) -> {Ls, L, [H | R]}.
