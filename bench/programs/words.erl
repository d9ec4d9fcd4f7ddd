%% Maps: counting words, small maps as objects, an inverted index.
-module(words).
-export([main/0]).

main() ->
    Words = text(400000, 7, []),
    Counts = count(Words, #{}),
    Index = index(Words, 1, #{}),
    People = [#{name => W, age => N rem 80, city => N rem 7} || {W, N} <- maps:to_list(Counts)],
    Older = birthdays(20, People),
    {maps:size(Counts), maps:fold(fun(_, N, Sum) -> Sum + N end, 0, Counts),
     lists:sum([length(Places) || Places <- maps:values(Index)]),
     lists:sum([Age || #{age := Age, city := 3} <- Older]),
     lists:sublist(lists:reverse(lists:keysort(2, maps:to_list(Counts))), 3)}.

text(0, _, Words) -> Words;
text(N, Seed, Words) ->
    Next = (Seed * 1103515245 + 12345) band 16#7FFFFFFF,
    text(N - 1, Next, [word(Next bsr 7) | Words]).

word(N) -> list_to_atom([$w | integer_to_list((N rem 61) * (N rem 47))]).

count([], Counts) -> Counts;
count([Word | Words], Counts) ->
    case Counts of
        #{Word := N} -> count(Words, Counts#{Word := N + 1});
        #{} -> count(Words, Counts#{Word => 1})
    end.

index([], _, Index) -> Index;
index([Word | Words], Place, Index) ->
    index(Words, Place + 1, maps:update_with(Word, fun(Ps) -> [Place | Ps] end, [Place], Index)).

birthdays(0, People) -> People;
birthdays(N, People) ->
    birthdays(N - 1, [P#{age := Age + 1, last => N} || #{age := Age} = P <- People]).
