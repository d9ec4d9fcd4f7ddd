-module(chosen).
-export([main/2]).

main(X, Y) ->
  A = 1,
  B = A,
  C = B,
  Z = pick(X, {Y, B, C}),
  Z.

pick(X, {Y, B, C}) ->
  case X of
    123456789 ->
      Z = X / Y,
      Z + C;
    2 -> B;
    _ -> X / Y
  end.
