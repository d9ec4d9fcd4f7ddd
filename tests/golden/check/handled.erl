%% A worker crashes and is started again: let it crash. Who is told is in a note.
%% RUN: fathom check %s -t handled:test > %t/out; grep -v assuming %t/out | sed "s/ in [0-9.]* s$//"
-module(handled).
-export([test/0]).

test() ->
    process_flag(trap_exit, true),
    First = spawn_link(fun() -> error(oops) end),
    receive {'EXIT', First, {oops, _}} -> ok end,
    Second = spawn_link(fun() -> ok end),
    receive {'EXIT', Second, normal} -> ok end.
%% OUT: clean: 1 interleaving of handled:test(), complete; 8 events
%% OUT:   note: handled.erl:8:24: P.1 exits: oops; P is told
