%% Turns each + into *, and leaves everything else alone.
-module(times).
-export([parse_transform/2]).

parse_transform(Forms, _Options) -> [form(F) || F <- Forms].

form({function, Place, Name, Arity, Clauses}) -> {function, Place, Name, Arity, walk(Clauses)};
form(Form) -> Form.

walk({op, Place, '+', X, Y}) -> {op, Place, '*', walk(X), walk(Y)};
walk(Node) when is_tuple(Node) -> list_to_tuple(walk(tuple_to_list(Node)));
walk([Node | Nodes]) -> [walk(Node) | walk(Nodes)];
walk(Other) -> Other.
