-module(way_heirs_and_groups).
-export([test/0, handle/2, f1/1, f2/1]).
-record(job, {name, run, next = none}).
test() ->
    {ok, _} = pg:start_link(),
    W = [spawn_link(fun() -> member(N) end) || N <- [1, 2]],
    timer:sleep(5),
    [P ! {run, fun(X) -> X + 10 end, self()} || P <- pg:get_members(workers)],
    R1 = [receive {done, _, V} -> V after 100 -> none end || _ <- W],
    T = ets:new(t, [bag]),
    true = ets:insert(T, [{a, fun() -> in_ets end, #job{name = n, run = fun(J) -> J#job.name end}}, {b, fun() -> second end, none}]),
    R2 = [F() || [F] <- ets:match(T, {'_', '$1', '_'})],
    R3 = [(J#job.run)(J) || [J] <- ets:select(T, [{{a, '_', '$1'}, [], [['$1']]}])],
    R4 = ets:foldl(fun({_, F, _}, Acc) -> [F() | Acc] end, [], T),
    N = ets:new(named, [named_table, ordered_set, {heir, self(), {given, fun() -> heir end}}]),
    ets:insert(N, {k, {fun f1/1, fun ?MODULE:f2/1}}),
    {F1, F2} = ets:lookup_element(named, k, 2),
    R5 = {F1(1), F2(2)},
    R6 = owner(),
    persistent_term:put({?MODULE, x}, #{g => fun(A) -> {pt, A} end, list => [fun() -> l1 end]}),
    #{g := G, list := [L1]} = persistent_term:get({?MODULE, x}),
    R7 = {G(1), L1(), [V() || {{?MODULE, x}, #{list := [V]}} <- persistent_term:get()]},
    Name = list_to_atom("f" ++ integer_to_list(1)),
    R8 = {?MODULE:Name(3), apply(?MODULE, Name, [4]), (fun ?MODULE:Name/1)(5), apply(fun f2/1, [6]),
          apply(?MODULE, list_to_existing_atom("handle"), [one, two]), erlang:apply(binary_to_atom(<<"way_heirs_and_groups">>), f2, [7])},
    {R1, R2, R3, R4, R5, R6, R7, R8}.
member(N) -> ok = pg:join(workers, self()), receive {run, F, From} -> From ! {done, N, F(N)} end.
owner() ->
    Me = self(),
    spawn(fun() -> T = ets:new(x, [{heir, Me, {data, fun(Y) -> {from_heir, Y} end}}]), ets:insert(T, {q, fun() -> kept end}) end),
    receive {'ETS-TRANSFER', T, _, {data, F}} -> [{q, G}] = ets:lookup(T, q), {F(1), G()} after 200 -> none end.
handle(A, B) -> {A, B}.
f1(X) -> {f1, X}.
f2(X) -> {f2, X}.
