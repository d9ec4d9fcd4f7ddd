-module(traced_SUITE).
-compile([export_all, nowarn_export_all]).
%% Tracing that is on: processes, messages, calls.
all() -> [own, calls, tail_call, told_returns, exceptions, links, spawned, names, sends, named_sends, inherited,
          ends, arities, natives, global, counted, other_tracer, bad, silent, messages, tests, new_ones, received,
          sent_messages, all_processes, deep, in_dbg, by_fun2ms].
f(X) -> X + 1.
g(X) -> Y = f(X), Y * 2.
t(X) -> f(X).
d(0) -> 0;
d(N) -> 1 + d(N - 1).
got() -> receive M -> [told(M) | got()] after 30 -> [] end.
told({trace, P, T, X}) -> {name(P), T, shown(X)};
told({trace, P, T, X, Y}) -> {name(P), T, shown(X), shown(Y)};
told({trace_ts, P, T, X, When}) -> {name(P), T, shown(X), kind(When)};
told({trace_ts, P, T, X, Y, When}) -> {name(P), T, shown(X), shown(Y), kind(When)};
told(M) -> M.
kind({_, _, _}) -> now;
kind({_, _}) -> strict;
kind(I) when is_integer(I) -> monotonic.
name(P) -> case get(P) of undefined when P =:= self() -> me; undefined -> P; N -> N end.
shown(P) when is_pid(P) -> case name(P) of P -> other; N -> N end;
shown(T) when is_tuple(T) -> list_to_tuple([shown(E) || E <- tuple_to_list(T)]);
shown([H | T]) -> [shown(H) | shown(T)];
shown(F) when is_function(F) -> 'fun';
shown(X) -> X.
loop() -> receive {P, F} when is_pid(P) -> P ! {done, (catch F())}, loop(); stop -> ok; _ -> loop() end.
started(N) -> P = spawn(?MODULE, loop, []), put(P, N), P.
do(P, F) -> P ! {self(), F}, receive {done, R} -> R end.
pattern(F, Spec, Flags) -> erlang:trace_pattern({?MODULE, F, 1}, Spec, Flags).
traced(Flags) -> P = started(p), 1 = erlang:trace(P, true, Flags), P.
end_per_testcase(_, _) ->
    erlang:trace(all, false, [all]), erlang:trace(new, false, [all]),
    [erlang:trace_pattern({?MODULE, '_', '_'}, false, L) || L <- [[local], [meta], [call_count]]],
    [erlang:trace_pattern(E, true, []) || E <- [send, 'receive']], ok.
own(_) ->
    1 = erlang:trace(self(), true, [call]), 1 = pattern(f, true, [local]), f(2), [] = got(),
    [{flags, [call]}, {tracer, me}, {traced, local}, {match_spec, []}, {all, false}, {traced, undefined}] =
        [shown(X) || X <- [erlang:trace_info(self(), flags), erlang:trace_info(self(), tracer),
                           erlang:trace_info({?MODULE, f, 1}, traced), erlang:trace_info({?MODULE, f, 1}, match_spec),
                           erlang:trace_info({?MODULE, g, 1}, all), erlang:trace_info({?MODULE, nothing, 1}, traced)]],
    {all, [{traced, local}, {match_spec, []} | _]} = erlang:trace_info({?MODULE, f, 1}, all),
    1 = erlang:trace(self(), false, [all]), {flags, []} = erlang:trace_info(self(), flags).
calls(_) ->
    P = traced([call]), 1 = pattern(f, true, [local]),
    8 = do(P, fun() -> g(3) end), [{p, call, {?MODULE, f, [3]}}] = got(),
    1 = pattern(f, false, [local]), 8 = do(P, fun() -> g(3) end), [] = got(),
    {traced, false} = erlang:trace_info({?MODULE, f, 1}, traced).
tail_call(_) ->
    P = traced([call]), pattern(f, [{'_', [], [{return_trace}]}], [local]), pattern(t, true, [local]),
    4 = do(P, fun() -> t(3) end),
    [{p, call, {?MODULE, t, [3]}}, {p, call, {?MODULE, f, [3]}}, {p, return_from, {?MODULE, f, 1}, 4}] = got().
told_returns(_) ->
    P = traced([call]), pattern(f, [{['$1'], [{'>', '$1', 2}], [{return_trace}, {message, {{x, '$1', {caller}}}}]}], [local]),
    8 = do(P, fun() -> g(3) end),
    [{p, call, {?MODULE, f, [3]}, {x, 3, {?MODULE, g, 1}}}, {p, return_from, {?MODULE, f, 1}, 4}] = got(),
    4 = do(P, fun() -> g(1) end), [] = got(),
    {'EXIT', {badarith, _}} = do(P, fun() -> g(a) end),
    [{p, call, {?MODULE, f, [a]}, {x, a, {?MODULE, g, 1}}}] = got().
