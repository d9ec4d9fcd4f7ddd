#!/usr/bin/env escript
%% -*- coding: utf-8 -*-
%% What OTP says about terms, for unit tests to compare with (tests/unit/oracle.h).
%%
%%   term_oracle.escript terms FILE SEED COUNT
%%     For each of COUNT pairs of terms: both in the external format (as Fathom
%%     should write it, and as older releases would), as ~tw and ~0tp print them,
%%     and how they compare. The second term of a pair is often a slight change
%%     of the first. Run it with ERL_FLAGS="+pc unicode" for the other ~tp.
%%   term_oracle.escript beams FILE BEAM...
%%     For each chunk of those files that is an external term: file, name of the
%%     chunk, and size and CRC of what term_to_binary makes of the same term.
%%   term_oracle.escript values FILE SEED COUNT
%%     For each of some chosen terms and of COUNT random ones: its external forms
%%     (minor versions 2, 1 and 0; compressed), phash2 and phash. Then, for each
%%     pair of the chosen ones and one of itself with each random one, how they
%%     compare.
%%   term_oracle.escript arithmetic FILE
%%     For each operation on boundary values: its name, the operands, and the
%%     result or the atom of the error.
%%   term_oracle.escript bits FILE SEED COUNT
%%     For each of COUNT fields of the bit syntax: what it is made of and its bits.
%%
%% FILE is a sequence of fields, each a length of 32 bits and so many bytes.

-mode(compile).

main(["terms", File, Seed, Count]) ->
    rand:seed(exsss, list_to_integer(Seed)),
    {ok, Out} = file:open(File, [write, raw, binary, delayed_write]),
    lists:foreach(fun(_) -> put_pair(Out) end, lists:seq(1, list_to_integer(Count))),
    ok = file:close(Out);
main(["values", File, Seed, Count]) ->
    rand:seed(exsss, list_to_integer(Seed)),
    {ok, Out} = file:open(File, [write, raw, binary, delayed_write]),
    Chosen = chosen(),
    Random = [{T, change(T)} || _ <- lists:seq(1, list_to_integer(Count)),
                                T <- [term(rand:uniform(5) - 1)]],
    number(Out, length(Chosen)),
    lists:foreach(fun(T) -> put_value(Out, T) end, Chosen),
    [field(Out, [order(A < B, A == B), exact(A =:= B)]) || A <- Chosen, B <- Chosen],
    number(Out, length(Random)),
    lists:foreach(fun({A, B}) ->
                          put_value(Out, A),
                          put_value(Out, B),
                          field(Out, [order(A < B, A == B), exact(A =:= B)])
                  end, Random),
    ok = file:close(Out);
main(["arithmetic", File]) ->
    {ok, Out} = file:open(File, [write, raw, binary, delayed_write]),
    Numbers = numbers(),
    [put_result(Out, Op, [A, B]) || Op <- ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor'],
                                    A <- Numbers, B <- Numbers],
    [put_result(Out, Op, [A, B]) || Op <- ['bsl', 'bsr'], A <- Numbers, B <- shifts()],
    [put_result(Out, Op, [A]) || Op <- ['-', 'bnot', abs, float, trunc, round, floor, ceil],
                                 A <- Numbers],
    ok = file:close(Out);
main(["bits", File, Seed, Count]) ->
    rand:seed(exsss, list_to_integer(Seed)),
    {ok, Out} = file:open(File, [write, raw, binary, delayed_write]),
    lists:foreach(fun(_) -> put_bits(Out) end, lists:seq(1, list_to_integer(Count))),
    ok = file:close(Out);
main(["beams", File | Beams]) ->
    {ok, Out} = file:open(File, [write, raw, binary, delayed_write]),
    lists:foreach(fun(Beam) -> put_beam(Out, Beam) end, Beams),
    ok = file:close(Out).

field(Out, Data) ->
    Bin = iolist_to_binary(Data),
    ok = file:write(Out, [<<(byte_size(Bin)):32>>, Bin]).

%% Terms ------------------------------------------------------------------------

