%% What is not modelled is said by its name.
%% RUN: fathom check %s -t "'bad-sockets':test" | sed -n 2p; exit ${PIPESTATUS[0]}
-module('bad-sockets').
-export([test/0]).

test() -> gen_tcp:listen(0, []).
%% OUT:   because: gen_tcp:listen/2 is not modelled: sockets; called from bad-sockets:test/0 (bad-sockets.erl:6)
%% EXIT: 1
