%% The small predicates by which generators of tests for logic programs are measured.
-module(classics).
-export([member/2, append/2, double_append/3, append_last/2, partition/2, transpose/1, match/2,
         match_append/2, max_length/1, reverse_type/1]).

-spec member(integer(), [integer()]) -> boolean().
member(_, []) -> false;
member(X, [X | _]) -> true;
member(X, [_ | T]) -> member(X, T).

-spec append([integer()], [integer()]) -> [integer()].
append([], L) -> L;
append([X | Xs], L) -> [X | append(Xs, L)].

-spec double_append([integer()], [integer()], [integer()]) -> [integer()].
double_append(A, B, C) -> append(append(A, B), C).

%% The last element of the list with the element behind it.
-spec append_last([integer()], integer()) -> integer().
append_last(L, X) -> last(append(L, [X])).

last([X]) -> X;
last([_ | T]) -> last(T).

%% What is not larger than the pivot, and what is.
-spec partition(integer(), [integer()]) -> {[integer()], [integer()]}.
partition(_, []) -> {[], []};
partition(P, [X | Xs]) ->
    {Low, High} = partition(P, Xs),
    if
        X =< P -> {[X | Low], High};
        true -> {Low, [X | High]}
    end.

-spec transpose([[integer()]]) -> [[integer()]].
transpose([]) -> [];
transpose([[] | _]) -> [];
transpose(Rows) -> [heads(Rows) | transpose(tails(Rows))].

heads([]) -> [];
heads([[X | _] | Rows]) -> [X | heads(Rows)].

tails([]) -> [];
tails([[_ | Xs] | Rows]) -> [Xs | tails(Rows)].

%% Whether the first list is a part of the second.
-spec match([integer()], [integer()]) -> boolean().
match(P, L) -> match(P, L, P, L).

match([], _, _, _) -> true;
match([X | Ps], [X | Ls], P, L) -> match(Ps, Ls, P, L);
match([_ | _], _, _, []) -> false;
match([_ | _], _, P, [_ | L]) -> match(P, L, P, L).

%% The same, by appending.
-spec match_append([integer()], [integer()]) -> boolean().
match_append(P, L) -> is_prefix(P, L) orelse match_tail(P, L).

match_tail(_, []) -> false;
match_tail(P, [_ | L]) -> match_append(P, L).

is_prefix([], _) -> true;
is_prefix([X | P], [X | L]) -> is_prefix(P, L);
is_prefix(_, _) -> false.

%% The largest element and the number of elements.
-spec max_length([non_neg_integer()]) -> {non_neg_integer(), non_neg_integer()}.
max_length(L) -> max_length(L, 0, 0).

max_length([], Max, N) -> {Max, N};
max_length([X | Xs], Max, N) when X > Max -> max_length(Xs, X, N + 1);
max_length([_ | Xs], Max, N) -> max_length(Xs, Max, N + 1).

%% Reversed, if all of it are numbers.
-spec reverse_type([integer() | atom()]) -> [integer()] | no_list.
reverse_type(L) -> reverse_type(L, []).

reverse_type([], Acc) -> Acc;
reverse_type([X | Xs], Acc) when is_integer(X) -> reverse_type(Xs, [X | Acc]);
reverse_type(_, _) -> no_list.