exceptions(_) ->
    P = traced([call]), pattern(f, [{'_', [], [{exception_trace}]}], [local]),
    {'EXIT', {badarith, [{_, _, _, _} | _]}} = do(P, fun() -> g(a) end),
    [{p, call, {?MODULE, f, [a]}}, {p, exception_from, {?MODULE, f, 1}, {error, badarith}}] = got(),
    2 = do(P, fun() -> ?MODULE:t(1) end),
    [{p, call, {?MODULE, f, [1]}}, {p, return_from, {?MODULE, f, 1}, 2}] = got().
links(_) ->
    P = traced([procs]), Q = started(q),
    do(P, fun() -> link(Q) end), [{p, link, q}] = got(),
    do(P, fun() -> unlink(Q) end), [{p, unlink, q}] = got(),
    erlang:trace(Q, true, [procs]), do(P, fun() -> link(Q) end),
    [{p, link, q}, {q, getting_linked, p}] = lists:sort(got()).
spawned(_) ->
    P = traced([procs]), do(P, fun() -> spawn(lists, seq, [1, 2]) end),
    [{p, spawn, other, {lists, seq, [1, 2]}}] = got().
names(_) ->
    P = traced([procs]), do(P, fun() -> register(traced_name, self()) end), [{p, register, traced_name}] = got(),
    do(P, fun() -> unregister(traced_name) end), [{p, unregister, traced_name}] = got().
sends(_) ->
    S = self(), P = traced([send]), D = spawn(fun() -> ok end), receive after 5 -> ok end,
    do(P, fun() -> S ! a, D ! x end),
    [{p, send, a, me}, a, {p, send_to_non_existing_process, x, other}, {p, send, {done, x}, me}] = got().
named_sends(_) ->
    register(traced_me, self()), P = traced([send]), do(P, fun() -> traced_me ! x, {traced_me, node()} ! y end),
    N = node(),
    [{p, send, x, traced_me}, x, {p, send, y, {traced_me, N}}, y, {p, send, {done, y}, me}] = got().
inherited(_) ->
    P = traced([procs, set_on_spawn, timestamp]), do(P, fun() -> spawn(?MODULE, f, [1]), receive after 5 -> x end end),
    [{p, spawn, other, {?MODULE, f, [1]}, now}, {Q, spawned, p, {?MODULE, f, [1]}, now}, {Q, exit, normal, now}] = got(),
    true = is_pid(Q),
    R = started(r), erlang:trace(R, true, [procs, set_on_first_spawn]),
    do(R, fun() -> spawn(?MODULE, f, [1]), spawn(?MODULE, f, [2]), receive after 5 -> x end end),
    [1, 1, 2] = lists:sort([X || {_, T, _, {?MODULE, f, [X]}} <- got(), T =:= spawn orelse T =:= spawned]).
ends(_) ->
    P = traced([procs, monotonic_timestamp]), P ! stop, [{p, exit, normal, monotonic}] = got(),
    undefined = erlang:trace_info(P, flags).
arities(_) ->
    P = traced([call, arity]), pattern(f, true, [local]), do(P, fun() -> g(1) end), [{p, call, {?MODULE, f, 1}}] = got(),
    N = erlang:trace_pattern({?MODULE, '_', '_'}, true, [local]), true = N > 40,
    N = erlang:trace_pattern({?MODULE, '_', '_'}, false, [local]).
natives(_) ->
    P = traced([call]), 1 = erlang:trace_pattern({erlang, list_to_pid, 1}, [{'_', [], [{exception_trace}]}], []),
    L = pid_to_list(self()), do(P, fun() -> list_to_pid(L) end),
    [{p, call, {erlang, list_to_pid, [L]}}, {p, return_from, {erlang, list_to_pid, 1}, me}] = got(),
    do(P, fun() -> list_to_pid(lists:nth(1, [x])) end),
    [{p, call, {erlang, list_to_pid, [x]}}, {p, exception_from, {erlang, list_to_pid, 1}, {error, badarg}}] = got(),
    1 = erlang:trace_pattern({erlang, list_to_pid, 1}, false, []), do(P, fun() -> list_to_pid(L) end), [] = got().
global(_) ->
    P = traced([call]), 1 = pattern(f, true, []), do(P, fun() -> f(1) end), [] = got(),
    do(P, fun() -> ?MODULE:f(1) end), [{p, call, {?MODULE, f, [1]}}] = got(),
    {traced, global} = erlang:trace_info({?MODULE, f, 1}, traced).
counted(_) ->
    1 = pattern(f, true, [call_count]), f(1), f(2), {call_count, 2} = erlang:trace_info({?MODULE, f, 1}, call_count),
    pattern(f, pause, [call_count]), f(1), {call_count, 2} = erlang:trace_info({?MODULE, f, 1}, call_count),
    pattern(f, restart, [call_count]), f(1), {call_count, 1} = erlang:trace_info({?MODULE, f, 1}, call_count),
    pattern(f, false, [call_count]), {call_count, false} = erlang:trace_info({?MODULE, f, 1}, call_count).
