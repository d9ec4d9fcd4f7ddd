%% XML, with what needs care in it: quotes, brackets, control characters.
%% RUN: fathom test --format junit --reduction-limit 2000000 %s > %t/out || code=$?
%% RUN: sed -E 's/time="[0-9.]+"/time="_"/g' %t/out; exit $code
-module('bad-junit').
-include_lib("eunit/include/eunit.hrl").

passes_test() -> ok.
text_test() -> io:format("<b> & \"quotes\" \e[1mκόσμος\r~n"), ?assertEqual("<a>\n", "&b\t").
title_test_() -> {"it's <here> & \"there\"", ?_test(exit('<>'))}.
missing_test_() -> {test, ?MODULE, no_such_function}.
port_test() -> open_port({spawn, "true"}, []).
%% EXIT: 2