put_pair(Out) ->
    A = term(rand:uniform(5) - 1),
    B = case rand:uniform(4) of
            1 -> term(rand:uniform(3) - 1);
            _ -> change(A)
        end,
    put_term(Out, A),
    put_term(Out, B),
    field(Out, [order(A < B, A == B), exact(A =:= B)]).

put_term(Out, T) ->
    field(Out, term_to_binary(T, [{minor_version, 2}])),
    Older = case rand:uniform(3) of
                1 -> [{minor_version, 0}];
                2 -> [{minor_version, 1}];
                3 -> [{minor_version, 2}, {compressed, 9}]
            end,
    field(Out, term_to_binary(T, Older)),
    field(Out, text("~tw", T)),
    field(Out, text("~0tp", T)).

text(Format, T) -> unicode:characters_to_binary(io_lib:format(Format, [T])).

order(true, _) -> $<;
order(_, true) -> $=;
order(_, _) -> $>.

exact(true) -> $=;
exact(false) -> $/.

pick(List) -> lists:nth(rand:uniform(length(List)), List).

some(Max, Fun) -> [Fun() || _ <- lists:seq(1, rand:uniform(Max + 1) - 1)].

term(0) ->
    case rand:uniform(10) of
        N when N =< 3 -> integer();
        4 -> float();
        N when N =< 6 -> atom();
        7 -> string();
        8 -> bits();
        9 -> make_fun(ascii_atom(), ascii_atom(), rand:uniform(256) - 1);
        10 -> []
    end;
term(Depth) ->
    Sub = fun() -> term(rand:uniform(Depth) - 1) end,
    case rand:uniform(7) of
        N when N =< 2 -> some(6, Sub);
        N when N =< 4 -> list_to_tuple(some(6, Sub));
        5 -> maps:from_list([{Sub(), Sub()} || _ <- some(12, fun() -> x end)]);
        6 -> some(3, Sub) ++ Sub();
        7 -> term(0)
    end.

make_fun(M, F, A) -> fun M:F/A.

integer() ->
    Edge = 1 bsl pick([0, 3, 7, 8, 31, 32, 52, 53, 54, 59, 60, 61, 62, 63, 64, 65, 128, 1023, 1024,
                       2040, 2048, 5000]),
    case rand:uniform(4) of
        1 -> rand:uniform(300) - 20;
        2 -> pick([1, -1]) * (Edge + rand:uniform(5) - 3);
        3 -> pick([1, -1]) * rand:uniform(Edge);
        4 -> trunc(float())
    end.

float() ->
    case rand:uniform(7) of
        1 -> pick([0.0, -0.0, 1.0, 0.1, 1.0e22, 5.0e-324, 2.2250738585072014e-308,
                   1.7976931348623157e308, 9007199254740991.0, 9007199254740992.0,
                   9007199254740994.0, 1152921504606846976.0, 18446744073709551616.0]);
        2 -> float(rand:uniform(1 bsl rand:uniform(60)));
        3 -> rand:uniform() * math:pow(10, rand:uniform(20) - 10);
        4 -> rand:uniform(1000) / pick([10, 100, 1000, 100000, 10000000]);
        5 -> rand:uniform(99) * math:pow(10, rand:uniform(30) - 15);
        6 -> -rand:uniform(10000) / 8;
        7 -> any_float()
    end.

any_float() ->
    case <<(rand:uniform(1 bsl 64) - 1):64>> of
        <<F/float>> -> F;
        _ -> any_float()
    end.

