-module(ctonly_SUITE).
-include_lib("common_test/include/ct.hrl").
-export([all/0, groups/0, init_per_suite/1, end_per_suite/1, doubles/1, reads/1, fails/1, skips/1]).
all() -> [doubles, {group, files}, fails, skips].
groups() -> [{files, [], [reads]}].
init_per_suite(Config) -> [{factor, 2} | Config].
end_per_suite(_) -> ok.
doubles(Config) -> 4 = ctonly:double(?config(factor, Config)).
reads(Config) -> {ok, <<"text\n">>} = file:read_file(filename:join(?config(data_dir, Config), "text")).
fails(_) -> 5 = ctonly:double(2).
skips(_) -> {skip, "not now"}.
