%% Exceptions: throw as an exit from a search, errors caught, after, catch.
-module(exceptions).
-export([main/0]).

main() ->
    {searches(15000, lists:seq(1, 200), 0), checked(1500000, 0), nested(900000, 0), caught(900000, 0)}.

searches(0, _, Sum) -> Sum;
searches(N, List, Sum) ->
    Found = try find(N rem 200, List) of
                none -> 0
            catch
                throw:{found, X} -> X
            end,
    searches(N - 1, List, Sum + Found).

find(_, []) -> none;
find(Wanted, [X | _]) when X =:= Wanted -> throw({found, X});
find(Wanted, [_ | Xs]) ->
    Result = find(Wanted, Xs),
    Result.

checked(0, Sum) -> Sum;
checked(N, Sum) ->
    Result = try divide(N, N rem 3) catch error:badarith -> -1 end,
    checked(N - 1, Sum + Result).

divide(X, Y) -> X div Y.

nested(0, Sum) -> Sum;
nested(N, Sum) ->
    X = try
            try step(N) after Sum end
        catch
            exit:{stop, Y} -> Y;
            _:_ -> 1
        end,
    nested(N - 1, Sum + X).

step(N) when N rem 4 =:= 0 -> exit({stop, N});
step(N) when N rem 4 =:= 1 -> error(odd);
step(N) -> N.

caught(0, Sum) -> Sum;
caught(N, Sum) ->
    case catch maybe_throw(N) of
        {'EXIT', _} -> caught(N - 1, Sum);
        X -> caught(N - 1, Sum + X)
    end.

maybe_throw(N) when N rem 2 =:= 0 -> throw(N);
maybe_throw(N) -> N + 1.