other_tracer(_) ->
    S = self(), T = spawn(fun() -> receive {trace, _, call, C} -> S ! {tracer, C}, receive stop -> ok end end end), P = started(p),
    1 = erlang:trace(P, true, [call, {tracer, T}]), {tracer, T} = erlang:trace_info(P, tracer), pattern(f, true, [local]),
    do(P, fun() -> f(1) end), receive {tracer, {?MODULE, f, [1]}} -> ok end,
    {'EXIT', {badarg, _}} = (catch erlang:trace(P, true, [send])), ok.
bad(_) ->
    [{'EXIT', {badarg, _}} = (catch erlang:trace(A, B, C)) || {A, B, C} <- [{foo, true, []}, {self(), true, [foo]}, {self(), foo, []}]],
    {'EXIT', {badarg, _}} = (catch pattern(f, [{x, y}], [])), {'EXIT', {badarg, _}} = (catch pattern(f, [{['$1'], [], [{nothing}]}], [])),
    {'EXIT', {badarg, _}} = (catch pattern(f, true, [foo])), 0 = pattern(no_such_function, true, []).
silent(_) ->
    P = traced([call, silent]), pattern(f, true, [local]), do(P, fun() -> f(1) end), [] = got(),
    pattern(f, [{'_', [], [{silent, false}]}], [local]), do(P, fun() -> f(1), f(2) end),
    [{p, call, {?MODULE, f, [1]}}, {p, call, {?MODULE, f, [2]}}] = got().
messages(_) ->
    P = traced([call]), pattern(f, [{[1], [], [{message, false}]}, {[2], [], [{message, true}]}, {[3], [], []}, {[4], [], [{message, {{'$_'}}}]}], [local]),
    do(P, fun() -> [f(X) || X <- [1, 2, 3, 4, 5]] end),
    [{p, call, {?MODULE, f, [2]}}, {p, call, {?MODULE, f, [3]}}, {p, call, {?MODULE, f, [4]}, {[4]}}] = got().
tests(_) ->
    {ok, {a, 1}, [return_trace], []} = erlang:match_spec_test([1], [{['$1'], [], [{message, {{a, '$1'}}}, {return_trace}]}], trace),
    {ok, false, [], []} = erlang:match_spec_test([1], [{[2], [], []}], trace),
    {ok, true, [], []} = erlang:match_spec_test([1], [{['_'], [], []}], trace),
    {error, [_ | _]} = erlang:match_spec_test([1], [{['$1'], [], [{foo}]}], trace),
    {'EXIT', {badarg, _}} = (catch erlang:match_spec_test(foo, [{['_'], [], []}], trace)), ok.
new_ones(_) ->
    erlang:trace(new, true, [procs]), P = spawn(?MODULE, f, [1]),
    [{P, spawned, me, {?MODULE, f, [1]}}, {P, exit, normal}] = got(), {flags, [procs]} = erlang:trace_info(new, flags),
    erlang:trace(new, false, [procs]), spawn(?MODULE, f, [1]), [] = got().
received(_) ->
    S = self(), P = traced(['receive']), P ! {x, 1}, P ! {y, 2}, [{p, 'receive', {x, 1}}, {p, 'receive', {y, 2}}] = got(),
    1 = erlang:trace_pattern('receive', [{['_', S, {x, '_'}], [], []}], []), P ! {x, 3}, P ! {y, 4}, [{p, 'receive', {x, 3}}] = got(),
    {match_spec, [_]} = erlang:trace_info('receive', match_spec), 1 = erlang:trace_pattern('receive', true, []),
    {match_spec, true} = erlang:trace_info('receive', match_spec).
sent_messages(_) ->
    S = self(), P = traced([send]), erlang:trace_pattern(send, [{['_', {done, '_'}], [], [{message, {{sent}}}]}], []),
    do(P, fun() -> S ! zz end), L = [X || X <- got(), X =/= zz], 1 = length(L).
all_processes(_) ->
    P = started(p), N = erlang:trace(processes, true, [call]), true = N > 1, {flags, [call]} = erlang:trace_info(P, flags),
    {flags, [call]} = erlang:trace_info(self(), flags), erlang:trace(processes, false, [call]), {flags, []} = erlang:trace_info(P, flags).
deep(_) ->
    P = traced([call]), pattern(d, [{'_', [], [{return_trace}]}], [local]), 500 = do(P, fun() -> erlang:garbage_collect(), d(500) end),
    L = got(), 501 = length([x || {p, call, _} <- L]), [N || {p, return_from, {_, d, 1}, N} <- L] =:= lists:seq(0, 500) orelse exit(L).
in_dbg(_) ->
    S = self(), {ok, _} = dbg:tracer(process, {fun(M, N) -> S ! M, N end, 0}), P = started(p), {ok, _} = dbg:p(P, [c]),
    {ok, [{matched, _, 1} | _]} = dbg:tpl(?MODULE, f, 1, [{'_', [], [{return_trace}]}]), do(P, fun() -> g(3) end),
    [{p, call, {?MODULE, f, [3]}}, {p, return_from, {?MODULE, f, 1}, 4}] = got(), dbg:stop_clear().
by_fun2ms(_) -> ok.
