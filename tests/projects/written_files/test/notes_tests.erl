-module(notes_tests).
-include_lib("eunit/include/eunit.hrl").
notes_test_() ->
    {setup, fun() -> "notes.tmp" end, fun(File) -> file:delete(File) end,
     fun(File) ->
             [?_assertEqual(ok, notes:add(File, "one")),
              ?_assertEqual(ok, notes:add(File, "two")),
              ?_assertEqual([<<"one">>, <<"two">>], notes:all(File))]
     end}.
is_gone_test() -> ?assertEqual({error, enoent}, file:read_file("notes.tmp")).
