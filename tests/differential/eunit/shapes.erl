%% Every form that a description of tests may have.
-module(shapes).
-include_lib("eunit/include/eunit.hrl").
-export([helper/0, generate/0]).

helper() -> ok.
generate() -> [fun() -> ok end, fun() -> exit(generated) end].
fails() -> error(failing).

simple_test() -> ok.
value_test() -> {error, not_looked_at}.
error_test() -> error({some, [reason]}).
badmatch_test() -> {ok, _} = list_to_tuple([no, 1]).
undef_test() -> no_such_module:no_such_function(1).
exit_test() -> exit("why").
throw_test() -> throw(ball).
arith_test() -> 1 / list_to_integer("0").

fun_test_() -> fun() -> ok end.
failing_fun_test_() -> fun() -> error(in_fun) end.
local_fun_test_() -> fun fails/0.
external_fun_test_() -> fun ?MODULE:helper/0.
line_test_() -> {17, fun() -> error(in_line_17) end}.
list_test_() -> [?_test(ok), ?_test(error(second)), [], [[?_test(ok)], ?_test(exit(third))]].
title_test_() -> {"a title", ?_test(error(titled))}.
binary_title_test_() -> {<<"in a binary">>, ?_test(ok)}.
unicode_title_test_() -> {"Größe, κόσμος", ?_test(ok)}.
deep_title_test_() -> {"a", {"b", [{"c", ?_test(ok)}, {"d", [?_test(error(d)), ?_test(ok)]}]}}.
empty_title_test_() -> {"", ?_test(error(none))}.
tuple_title_test_() -> {"title", inorder, [?_test(ok), ?_test(error(x))]}.
test_tuple_test_() -> [{test, ?MODULE, helper}, {?MODULE, helper}].
no_such_test_() -> {test, ?MODULE, no_such_function}.
generator_test_() -> {generator, fun() -> [?_test(ok), ?_test(error(one))] end}.
generator_name_test_() -> {generator, ?MODULE, generate}.
mfa_test_() -> {{some, where, 3}, fun() -> error(elsewhere) end}.
with_test_() -> {with, {x, 1}, [fun({x, N}) -> 1 = N end, fun({x, N}) -> 2 = N end]}.
inorder_test_() -> {inorder, [?_test(ok), ?_test(error(second))]}.
inparallel_test_() ->
    {inparallel, [?_test(begin timer:sleep(30 * N), 2 = N end) || N <- [3, 2, 1]]}.
few_in_parallel_test_() -> {inparallel, 2, [?_test(N) || N <- [1, 2, 3, 4, 5]]}.
spawn_test_() -> {spawn, [?_test(ok), ?_test(error(spawned))]}.
timeout_test_() -> {timeout, 20, [?_test(ok), ?_test(error(in_time))]}.
long_timeout_test_() -> {timeout, 5, {"sleeps", ?_test(timer:sleep(10))}}.
module_test_() -> {module, shapes_more}.
module_name_test_() -> shapes_more.
all_at_once_test_() ->
    {"top", {timeout, 9, {spawn, {inorder, {"inner", [{"leaf", ?_test(error(leaf))}, ?_test(ok)]}}}}}.
dictionary_test_() -> [?_test(put(key, 1)), ?_assertEqual(1, get(key))].
output_test() -> io:format("one~ntwo ~ts", ["κ"]), error(after_output).
captured_test() -> io:format("seen"), ?assertEqual("seen", ?capturedOutput).
