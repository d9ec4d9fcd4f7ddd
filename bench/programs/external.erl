%% The external term format: there and back.
-module(external).
-export([main/0]).

main() ->
    Term = [{I, <<"name ", (integer_to_binary(I))/binary>>, [I, I * I, -I], I / 3,
             #{id => I, tags => [a, b, {c, I}], text => "some text"}} || I <- lists:seq(1, 400)],
    repeat(800, Term, none).

repeat(0, Term, Last) -> {Last, erlang:phash2(Term)};
repeat(N, Term, _) ->
    Binary = term_to_binary(Term),
    Same = binary_to_term(Binary),
    true = Same =:= Term,
    repeat(N - 1, Same, {byte_size(Binary), erlang:crc32(Binary), depth(Same)}).

depth(X) when is_tuple(X) -> depth(tuple_to_list(X));
depth([X | Xs]) -> max(1 + depth(X), depth(Xs));
depth(_) -> 0.
