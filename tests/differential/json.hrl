%% JSON to terms: objects are maps, texts binaries, null is the atom. For documents that a
%% program under test has written: what is not JSON is an error here.

-spec json(binary()) -> term().
json(Bytes) ->
    {Value, Rest} = json_value(json_skip(Bytes)),
    <<>> = json_skip(Rest),
    Value.

json_skip(<<C, Rest/binary>>) when C =:= $\s; C =:= $\n; C =:= $\t; C =:= $\r -> json_skip(Rest);
json_skip(Bytes) -> Bytes.

json_value(<<"{", Rest/binary>>) -> json_object(json_skip(Rest), #{});
json_value(<<"[", Rest/binary>>) -> json_array(json_skip(Rest), []);
json_value(<<"\"", Rest/binary>>) -> json_text(Rest, <<>>);
json_value(<<"true", Rest/binary>>) -> {true, Rest};
json_value(<<"false", Rest/binary>>) -> {false, Rest};
json_value(<<"null", Rest/binary>>) -> {null, Rest};
json_value(Bytes) ->
    {match, [{0, Length}]} = re:run(Bytes, "^-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?", [{capture, first}]),
    <<Number:Length/binary, Rest/binary>> = Bytes,
    {json_number(Number), Rest}.

json_number(Text) ->
    try binary_to_integer(Text)
    catch error:badarg ->
        case re:run(Text, "\\.") of
            nomatch -> binary_to_float(re:replace(Text, "[eE]", ".0e", [{return, binary}]));
            _ -> binary_to_float(Text)
        end
    end.

json_object(<<"}", Rest/binary>>, Map) -> {Map, Rest};
json_object(<<",", Rest/binary>>, Map) -> json_object(json_skip(Rest), Map);
json_object(<<"\"", Rest/binary>>, Map) ->
    {Key, Behind} = json_text(Rest, <<>>),
    <<":", More/binary>> = json_skip(Behind),
    {Value, Next} = json_value(json_skip(More)),
    json_object(json_skip(Next), Map#{Key => Value}).

json_array(<<"]", Rest/binary>>, Items) -> {lists:reverse(Items), Rest};
json_array(<<",", Rest/binary>>, Items) -> json_array(json_skip(Rest), Items);
json_array(Bytes, Items) ->
    {Value, Rest} = json_value(Bytes),
    json_array(json_skip(Rest), [Value | Items]).

json_text(<<"\"", Rest/binary>>, Text) -> {Text, Rest};
json_text(<<"\\u", Hex:4/binary, Rest/binary>>, Text) ->
    json_text(Rest, <<Text/binary, (binary_to_integer(Hex, 16))/utf8>>);
json_text(<<"\\", C, Rest/binary>>, Text) ->
    {_, Byte} = lists:keyfind(C, 1, [{$n, $\n}, {$t, $\t}, {$r, $\r}, {$b, $\b}, {$f, $\f},
                                     {$", $"}, {$\\, $\\}, {$/, $/}]),
    json_text(Rest, <<Text/binary, Byte>>);
json_text(<<C/utf8, Rest/binary>>, Text) -> json_text(Rest, <<Text/binary, C/utf8>>).
