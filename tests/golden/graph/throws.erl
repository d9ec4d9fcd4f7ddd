%% A throw that a catch in between keeps from the outer one.
-module(throws).
-export([main/0]).

main() -> catch outer(1).

outer(X) ->
    Early = (catch middle(X)),
    throw({late, Early}).

middle(X) -> [inner(X)].

inner(X) -> throw({early, X}).