character() ->
    case rand:uniform(8) of
        1 -> rand:uniform(256) - 1;
        2 -> pick([16#7F, 16#80, 16#9F, 16#A0, 16#AD, 16#D7, 16#F7, 16#FF, 16#100, 16#D7FF,
                   16#E000, 16#FFFD, 16#FFFE, 16#FFFF, 16#10000, 16#10FFFF]);
        3 -> pick("\b\t\n\v\f\r\e\d\s\"'\\~@_");
        4 -> 16#400 + rand:uniform(100);
        _ -> $a + rand:uniform(26) - 1
    end.

plain_character() -> pick("abcxyzABZ019_@ßéÿÀÞ").

atom() ->
    case rand:uniform(4) of
        1 -> pick(['', 'if', 'maybe', 'else', 'end', 'let', 'cond', query, 'xor', nil, 'fun', 'A',
                   '_', '@', '1', 'a b', 'when', 'div', 'not', 'andalso', 'receive', after_]);
        2 -> list_to_atom(some(8, fun plain_character/0));
        3 -> list_to_atom(some(5, fun character/0));
        4 -> list_to_atom(some(255, fun plain_character/0))
    end.

%% For funs: OTP prints the UTF-8 bytes of their other characters one by one.
ascii_atom() ->
    list_to_atom([C || C <- atom_to_list(atom()), C < 128]).

string() ->
    case rand:uniform(6) of
        1 -> some(10, fun character/0);
        2 -> some(10, fun character/0) ++ pick([[], x, [a], [-1], [16#110000], [16#D800], [1 bsl 70]]);
        3 -> some(400, fun plain_character/0);
        _ -> some(8, fun plain_character/0)
    end.

bits() ->
    Size = rand:uniform(100) - 1,
    case rand:uniform(4) of
        1 -> unicode:characters_to_binary(some(10, fun character/0));
        2 -> << <<(C band 255)>> || C <- some(50, fun plain_character/0) >>;
        3 -> <<(rand:uniform(1 bsl 100)):Size>>;
        4 -> <<"text", (rand:uniform(256) - 1):(rand:uniform(9) - 1)>>
    end.

%% The same but for one thing, or not even that.
change([H | T]) ->
    case rand:uniform(4) of
        1 -> [change(H) | T];
        2 when is_list(T) -> T;
        _ -> [H | change(T)]
    end;
change(T) when is_tuple(T), tuple_size(T) > 0 ->
    N = rand:uniform(tuple_size(T)),
    setelement(N, T, change(element(N, T)));
change(M) when is_map(M), map_size(M) > 0 ->
    {K, V} = pick(maps:to_list(M)),
    case rand:uniform(3) of
        1 -> M#{K := change(V)};
        2 -> (maps:remove(K, M))#{change(K) => V};
        3 -> maps:remove(K, M)
    end;
change(I) when is_integer(I), abs(I) < 1 bsl 1023 -> pick([I + 1, I, float(I), -I]);
change(I) when is_integer(I) -> pick([I + 1, I, -I]);
change(F) when is_float(F) -> pick([F, -F, trunc(F), trunc(F) + 1]);
change(B) when is_bitstring(B) -> pick([<<B/bits, 0:1>>, <<1:1, B/bits>>, B]);
change(_) -> term(0).

%% Values -----------------------------------------------------------------------

number(Out, N) -> field(Out, <<N:32>>).

put_value(Out, T) ->
    field(Out, term_to_binary(T, [{minor_version, 2}])),
    field(Out, term_to_binary(T)),
    field(Out, term_to_binary(T, [{minor_version, 0}])),
    field(Out, term_to_binary(T, [compressed])),
    field(Out, term_to_binary(T, [{compressed, 1}])),
    number(Out, erlang:phash2(T, 1 bsl 32)),
    number(Out, apply(erlang, phash, [T, 1 bsl 32]) - 1).  % deprecated

%% Diverse terms, some of them equivalent.
chosen() ->
    Node = <<119, 5, "a@b.c">>,
    Other = <<119, 5, "b@b.c">>,
    Made = [binary_to_term(<<131, B/binary>>) ||
               B <- [<<88, Node/binary, 1:32, 2:32, 3:32>>, <<88, Node/binary, 2:32, 1:32, 3:32>>,
                     <<88, Node/binary, 1:32, 2:32, 4:32>>, <<88, Other/binary, 1:32, 2:32, 3:32>>,
                     <<88, Other/binary, 1:32, 1:32, 3:32>>,
                     <<89, Node/binary, 7:32, 3:32>>, <<89, Node/binary, 8:32, 3:32>>,
                     <<89, Other/binary, 7:32, 3:32>>, <<120, Node/binary, 1:32, 7:32, 3:32>>,
                     <<90, 3:16, Node/binary, 3:32, 1:32, 2:32, 3:32>>,
                     <<90, 3:16, Node/binary, 3:32, 2:32, 2:32, 3:32>>,
                     <<90, 3:16, Node/binary, 3:32, 2:32, 2:32, 2:32>>,
                     <<90, 2:16, Node/binary, 3:32, 2:32, 2:32>>,
                     <<90, 3:16, Other/binary, 3:32, 1:32, 2:32, 3:32>>,
                     <<90, 3:16, Node/binary, 4:32, 1:32, 2:32, 3:32>>]],
    Keys = fun(N) -> maps:from_list([{K, K} || K <- lists:seq(1, N)]) end,
    [0, 1, -1, 255, 256, -256, 1 bsl 27, (1 bsl 27) - 1, -(1 bsl 27), -(1 bsl 27) - 1, 1 bsl 31,
     1 bsl 32, (1 bsl 53) + 1, 1 bsl 53, (1 bsl 59) - 1, 1 bsl 59, -(1 bsl 59), 1 bsl 60, 1 bsl 61,
     -(1 bsl 61), -(1 bsl 61) - 1, 1 bsl 63, 1 bsl 64, (1 bsl 64) - 1, -(1 bsl 64), 1 bsl 128,
     -(1 bsl 1030), 0.0, -0.0, 1.0, -1.0, 1.5, 255.0, 9007199254740992.0, 9007199254740994.0,
     576460752303423488.0, 2305843009213693952.0, 18446744073709551616.0, 1.0e300, -1.0e300,
     5.0e-324, '', a, b, aa, ab, 'A', true, 'a b', 'å', 'ÿ', 'Ж', 'a中', fun a:b/1, fun a:b/2,
     fun a:c/1, fun b:a/1, fun lists:map/2, {}, {1}, {1.0}, {2}, {1, 2}, {1, 2.0}, {a, b, c}, {{}, []},
     {[], {}}, list_to_tuple(lists:seq(1, 300)), [], [1], [1.0], [1, 2], [1 | 2], [1 | a], [a], [a | b],
     [[]], [[], []], [[1] | [2]], "abc", "abcd", "abcde", [1, 2, 3, 256], [255, 255, 255, 255, 255, 255],
     "ab" ++ [x], [a, 1, 2, 3, 4, 5], [1 | {}], lists:seq(1, 300), lists:duplicate(70000, 7),
     <<>>, <<0>>, <<0:1>>, <<1:1>>, <<1>>, <<0, 0>>, <<"abc">>, <<"abcdefghijk">>, <<"abcdefghijkl">>,
     <<"abcdefghijklm">>, <<"abcdefghijklm", 5:3>>, <<5:3>>, <<255:9>>, binary:copy(<<"xyz">>, 100),
     #{}, #{1 => a}, #{1.0 => a}, #{a => 1}, #{a => 1.0}, #{a => 2}, #{b => 1}, #{a => 1, b => 2},
     #{a => 1, c => 0}, #{1 => 1, a => 2}, #{[] => [], {} => {}, #{} => #{}}, #{a => #{b => #{}}},
     Keys(31), Keys(32), (Keys(32))#{32 => x}, [#{1 => 2}, #{1 => 2.0}], {#{a => b}, []}] ++ Made.

numbers() ->
    Edges = [N || B <- [31, 32, 53, 58, 59, 60, 61, 62, 63, 64, 65, 127, 128], D <- [-1, 0, 1],
                  N <- [(1 bsl B) + D, -(1 bsl B) + D]],
    [0, 1, -1, 2, -2, 3, 7, 10, -10, 255, 1000000007, a, pow(10, 30), -pow(10, 30), 1 bsl 1000,
     1 bsl 1023, 1 bsl 1024, -(1 bsl 1024), (1 bsl 1024) - 1, (1 bsl 1024) - (1 bsl 970),
     0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, 1.0, 2.0, -2.0, 0.49999999999999994, 4503599627370495.5,
     9007199254740993.0, 1.0e18, 4.611686018427388e18, -4.611686018427388e18, 9.223372036854775807e18,
     1.0e19, -1.0e19, 1.0e300, 1.7976931348623157e308, -1.7976931348623157e308, 5.0e-324] ++ Edges.

pow(_, 0) -> 1;
pow(B, N) -> B * pow(B, N - 1).

shifts() ->
    [0, 1, -1, 2, 3, 58, 59, 60, 61, 62, 63, 64, 65, -59, -60, -61, -62, -63, -64, -65, 127, 128, -128,
     500, -500, 1 bsl 40, -(1 bsl 40), 1 bsl 62, 1 bsl 64, -(1 bsl 64), a, 1.0].

put_result(Out, Op, Operands) ->
    Result = try apply(erlang, Op, Operands) catch error:Reason -> Reason end,
    field(Out, atom_to_binary(Op)),
    number(Out, length(Operands)),
    [field(Out, term_to_binary(O)) || O <- Operands],
    field(Out, term_to_binary(Result)).

%% A field: type, endianness, size, offset and value; and its bits behind those of
%% the offset, or nothing if it has none. Then, for numbers, what is read there.
put_bits(Out) ->
    At = rand:uniform(20) - 1,
    {Type, Size, Value} =
        case rand:uniform(3) of
            1 -> {integer, rand:uniform(pick([8, 64, 200])) - 1, integer()};
            2 -> {float, pick([16, 32, 64]), pick([float(), small_float()])};
            3 -> {pick([utf8, utf16, utf32]), 0, pick([character(), rand:uniform(16#110020) - 1])}
        end,
    Little = rand:uniform(2) - 1,
    Bits = try field_bits(Type, Little, Size, Value) of B -> <<5:At, B/bits>> catch error:_ -> none end,
    field(Out, term_to_binary({Type, Little, Size, At, Value, Bits, read_back(Type, Little, Size, At, Bits)})).

small_float() -> (rand:uniform() - 0.5) * math:pow(2.0, rand:uniform(60) - 40).

field_bits(integer, 0, Size, V) -> <<V:Size>>;
field_bits(integer, 1, Size, V) -> <<V:Size/little>>;
field_bits(float, 0, Size, V) -> <<V:Size/float>>;
field_bits(float, 1, Size, V) -> <<V:Size/float-little>>;
field_bits(utf8, _, _, V) -> <<V/utf8>>;
field_bits(utf16, 0, _, V) -> <<V/utf16>>;
field_bits(utf16, 1, _, V) -> <<V/utf16-little>>;
field_bits(utf32, 0, _, V) -> <<V/utf32>>;
field_bits(utf32, 1, _, V) -> <<V/utf32-little>>.

read_back(integer, 0, Size, At, Bits) ->
    <<_:At, U:Size, _/bits>> = Bits,
    <<_:At, S:Size/signed, _/bits>> = Bits,
    {U, S};
read_back(integer, 1, Size, At, Bits) ->
    <<_:At, U:Size/little, _/bits>> = Bits,
    <<_:At, S:Size/signed-little, _/bits>> = Bits,
    {U, S};
read_back(float, _, _, _, none) -> none;
read_back(float, Little, Size, At, Bits) ->
    case Bits of
        <<_:At, F:Size/float>> when Little =:= 0 -> F;
        <<_:At, F:Size/float-little>> when Little =:= 1 -> F;
        _ -> none
    end;
read_back(_, _, _, _, _) -> none.

%% Files ------------------------------------------------------------------------

put_beam(Out, Beam) ->
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    [begin
         Bytes = term_to_binary(binary_to_term(Data), [{minor_version, 2}]),
         field(Out, unicode:characters_to_binary(Beam)),
         field(Out, Id),
         field(Out, <<(byte_size(Bytes)):32, (erlang:crc32(Bytes)):32>>)
     end || {Id, Data} <- Chunks, lists:member(Id, ["Dbgi", "CInf", "Attr", "Docs", "Meta"])].
