%% What is in a stack trace, and in which order parts are evaluated: as in OTP.
%% RUN: show() { for f in "$@"; do echo "> $f"; fathom run %s -e "traces:$f()" 2>&1 | sed 's/  (.*traces.erl:/  (/'; done; }
%% RUN: show named_last_call undefined_last_call native_last_call native_by_fun native_by_name error_by_name
%% RUN: show equal_frames loop_of_a_list loops_of_a_binary failing_after
%% RUN: show update_order bad_update bad_wide_update bad_access
-module(traces).
-compile([export_all, nowarn_export_all]).
-record(r, {a, b, c}).

id(X) -> X.
note(X) -> put(notes, [X | notes()]), X.
notes() -> case get(notes) of undefined -> []; Notes -> Notes end.

%% The value only gets a name: the call is a tail call.
named_last_call() -> _Value = fails().
fails() -> [hd(id([]))].

%% It is gone when the function is not found.
undefined_last_call() -> nobody:here(1).

%% A native function is called from where it stands,
native_last_call() -> atom_to_list(id(1)).
%% but not by a fun or by a name from somewhere else,
native_by_fun() -> (id(fun erlang:atom_to_list/1))(1).
native_by_name() -> (id(erlang)):atom_to_list(1).
%% unless it is error/1.
error_by_name() -> (id(erlang)):error(oops).

%% One stands for all.
equal_frames() -> deep(100).
deep(0) -> 1 / id(0);
deep(N) -> [deep(N - 1)].

%% The call of the loop has the place of the generator, that of a binary's the place
%% of the comprehension, and there the inner loop returns to the outer one.
loop_of_a_list() ->
    [[
      hd(X) ||
         X <- [id(1)]]].
loops_of_a_binary() ->
    [<<
      <<(hd(Y))>> ||
         X <- [id(1)],
         Y <- [X]>>].

failing_after() ->
    try id(1)
    after
        note(1),
        fails()
    end.

%% The new values come before the record.
update_order() ->
    _ = (note(#r{}))#r{c = note(1), a = note(2)},
    lists:reverse(notes()).

%% The place is that of the field that is declared first, if few are given.
bad_update() ->
    (id(x))#r{
      a = 1}.
bad_wide_update() ->
    (id(x))#r{
      b = 2,
      a = 1}.
bad_access() ->
    (id(x))
      #r.a.
