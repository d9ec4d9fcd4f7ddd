-module(files_SUITE).
-compile([export_all, nowarn_export_all]).
-include_lib("common_test/include/ct.hrl").
%% data_dir, priv_dir, the working directory, and what is written.
all() -> [data, data_dir_ends, priv_is_there, writes, reads_again, lists, deletes, relative, from_suite, consults].
init_per_suite(Config) ->
    File = filename:join(?config(priv_dir, Config), "suite.txt"),
    ok = file:write_file(File, "from the suite"),
    [{file, File} | Config].
end_per_suite(Config) -> ok = file:delete(?config(file, Config)).
data(Config) -> {ok, <<"some text\n">>} = file:read_file(filename:join(?config(data_dir, Config), "text")).
data_dir_ends(Config) -> "/atad_ETIUS_selif/" ++ _ = lists:reverse(?config(data_dir, Config)).
priv_is_there(Config) -> true = filelib:is_dir(?config(priv_dir, Config)).
writes(Config) ->
    Name = filename:join(?config(priv_dir, Config), "own"),
    ok = file:write_file(Name, <<"one\ntwo\n">>),
    {ok, Device} = file:open(Name, [read]),
    {ok, "one\n"} = file:read_line(Device),
    {ok, "two\n"} = file:read_line(Device),
    eof = file:read_line(Device),
    ok = file:close(Device).
reads_again(Config) -> {ok, <<"one", _/binary>>} = file:read_file(filename:join(?config(priv_dir, Config), "own")).
lists(Config) -> {ok, ["own", "suite.txt"]} = sorted(file:list_dir(?config(priv_dir, Config))).
deletes(Config) ->
    Name = filename:join(?config(priv_dir, Config), "own"),
    ok = file:delete(Name),
    {error, enoent} = file:read_file(Name).
relative(_) ->
    ok = file:write_file("here", "x"),
    {ok, <<"x">>} = file:read_file("here"),
    ok = file:delete("here").
from_suite(Config) -> {ok, <<"from the suite">>} = file:read_file(?config(file, Config)).
consults(Config) -> {ok, [{a, 1}, {b, [2]}]} = file:consult(filename:join(?config(data_dir, Config), "terms")).
sorted({ok, Names}) -> {ok, lists:sort(Names)}.
