%% What the machine lacks makes a test unknown; the others run.
%% RUN: fathom test %s > %t/out || code=$?; sed 's/ in [0-9.]* s$//' %t/out; exit ${code:-0}
-module('bad-unknown').
-include_lib("eunit/include/eunit.hrl").

first_test() -> ok.
port_test() ->
    P = open_port({spawn, "true"}, []),
    port_close(P).
last_test() -> ok.
%% OUT: UNKNOWN bad-unknown:port_test
%% OUT: bad-unknown.erl:8:5: warning: erts_internal:open_port/2 is not modelled: ports; called from erlang:open_port/2 (erlang.erl:2413)
%% OUT:       P = open_port({spawn, "true"}, []),
%% OUT:       ^
%% OUT:   in erlang:open_port/2  (erlang.erl:2413)
%% OUT:   in 'bad-unknown':port_test/0  (bad-unknown.erl:8)
%% OUT:
%% OUT: 3 tests, 2 passed, 1 unknown
%% EXIT: 1
