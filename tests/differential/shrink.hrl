%% Cutting a module that differs down to the smallest one that still does.
%%
%% The module's forms are taken apart as plain terms, without knowledge of the
%% grammar: an element of any list is left out, or any expression is replaced by a
%% part of itself or by a literal. What then is no program does not compile and is
%% dropped. Attempts are made from the outside to the inside, many to one start of
%% Fathom; the first that still differs is gone on with, until none does or the time
%% (SHRINK seconds for each module) is over.

-define(ATTEMPTS, 40).

%% {Text, Call, {OTP's outcome, Fathom's}}
shrink(Dir, Name, Text, Calls) ->
    Deadline = erlang:monotonic_time(second) + setting("SHRINK", 60),
    [{compared, Expected, Got}] = outcomes(Dir, [{Name, Text, Calls}]),
    {Call, E, G} = first_difference(single_calls(Calls), Expected, Got),
    Whole = {Text, Call, {E, G}},
    {ok, Forms} = epp:parse_file(filename:join(Dir, Name ++ ".erl"), []),
    Start = {simplified(Forms), Call, none},
    case first_different(Dir, Name, [Start]) of
        none -> Whole;
        Smaller ->
            {Smallest, SmallestCall, Outcomes} = smallest(Dir, Name, Smaller, 0, Deadline),
            {text(Smallest), SmallestCall, Outcomes}
    end.

single_calls(Calls) ->
    [lists:flatten(io_lib:format("~0tp", [[C]])) || C <- parse_term(Calls)].

first_difference([Call | _], _, {failed, _, _} = Got) -> {Call, none, Got};
first_difference([Call | Calls], [E | Es], [G | Gs]) ->
    case same(E, G) of
        true -> first_difference(Calls, Es, Gs);
        false -> {Call, E, G}
    end.

%% Without what only says where the text came from.
simplified(Forms) ->
    [case Form of
         {function, A, N, Arity, Clauses} -> {function, A, N, Arity, Clauses};
         Other -> Other
     end || Form <- Forms, element(1, Form) =/= eof, element(3, Form) =/= file, element(1, Form) =/= error].

text(Forms) ->
    Text = [["-feature(maybe_expr, enable).\n" || has_maybe(Forms)] | [erl_pp:form(F, [{encoding, unicode}]) || F <- Forms]],
    [Module | Rest] = [L || L <- string:split(lists:flatten(Text), "\n", all), L =/= ""],
    case Module of
        "-feature" ++ _ -> lists:flatten([[hd(Rest), "\n", Module, "\n"] | [[L, "\n"] || L <- tl(Rest)]]);
        _ -> lists:flatten([[L, "\n"] || L <- [Module | Rest]])
    end.

has_maybe(Term) when is_tuple(Term), tuple_size(Term) > 0 -> element(1, Term) =:= 'maybe' orelse has_maybe(tuple_to_list(Term));
has_maybe([H | T]) -> has_maybe(H) orelse has_maybe(T);
has_maybe(_) -> false.

%% Attempts before From have failed; what is behind goes on from there.
smallest(Dir, Name, {Forms, Call, _} = Best, From, Deadline) ->
    Attempts = [{F, C, none} || {F, C} <- attempts(Forms, Call)],
    case erlang:monotonic_time(second) >= Deadline of
        true -> Best;
        false ->
            case search(Dir, Name, Attempts, From, Deadline) of
                none when From =:= 0 -> Best;
                none -> smallest(Dir, Name, Best, 0, Deadline);
                {At, Smaller} -> smallest(Dir, Name, Smaller, At, Deadline)
            end
    end.

search(Dir, Name, Attempts, From, Deadline) ->
    case lists:nthtail(min(From, length(Attempts)), Attempts) of
        [] -> none;
        Left ->
            Some = lists:sublist(Left, ?ATTEMPTS),
            case first_different(Dir, Name, Some) of
                none ->
                    case erlang:monotonic_time(second) >= Deadline of
                        true -> none;
                        false -> search(Dir, Name, Attempts, From + ?ATTEMPTS, Deadline)
                    end;
                {Forms, Call, _} = Found -> {From + index(Forms, Call, Some, 0), Found}
            end
    end.

index(Forms, Call, [{Forms, Call, _} | _], N) -> N;
index(Forms, Call, [_ | Rest], N) -> index(Forms, Call, Rest, N + 1).

