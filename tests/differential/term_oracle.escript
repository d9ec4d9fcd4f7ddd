#!/usr/bin/env escript
%% -*- coding: utf-8 -*-
%% What OTP says about random terms, for tests/unit/etf_test.cc to compare with.
%%
%%   term_oracle.escript terms FILE SEED COUNT
%%     For each of COUNT pairs of terms: both in the external format (as Fathom
%%     should write it, and as older releases would), as ~tw and ~0tp print them,
%%     and how they compare. The second term of a pair is often a slight change
%%     of the first. Run it with ERL_FLAGS="+pc unicode" for the other ~tp.
%%   term_oracle.escript beams FILE BEAM...
%%     For each chunk of those files that is an external term: file, name of the
%%     chunk, and size and CRC of what term_to_binary makes of the same term.
%%
%% FILE is a sequence of fields, each a length of 32 bits and so many bytes.

-mode(compile).

main(["terms", File, Seed, Count]) ->
    rand:seed(exsss, list_to_integer(Seed)),
    {ok, Out} = file:open(File, [write, raw, binary, delayed_write]),
    lists:foreach(fun(_) -> put_pair(Out) end, lists:seq(1, list_to_integer(Count))),
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

%% Files ------------------------------------------------------------------------

put_beam(Out, Beam) ->
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    [begin
         Bytes = term_to_binary(binary_to_term(Data), [{minor_version, 2}]),
         field(Out, unicode:characters_to_binary(Beam)),
         field(Out, Id),
         field(Out, <<(byte_size(Bytes)):32, (erlang:crc32(Bytes)):32>>)
     end || {Id, Data} <- Chunks, lists:member(Id, ["Dbgi", "CInf", "Attr", "Docs", "Meta"])].
