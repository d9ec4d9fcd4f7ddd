#!/usr/bin/env escript
%%! +S 2
%% crypto on Fathom's machine and in OTP, on random inputs.
%%
%%   crypto_test.escript [FAMILY...]
%%
%% COUNT (default 12) and SEED (1) in the environment: how many inputs of each kind.
-mode(compile).
-include("fathom_port.hrl").
-include("batches.hrl").

main(Wanted) ->
    rand:seed(exsss, {list_to_integer(os:getenv("SEED", "1")), 2, 3}),
    check_families("crypto", [{hashes, fun hashes/0}, {macs, fun macs/0}, {ciphers, fun ciphers/0},
                              {aead, fun aead/0}, {others, fun others/0}], Wanted).

%% Of an error what it is, and not where in OTP's C files.
helpers() ->
    "try_it(F) -> try F() catch error:{K, {_, _}, _} -> {error, K}; C:R -> {C, R} end.\n".

count() -> list_to_integer(os:getenv("COUNT", "12")).
bytes(N) -> io_lib:format("~w", [list_to_binary([rand:uniform(256) - 1 || _ <- lists:seq(1, N)])]).
size() -> lists:nth(rand:uniform(8), [0, 1, 15, 16, 17, 64, 200, 1000]).
text(Format, Arguments) ->
    lists:flatten(["try_it(fun() -> ", io_lib:format(Format, Arguments), " end)"]).

digests() -> [md5, ripemd160, sha, sha224, sha256, sha384, sha512, sha3_224, sha3_256, sha3_384, sha3_512, blake2b, blake2s].

hashes() ->
    [text("crypto:hash(~w, ~ts)", [D, bytes(size())]) || D <- digests(), _ <- lists:seq(1, count())] ++
    [text("S = crypto:hash_init(~w), crypto:hash_final(crypto:hash_update(crypto:hash_update(S, ~ts), [~ts, 1]))", [D, bytes(size()), bytes(20)])
     || D <- digests()] ++
    [text("maps:without([type], crypto:hash_info(~w))", [D]) || D <- digests()] ++
    [text("crypto:hash(~w, binary:copy(<<\"abc\">>, 20000))", [D]) || D <- digests()] ++
    [text("crypto:hash(~ts)", [A]) || A <- ["nonsense, <<>>", "sha, x", "sha, [1, [<<2>>]]", "\"sha\", <<>>"]].

macs() ->
    [text("crypto:mac(hmac, ~w, ~ts, ~ts)", [D, bytes(size()), bytes(size())])
     || D <- digests(), D =/= blake2b, D =/= blake2s, _ <- lists:seq(1, count())] ++
    [text("crypto:macN(hmac, ~w, ~ts, ~ts, ~w)", [D, bytes(20), bytes(30), N]) || D <- [sha, sha256], N <- [1, 10, 20]] ++
    [text("crypto:mac(cmac, ~w, ~ts, ~ts)", [C, bytes(K), bytes(size())])
     || {C, K} <- [{aes_128_cbc, 16}, {aes_192_cbc, 24}, {aes_256_cbc, 32}, {aes_cbc, 16}], _ <- lists:seq(1, count())] ++
    [text("crypto:mac(poly1305, ~ts, ~ts)", [bytes(32), bytes(size())]) || _ <- lists:seq(1, count())] ++
    [text("S = crypto:mac_init(hmac, sha256, ~ts), S1 = crypto:mac_update(S, ~ts), S2 = crypto:mac_update(S1, ~ts), crypto:mac_final(S2)",
          [bytes(20), bytes(30), bytes(40)]) || _ <- lists:seq(1, count())] ++
    [text("crypto:pbkdf2_hmac(~w, ~ts, ~ts, ~w, ~w)", [D, bytes(10), bytes(8), rand:uniform(50), rand:uniform(60)])
     || D <- [sha, sha256, sha512], _ <- lists:seq(1, count())].