%% The first of {Forms, Call, _} that differs, with its outcomes.
first_different(Dir, Name, Attempts) ->
    Numbered = lists:zip(lists:seq(1, length(Attempts)), Attempts),
    Modules = [{renamed(Name, N), T, C} || {N, {F, C, _}} <- Numbered, T <- renamed_text(F, Name, renamed(Name, N))],
    Outcomes = maps:from_list(lists:zip([N || {N, _, _} <- Modules], outcomes(Dir, Modules))),
    Different = [{F, C, {E, G}} || {N, {F, C, _}} <- Numbered,
                                   {compared, E, G} <- [maps:get(renamed(Name, N), Outcomes, none)], not same(E, G)],
    case Different of
        [First | _] -> First;
        [] -> none
    end.

renamed(Name, N) -> Name ++ "_" ++ integer_to_list(N).

renamed_text(Forms, From, To) ->
    try [text(rename(Forms, list_to_atom(From), list_to_atom(To)))]
    catch _:_ -> []
    end.

rename(From, From, To) -> To;
rename(Tuple, From, To) when is_tuple(Tuple) -> list_to_tuple(rename(tuple_to_list(Tuple), From, To));
rename([H | T], From, To) -> [rename(H, From, To) | rename(T, From, To)];
rename(Other, _, _) -> Other.

attempts(Forms, Call) ->
    [{F, Call} || F <- smaller(Forms)]
        ++ [{Forms, C} || C <- smaller_calls(Call)].

smaller_calls(Call) ->
    [{Name, Arguments}] = parse_term(Call),
    [lists:flatten(io_lib:format("~0tp", [[{Name, A}]])) || A <- smaller_values(Arguments)].

smaller_values([A | As]) ->
    [[S | As] || S <- [0, [], 1], S =/= A, not is_simple(A)] ++ [[A | S] || S <- smaller_values(As)];
smaller_values([]) -> [].

is_simple(A) -> A =:= 0 orelse A =:= [] orelse A =:= 1.

%% All terms that are this one made smaller in one place, the largest steps first.
smaller(Term) -> left_out(Term) ++ replaced(Term) ++ inside(Term).

left_out(List) when is_list(List), length(List) > 0 ->
    case lists:all(fun(E) -> is_tuple(E) orelse is_list(E) end, List) of
        true -> halves(List) ++ [lists:sublist(List, N - 1) ++ lists:nthtail(N, List) || N <- lists:seq(1, length(List))];
        false -> []
    end;
left_out(_) -> [].

halves(List) when length(List) > 3 ->
    {Left, Right} = lists:split(length(List) div 2, List),
    [Left, Right];
halves(_) -> [].

%% A part, however deep it stands in what is no expression itself (a clause's body).
replaced(Node) ->
    case is_expression(Node) of
        true -> parts(tl(tl(tuple_to_list(Node)))) ++ [L || L <- literals(element(2, Node)), L =/= Node, not is_literal(Node)];
        false -> []
    end.

parts(List) when is_list(List) -> lists:append([parts(E) || E <- List]);
parts(Node) when is_tuple(Node) ->
    case is_expression(Node) of
        true -> [Node];
        false -> parts(tuple_to_list(Node))
    end;
parts(_) -> [].

literals(A) -> [{atom, A, a}, {integer, A, 0}, {nil, A}].
is_literal(Node) -> lists:member(element(1, Node), [atom, integer, nil]).

is_expression(Node) when is_tuple(Node), tuple_size(Node) >= 2 ->
    lists:member(element(1, Node),
                 [atom, integer, float, char, string, nil, cons, tuple, map, bin, op, call, 'case', 'if', 'try', 'receive',
                  'fun', named_fun, lc, bc, block, 'catch', match, record, record_field, record_index, var, 'maybe', remote]);
is_expression(_) -> false.

inside([H | T]) -> [[S | T] || S <- smaller(H)] ++ [[H | S] || S <- inside(T)];
inside(Node) when is_tuple(Node), tuple_size(Node) > 2 ->
    [Tag, Anno | Rest] = tuple_to_list(Node),
    [list_to_tuple([Tag, Anno | S]) || S <- fields(Rest)];
inside(_) -> [].

%% The fields of a node stay; each may become smaller.
fields([F | Fs]) -> [[S | Fs] || S <- smaller(F)] ++ [[F | S] || S <- fields(Fs)];
fields([]) -> [].
