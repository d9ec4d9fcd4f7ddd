-module(account).
-export([main/1]).

main(Ops) ->
    {B, Log} = apply_all(Ops, {0, []}),
    audit(Log),
    Balance = B,
    {Balance, length(Log)}.

apply_all([], State) -> State;
apply_all([Op | Ops], {B, Log}) ->
    New = step(Op, B),
    Line = {Op, New - B},
    apply_all(Ops, {New, [Line | Log]}).

step({in, N}, B) -> B + N;
step({out, N}, B) when N =< B -> B - N;
step({out, _}, B) -> B;
step({fee, N}, B) -> B - N.

audit([]) -> ok;
audit([{_, D} | Log]) when is_integer(D) -> audit(Log).