plain_ciphers() ->
    [{list_to_atom(lists:concat([aes_, B, "_", M])), B div 8, case M of ecb -> 0; _ -> 16 end}
     || B <- [128, 192, 256], M <- [cbc, ctr, ecb, cfb8, cfb128, ofb]] ++
    [{des_ede3_cbc, 24, 8}, {chacha20, 32, 16}, {aes_cbc, 16, 16}, {aes_ctr, 32, 16}].

ciphers() ->
    [text("crypto:crypto_one_time(~w, ~ts, ~ts, ~ts, ~w)", [C, bytes(K), bytes(V), bytes(16 * rand:uniform(10)), rand:uniform(2) =:= 1])
     || {C, K, V} <- plain_ciphers(), V > 0, _ <- lists:seq(1, count())] ++
    [text("crypto:crypto_one_time(~w, ~ts, ~ts, ~w)", [C, bytes(K), bytes(32), true]) || {C, K, 0} <- plain_ciphers(), _ <- lists:seq(1, count())] ++
    [text("crypto:crypto_one_time(~w, ~ts, ~ts, ~ts, [{encrypt, true}, {padding, pkcs_padding}])", [C, bytes(K), bytes(V), bytes(size())])
     || {C, K, V} <- plain_ciphers(), V > 0, _ <- lists:seq(1, 4)] ++
    [text("K = ~ts, V = ~ts, crypto:crypto_one_time(aes_256_cbc, K, V, crypto:crypto_one_time(aes_256_cbc, K, V, ~ts, [{encrypt, true}, {padding, pkcs_padding}]), [{encrypt, false}, {padding, pkcs_padding}])",
          [bytes(32), bytes(16), bytes(size())]) || _ <- lists:seq(1, count())] ++
    [text("crypto:crypto_one_time(aes_128_cbc, ~ts, ~ts, ~ts, true)", [bytes(K), bytes(V), bytes(D)])
     || {K, V, D} <- [{16, 16, 15}, {15, 16, 16}, {16, 15, 16}, {16, 16, 0}, {0, 0, 0}]] ++
    [text("crypto:crypto_one_time(nonsense, ~ts, ~ts, ~ts, true)", [bytes(16), bytes(16), bytes(16)])].

aead() ->
    Ciphers = [{aes_128_gcm, 16, 12}, {aes_192_gcm, 24, 12}, {aes_256_gcm, 32, 12}, {aes_128_ccm, 16, 12},
               {aes_256_ccm, 32, 12}, {chacha20_poly1305, 32, 12}],
    [text("crypto:crypto_one_time_aead(~w, ~ts, ~ts, ~ts, ~ts, true)", [C, bytes(K), bytes(V), bytes(size()), bytes(size())])
     || {C, K, V} <- Ciphers, _ <- lists:seq(1, count())] ++
    [text("K = ~ts, V = ~ts, {T, Tag} = crypto:crypto_one_time_aead(~w, K, V, ~ts, ~ts, true), "
          "{crypto:crypto_one_time_aead(~w, K, V, T, ~ts, Tag, false), crypto:crypto_one_time_aead(~w, K, V, [0 | binary_to_list(T)], <<>>, Tag, false)}",
          [bytes(K), bytes(V), C, bytes(size()), B, C, B, C])
     || {C, K, V} <- Ciphers, _ <- lists:seq(1, count()), B <- [bytes(7)]] ++
    [text("crypto:crypto_one_time_aead(aes_128_gcm, ~ts, ~ts, ~ts, <<>>, ~w, true)", [bytes(16), bytes(12), bytes(10), N]) || N <- [4, 8, 12, 16]].

others() ->
    [text("crypto:exor(~ts, ~ts)", [bytes(N), bytes(N)]) || N <- [0, 1, 16, 100]] ++
    [text("crypto:hash_equals(~ts)", [A]) || A <- ["<<1, 2>>, <<1, 2>>", "<<1, 2>>, <<1, 3>>"]] ++
    [text("[byte_size(crypto:strong_rand_bytes(N)) || N <- [0, 1, 31, 32, 33, 1000]]", []),
     text("crypto:strong_rand_bytes(16) =:= crypto:strong_rand_bytes(16)", []),
     text("crypto:start(), application:ensure_all_started(crypto), lists:keyfind(crypto, 1, application:which_applications()) =/= false", [])].
