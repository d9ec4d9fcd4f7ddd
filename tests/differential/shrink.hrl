%% Cutting a module that differs down to the smallest one that still does.
%%
%% The module's forms are taken apart as plain terms, without knowledge of the
%% grammar: an element of any list is left out, or any expression is replaced by a
%% part of itself or by a literal. What then is not a program does not compile and is
%% dropped. Attempts are made from the outside to the inside, many to one start of
%% Fathom; the first that still differs is gone on with, until none does or the time
%% (SHRINK seconds for each module) is over.

-define(ATTEMPTS, 40).

%% {Text, Call, {OTP's outcome, Fathom's}}
shrink(Dir, Name, Text, Calls) ->
    Deadline = erlang:monotonic_time(second) + setting("SHRINK", 60),
    [{compared, Expected, Got}] = outcomes(Dir, [{Name, Text, Calls}]),
    {Call, E, G} = first_difference(single_calls(Calls), Expected, Got),
    Kind = kind(E, G),
    Whole = {Text, Call, {E, G}},
    {ok, Forms} = epp:parse_file(filename:join(Dir, Name ++ ".erl"), []),
    Start = {simplified(Forms), Call, none},
    case first_different(Dir, Name, Kind, [Start]) of
        none -> Whole;
        Smaller ->
            {Smallest, SmallestCall, Outcomes} = smallest(Dir, {Name, Kind}, Smaller, 0, Deadline),
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
    [F || F <- Forms, element(1, F) =:= function orelse (element(1, F) =:= attribute andalso element(3, F) =/= file)].

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
smallest(Dir, What, {Forms, Call, _} = Best, From, Deadline) ->
    Attempts = attempts(Forms, Call),
    case search(Dir, What, lists:nthtail(min(From, length(Attempts)), Attempts), From, Deadline) of
        none when From =:= 0 -> Best;
        none -> smallest(Dir, What, Best, 0, Deadline);
        timeout -> Best;
        {At, Smaller} -> smallest(Dir, What, Smaller, At, Deadline)
    end.

search(_, _, [], _, _) -> none;
search(Dir, {Name, Kind} = What, Attempts, From, Deadline) ->
    Some = [Attempt() || Attempt <- lists:sublist(Attempts, ?ATTEMPTS)],
    case erlang:monotonic_time(second) >= Deadline of
        true -> timeout;
        false ->
            case first_different(Dir, Name, Kind, Some) of
                none -> search(Dir, What, lists:nthtail(length(Some), Attempts), From + ?ATTEMPTS, Deadline);
                {Forms, Call, _} = Found -> {From + index(Forms, Call, Some, 0), Found}
            end
    end.

index(Forms, Call, [{Forms, Call, _} | _], N) -> N;
index(Forms, Call, [_ | Rest], N) -> index(Forms, Call, Rest, N + 1).

%% What differs must stay, lest another difference is found: the value or exception, what
%% is in the process dictionary, or only the stack trace.
kind([E], [G]) -> kind(E, G);
kind({E, _} = Expected, {G, _} = Got) when E =/= G ->
    case without_trace(Expected) =:= without_trace(Got) of
        true -> trace;
        false when is_atom(element(1, E)), element(1, E) =:= element(1, G), element(2, E) =:= element(2, G) -> log;
        false -> value
    end;
kind({Same, E}, {Same, G}) when E =/= G -> log;
kind(Same, Same) -> none;
kind(_, _) -> failed.

%% The first of {Forms, Call, _} that differs, with its outcomes.
first_different(Dir, Name, Kind, Attempts) ->
    Numbered = lists:zip(lists:seq(1, length(Attempts)), Attempts),
    Modules = [{renamed(Name, N), T, C} || {N, {F, C, _}} <- Numbered, T <- renamed_text(F, Name, renamed(Name, N))],
    Outcomes = maps:from_list(lists:zip([N || {N, _, _} <- Modules], outcomes(Dir, Modules))),
    Different = [{F, C, {E, G}} || {N, {F, C, _}} <- Numbered,
                                   {compared, E, G} <- [maps:get(renamed(Name, N), Outcomes, none)], kind(E, G) =:= Kind],
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
    smaller(Forms, fun(F) -> {F, Call, none} end)
        ++ [fun() -> {Forms, C, none} end || C <- smaller_calls(Call)].

smaller_calls(Call) ->
    [{Name, Arguments}] = parse_term(Call),
    [lists:flatten(io_lib:format("~0tp", [[{Name, A}]])) || A <- smaller_values(Arguments)].

smaller_values([A | As]) ->
    [[S | As] || S <- [0, [], 1], S =/= A, not is_simple(A)] ++ [[A | S] || S <- smaller_values(As)];
smaller_values([]) -> [].

is_simple(A) -> A =:= 0 orelse A =:= [] orelse A =:= 1.

%% All terms that are this one made smaller in one place, from the outside to the
%% inside, as functions that make them: there are very many. Around(Part) is the whole
%% with Part in this place.
smaller(Term, Around) ->
    [fun() -> Around(S) end || S <- left_out(Term) ++ replaced(Term)] ++ inside(Term, Around).

%% Without a half of a list of nodes, a quarter, ..., one.
left_out(List) when is_list(List), length(List) > 0 ->
    case lists:all(fun(E) -> is_tuple(E) orelse is_list(E) end, List) of
        true -> without_chunks(List, length(List), max(1, length(List) div 2));
        false -> []
    end;
left_out(_) -> [].

without_chunks(List, Length, Size) ->
    [lists:sublist(List, At) ++ lists:nthtail(min(At + Size, Length), List) || At <- lists:seq(0, Length - 1, Size)]
        ++ case Size of
               1 -> [];
               _ -> without_chunks(List, Length, Size div 2)
           end.

%% By a part, however deep it stands in what is not an expression itself (a clause's body).
replaced(Node) ->
    case is_expression(Node) of
        true -> [L || L <- literals(element(2, Node)), not is_literal(Node)] ++ parts(tl(tl(tuple_to_list(Node))));
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

is_expression(Node) when is_tuple(Node), tuple_size(Node) > 2; element(1, Node) =:= nil ->
    lists:member(element(1, Node),
                 [atom, integer, float, char, string, nil, cons, tuple, map, bin, op, call, 'case', 'if', 'try', 'receive',
                  'fun', named_fun, lc, bc, block, 'catch', match, record, record_field, record_index, var, 'maybe', remote]);
is_expression(_) -> false.

inside(List, Around) when is_list(List) -> elements(List, [], Around);
inside(Node, Around) when is_tuple(Node), tuple_size(Node) > 2 ->
    [Tag, Anno | Fields] = tuple_to_list(Node),
    elements(Fields, [Anno, Tag], fun(Parts) -> Around(list_to_tuple(Parts)) end);
inside(_, _) -> [].

elements([E | Es], Before, Around) ->
    smaller(E, fun(S) -> Around(lists:reverse(Before, [S | Es])) end) ++ elements(Es, [E | Before], Around);
elements(_, _, _) -> [].
