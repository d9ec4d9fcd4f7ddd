%% Parsing: erl_scan and erl_parse of a text, a JSON parser on a binary.
-module(parsing).
-export([main/0]).

main() -> repeat(100, none).

repeat(0, Last) -> Last;
repeat(N, _) ->
    Functions = lists:append([function(I) || I <- lists:seq(1, 60)]),
    {Forms, Nodes} = forms(Functions, 1, 0, 0),
    Document = iolist_to_binary(json_text(60)),
    {Value, <<>>} = value(Document),
    repeat(N - 1, {Forms, Nodes, weigh(Value)}).

function(I) ->
    Name = "f" ++ integer_to_list(I),
    Name ++ "(X, [Y | Ys]) when X > 0, is_atom(Y) ->\n    case {X, Y} of\n"
        "        {1, ok} -> [X + " ++ integer_to_list(I) ++ " * 2 | Ys];\n"
        "        {_, {error, Reason}} -> throw({Reason, \"text\", 'an atom', $a});\n"
        "        Other -> #{key => Other, list => [A || {a, A} <- Ys, A =/= 1.5]}\n    end;\n" ++
        Name ++ "(_, []) -> try io:format(\"~p~n\", [a]) catch _:E -> E end.\n".

forms(Text, Line, Forms, Nodes) ->
    case erl_scan:tokens([], Text, Line) of
        {done, {ok, Tokens, Next}, Rest} ->
            {ok, Form} = erl_parse:parse_form(Tokens),
            forms(Rest, Next, Forms + 1, Nodes + weigh(Form));
        {more, _} -> {Forms, Nodes}
    end.

weigh(X) when is_tuple(X) -> 1 + weigh(tuple_to_list(X));
weigh(X) when is_map(X) -> 1 + weigh(maps:to_list(X));
weigh([X | Xs]) -> weigh(X) + weigh(Xs);
weigh(_) -> 1.

json_text(N) ->
    [$[, lists:join($,, [io_lib:format("{\"id\": ~w, \"name\": \"item \\\"~w\\\"\", \"tags\": [true, false, "
                                       "null, -1.5e3], \"size\": {\"x\": ~w.25, \"y\": [[], {}]}}",
                                       [I, I, I]) || I <- lists:seq(1, N)]), $]].

value(<<C, Rest/binary>>) when C =:= $\s; C =:= $\n; C =:= $\t -> value(Rest);
value(<<"true", Rest/binary>>) -> {true, Rest};
value(<<"false", Rest/binary>>) -> {false, Rest};
value(<<"null", Rest/binary>>) -> {null, Rest};
value(<<$", Rest/binary>>) -> text(Rest, <<>>);
value(<<$[, Rest/binary>>) -> elements(skip(Rest), []);
value(<<${, Rest/binary>>) -> members(skip(Rest), #{});
value(Text) -> number(Text, []).

skip(<<C, Rest/binary>>) when C =:= $\s; C =:= $\n; C =:= $\t -> skip(Rest);
skip(Rest) -> Rest.

text(<<$", Rest/binary>>, Out) -> {Out, Rest};
text(<<$\\, C, Rest/binary>>, Out) -> text(Rest, <<Out/binary, C>>);
text(<<C/utf8, Rest/binary>>, Out) -> text(Rest, <<Out/binary, C/utf8>>).

elements(<<$], Rest/binary>>, Done) -> {lists:reverse(Done), Rest};
elements(<<$,, Rest/binary>>, Done) -> elements(skip(Rest), Done);
elements(Text, Done) ->
    {Value, Rest} = value(Text),
    elements(skip(Rest), [Value | Done]).

members(<<$}, Rest/binary>>, Map) -> {Map, Rest};
members(<<$,, Rest/binary>>, Map) -> members(skip(Rest), Map);
members(<<$", Text/binary>>, Map) ->
    {Key, Rest} = text(Text, <<>>),
    <<$:, Behind/binary>> = skip(Rest),
    {Value, Left} = value(Behind),
    members(skip(Left), Map#{Key => Value}).

number(<<C, Rest/binary>>, Digits) when C >= $0, C =< $9; C =:= $-; C =:= $. ->
    number(Rest, [C | Digits]);
number(<<$e, Rest/binary>>, Digits) -> number(Rest, [$e | Digits]);
number(Rest, Digits) ->
    Text = lists:reverse(Digits),
    case {lists:member($., Text), lists:member($e, Text)} of
        {false, false} -> {list_to_integer(Text), Rest};
        {true, _} -> {list_to_float(Text), Rest}
    end.
