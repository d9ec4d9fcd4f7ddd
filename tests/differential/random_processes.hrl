%% Random concurrent programs, as Erlang text that OTP and `fathom check` both run.
%%
%% A program is {Table, [Worker]}, a worker a list of operations {Text, IsRecorded}. Its function
%% t<SEED>(I) starts the workers, tells each who the others are, waits for them to end, and exits
%% with how each has ended (what it saw, or what ended it) and what is left in the shared state.
%% I makes its names its own, so that in OTP many can run at once.
%%
%% What OTP leaves open is not looked at: the order of a table that is not ordered, pids and
%% references as such, clocks; nor, since no operation is to wait for ever, two processes that suspend
%% each other (so only the first one suspends).
%% No operation waits for ever.

-compile(nowarn_unused_function).

%% --- making them

random_processes(Seed) ->
    rand:seed(exsss, Seed),
    Count = one_of([2, 2, 3]),
    Themes = [lists:nth(rand:uniform(length(themes())), themes()) || _ <- [1, 2]],
    Table = one_of(["set", "ordered_set", "ordered_set", "bag", "duplicate_bag"]),
    Most = case Count of 2 -> 5; 3 -> 4 end,
    Workers = [[operation(Themes, Table, I, Count) || _ <- lists:seq(1, 1 + rand:uniform(Most - 1))] || I <- lists:seq(1, Count)],
    Plain = [[plain_look(Operation, Workers) || Operation <- Worker] || Worker <- Workers],
    {Table, [hd(Plain) | [[Operation || {Text, _} = Operation <- Worker, string:find(Text, "suspend_process") =:= nomatch] || Worker <- tl(Plain)]]}.

%% A process that waits for what it has asked of another one has the answer in its mailbox for a
%% moment, where OTP shows it to others; the machine answers at once (docs/signals.md). So the mailbox
%% of a process that asks is not looked at.
plain_look({Text, IsRecorded}, Workers) ->
    case re:run(Text, "process_info\\(w\\((\\d), Ws\\), message", [{capture, all_but_first, list}]) of
        {match, [Number]} ->
            Other = "(w\\([^" ++ Number ++ "]|S|G|U|whereis)",
            Asks = "(process_info|is_process_alive|suspend_process|garbage_collect)\\(" ++ Other ++ "|group_leader\\(w\\(.*, " ++ Other,
            IsAsking = lists:any(fun({T, _}) -> re:run(T, Asks) =/= nomatch end, lists:nth(list_to_integer(Number), Workers)),
            {case IsAsking of true -> "none"; false -> Text end, IsRecorded};
        nomatch -> {Text, IsRecorded}
    end.

one_of(List) -> lists:nth(rand:uniform(length(List)), List).

%% For whose end a process waits has come before it, so no two wait for each other; the first waits
%% for nobody.
operation(Themes, Table, I, Count) ->
    Theme = case rand:uniform(8) of 1 -> one_of(themes()); _ -> one_of(Themes) end,
    {Text, IsRecorded} = one_of(shapes(Theme, Table)),
    case string:find(Text, "$l") of
        nomatch -> {filled(Text, Count), IsRecorded};
        _ when I =:= 1 -> {"none", IsRecorded};
        _ -> {filled(lists:flatten(string:replace(Text, "$l", "w(" ++ integer_to_list(rand:uniform(I - 1)) ++ ", Ws)")), Count), IsRecorded}
    end.

%% $p a worker, $n a small number, $k a key, $w a key of any kind.
filled([$$, C | Rest], Count) ->
    Word = case C of
               $p -> io_lib:format("w(~w, Ws)", [rand:uniform(Count)]);
               $n -> integer_to_list(rand:uniform(3));
               $k -> one_of(["a", "b"]);
               $w -> one_of(["1", "1", "1.0", "{1}", "{1.0}", "a", "#{a => 1.0}"])
           end,
    lists:flatten(Word) ++ filled(Rest, Count);
filled([C | Rest], Count) -> [C | filled(Rest, Count)];
filled([], _) -> [].

themes() -> [messages, messages, tables, owners, looks, looks, suspends, timers, ends, ends, names, cells, servers, servers, machines, supervisors].

shapes(messages, _) ->
    [{"$p ! $n", false}, {"$p ! $n", false}, {"$p ! {x, $n}", false}, {"[$p ! Z || Z <- [$n, $n]]", false},
     {"begin Z = alias([reply]), $p ! {alias, Z}, y(), unalias(Z) end", true}, {"begin Z = alias(), $p ! {alias, Z}, y(), unalias(Z) end", true},
     {"receive {alias, Z} -> Z ! $n, sent after 5 -> late end", true}]
        ++ receives();
shapes(tables, Table) ->
    Ordered = [{"ets:first(T)", true}, {"ets:last(T)", true}, {"ets:next(T, $w)", true}, {"ets:prev(T, $w)", true}, {"ets:next(T, ets:first(T))", true}],
    [{"ets:insert(T, {$w, $n})", false}, {"ets:insert(T, {$w, $n})", false}, {"ets:insert(T, [{$w, $n}, {$w, $n}])", false},
     {"ets:insert_new(T, {$w, $n})", true}, {"ets:lookup(T, $w)", true}, {"ets:lookup(T, $w)", true}, {"ets:member(T, $w)", true},
     {"ets:delete(T, $w)", false}, {"ets:delete_object(T, {$w, $n})", false}, {"ets:take(T, $w)", true}, {"ets:info(T, size)", true},
     {"ets:safe_fixtable(T, true)", true}, {"ets:safe_fixtable(T, false)", true}, {"ets:info(T, fixed)", true},
     {"sorted(ets:tab2list(T))", true}, {"ets:delete_all_objects(T)", false}, {"ets:update_counter(T, $w, 1)", true},
     {"ets:update_counter(T, $w, 1, {$w, 0})", true}, {"ets:update_element(T, $w, {2, $n})", true},
     {"ets:select_delete(T, [{{'_', $n}, [], [true]}])", true}, {"ets:select_count(T, [{{'_', $n}, [], [true]}])", true},
     {"sorted(ets:match_object(T, {'_', $n}))", true}, {"ets:delete(T)", true}]
        ++ [Shape || Table =:= "ordered_set", Shape <- Ordered];
shapes(owners, _) ->
    [{"is_atom(ets:new(N, [named_table, public]))", true}, {"is_atom(ets:new(N, [named_table, public]))", true},
     {"is_atom(ets:new(N, [named_table, public, {heir, $p, x}]))", true}, {"ets:delete(N)", true}, {"ets:delete(N)", true},
     {"is_atom(ets:rename(N, M))", true}, {"is_atom(ets:rename(M, N))", true}, {"ets:whereis(N) =:= undefined", true},
     {"ets:whereis(M) =:= undefined", true}, {"ets:give_away(N, $p, x)", true}, {"ets:setopts(N, {heir, $p, x})", true},
     {"ets:info(N, owner)", true}, {"ets:safe_fixtable(N, true)", true}, {"ets:insert(N, {a, $n})", true}, {"ets:lookup(N, a)", true},
     {"receive {'ETS-TRANSFER', _, _, Z} -> Z after 0 -> none end", true}, {"exit($p, kill)", false}];
shapes(looks, _) ->
    [{"$p ! $n", false}, {"$p ! {x, $n}", false}, {"process_info($p, messages)", true}, {"process_info($p, messages)", true},
     {"process_info($p, message_queue_len)", true}, {"process_info($p, dictionary)", true}, {"process_info($p, trap_exit)", true},
     {"process_info($p, registered_name)", true}, {"process_info($p, group_leader) =:= {group_leader, $p}", true},
     {"put(a, $n)", true}, {"erase(a)", true}, {"process_flag(trap_exit, true)", true}, {"register(N, self())", true},
     {"group_leader($p, $p)", true}, {"group_leader($p, $p)", true}, {"group_leader() =:= $p", true},
     {"lists:member($p, element(2, process_info($p, links)))", true}, {"begin process_flag(trap_exit, true), link($p) end", true}]
        ++ receives();
shapes(suspends, _) ->
    [{"erlang:suspend_process($p)", true}, {"erlang:suspend_process($p)", true}, {"erlang:resume_process($p)", true},
     {"erlang:suspend_process($p, [unless_suspending])", true}, {"erlang:suspend_process($p, [asynchronous])", true},
     {"begin erlang:suspend_process($p, [{asynchronous, t}]), receive {t, Z} -> Z after 20 -> late end end", true},
     {"garbage_collect($p)", true}, {"$p ! $n", false}, {"$p ! $n", false}, {"exit($p, stop)", false},
     {"exit($p, kill)", false}, {"is_process_alive($p)", true}]
        ++ receives();
shapes(timers, _) ->
    [{"erlang:send_after(1, N, $n)", false}, {"erlang:send_after(1, $p, $n)", false},
     {"is_integer(erlang:cancel_timer(erlang:send_after(1, $p, $n)))", true}, {"register(N, $p)", true}, {"register(N, self())", true},
     {"unregister(N)", true}, {"begin N ! $n, sent end", true}]
        ++ receives();
shapes(ends, _) ->
    [{"begin process_flag(trap_exit, true), link($p) end", true}, {"link($p)", true}, {"unlink($p)", true}, {"exit($p, stop)", false},
     {"begin Z = monitor(process, $p), y(), receive {'DOWN', Z, _, _, V} -> V after 0 -> demonitor(Z, [info]) end end", true},
     {"begin Z = monitor(process, $p), y(), demonitor(Z, [flush]) end", true},
     {"begin Z = monitor(process, $p), y(), demonitor(Z, [info]) end", true},
     {"begin Z = monitor(process, $p), y(), demonitor(Z, [flush, info]) end", true},
     {"begin Z = monitor(process, $p, [{alias, reply_demonitor}]), $p ! {alias, Z}, y(), demonitor(Z, [info]) end", true},
     {"begin Z = monitor(process, $l), receive {'DOWN', Z, _, _, V} -> V end end", true},
     {"exit($p, kill)", false}, {"exit($p, normal)", false}, {"process_flag(trap_exit, true)", true}, {"process_flag(trap_exit, false)", true},
     {"is_tuple(spawn_opt(fun() -> ok end, [link, monitor]))", true}, {"is_pid(spawn_link(fun() -> exit(bad) end))", true},
     {"register(N, self())", true}, {"whereis(N)", true}, {"is_process_alive($p)", true}, {"exit(early)", false}]
        ++ receives();
shapes(names, _) ->
    [{"register(N, self())", true}, {"register(N, $p)", true}, {"register(M, $p)", true}, {"unregister(N)", true}, {"whereis(N)", true},
     {"whereis(M)", true}, {"begin N ! $n, sent end", true}, {"exit($p, stop)", false}, {"process_info($p, registered_name)", true}]
        ++ receives();
shapes(cells, _) ->
    [{"counters:add(C, 1, $n)", false}, {"counters:put(C, 1, $n)", false}, {"counters:get(C, 1)", true}, {"atomics:add(A, 1, $n)", false},
     {"atomics:add_get(A, 1, $n)", true}, {"atomics:exchange(A, 1, $n)", true}, {"atomics:compare_exchange(A, 1, $n, $n)", true},
     {"atomics:get(A, 1)", true}, {"persistent_term:put({N, $k}, $n)", false}, {"persistent_term:erase({N, $k})", true},
     {"persistent_term:get({N, $k}, none)", true}];
shapes(servers, _) ->
    [{"gen_server:call(S, {add, $n}, infinity)", true}, {"gen_server:call(S, {add, $n}, infinity)", true}, {"gen_server:call(S, get, infinity)", true},
     {"gen_server:cast(S, {set, $n})", false}, {"S ! {set, $n}", false}, {"gen_server:stop(S)", true}, {"exit(S, kill)", false},
     {"exit(S, stop)", false}, {"is_process_alive(S)", true},
     {"begin Z = gen_server:send_request(S, get), y(), gen_server:wait_response(Z, infinity) end", true}];
shapes(machines, _) ->
    [{"gen_statem:call(G, toggle, infinity)", true}, {"gen_statem:call(G, toggle, infinity)", true}, {"gen_statem:call(G, get, infinity)", true},
     {"gen_statem:cast(G, reset)", false}, {"G ! reset", false}, {"gen_statem:cast(G, later)", false}, {"exit(G, kill)", false}];
shapes(supervisors, _) ->
    [{"gen_server:call(Q, get, infinity)", true}, {"gen_server:call(Q, {add, $n}, infinity)", true}, {"exit(whereis(Q), kill)", true}, {"is_pid(whereis(Q))", true},
     {"supervisor:terminate_child(U, w)", true}, {"element(1, supervisor:restart_child(U, w))", true}, {"Q ! {set, $n}", true}].

receives() ->
    [{"receive Z -> Z after 0 -> none end", true}, {"receive Z -> Z after 0 -> none end", true}, {"receive Z -> Z after 5 -> late end", true},
     {"receive Z when is_integer(Z) -> Z after 0 -> none end", true}, {"receive {x, Z} -> Z after 5 -> late end", true},
     {"receive Z when not is_integer(Z) -> Z after 0 -> none end", true}].

%% --- their text

processes_module(Name, Programs) ->
    ["-module(", Name, ").\n-compile([export_all, nowarn_export_all, nowarn_unused_vars]).\n\n",
     [program_text(Seed, Program) || {Seed, Program} <- Programs], processes_helpers()].

program_text(Seed, {Table, Workers}) ->
    All = lists:append([Text || Operations <- Workers, {Text, _} <- Operations]),
    Uses = fun(Word) -> string:find(All, Word) =/= nomatch end,
    UsesTable = Uses("(T"),
    [io_lib:format("t~w(I) ->\n    {N, M, Q} = names(I),\n", [Seed]),
     [["    T = ets:new(t, [public, ", Table, "]),\n"] || UsesTable],
     ["    A = atomics:new(1, []),\n" || Uses("(A,")],
     ["    C = counters:new(1, [atomics]),\n" || Uses("(C,")],
     ["    S = started(gen_server:start_link(?MODULE, server, [])),\n" || Uses("(S") orelse Uses("S !")],
     ["    G = started(gen_statem:start_link(?MODULE, machine, [])),\n" || Uses("(G") orelse Uses("G !")],
     ["    U = started(supervisor:start_link(?MODULE, {supervisor, Q})),\n" || Uses("(U") orelse Uses("(Q") orelse Uses("Q !")],
     "    run([", lists:join(",\n         ", [worker_text(Operations) || Operations <- Workers]), "],\n",
     "        fun() -> {", case UsesTable of true -> "attempt(fun() -> sorted(ets:tab2list(T)) end)"; false -> "none" end, ", ",
     case Uses("persistent_term") of true -> "left(N)"; false -> "none" end, "} end).\n\n"].

worker_text(Operations) ->
    Numbered = lists:zip(lists:seq(1, length(Operations)), Operations),
    ["fun(Ws) ->\n",
     [["            ", operation_text(I, Operation), ", y(),\n"] || {I, Operation} <- Numbered],
     "            exit({saw, [", lists:join(", ", [variable(I) || {I, {_, true}} <- Numbered]), "]})\n         end"].

operation_text(I, {Text, true}) -> [variable(I), " = attempt(fun() -> ", Text, " end)"];
operation_text(_, {Text, false}) -> ["attempt(fun() -> ", Text, " end)"].

variable(I) -> ["X", integer_to_list(I)].

processes_helpers() ->
    "run(Workers, Left) ->\n"
    "    Ps = [spawn_monitor(fun() -> receive {go, Ws} -> y(), F(Ws) end end) || F <- Workers],\n"
    "    Ws = list_to_tuple([P || {P, _} <- Ps]),\n"
    "    [begin P ! {go, Ws}, y() end || {P, _} <- Ps],\n"
    "    Ends = [receive {'DOWN', R, _, _, Why} -> plain(Why, Ws) end || {_, R} <- Ps],\n"
    "    exit({out, Ends, plain(Left(), Ws)}).\n\n"
    "w(I, Ws) -> element(I, Ws).\n\n"
    "attempt(F) -> try F() catch error:Reason -> {error, Reason}; exit:Reason when Reason =/= early -> {exit, Reason} end.\n\n"
    "started({ok, Pid}) -> process_flag(trap_exit, true), Pid.\n\n"
    "callback_mode() -> handle_event_function.\n"
    "init(server) -> {ok, 0};\n"
    "init(machine) -> {ok, off, 0};\n"
    "init({supervisor, N}) -> {ok, {#{intensity => 9}, [#{id => w, start => {gen_server, start_link, [{local, N}, ?MODULE, server, []]}}]}}.\n"
    "handle_call({add, X}, _, State) -> {reply, State + X, State + X};\n"
    "handle_call(get, _, State) -> {reply, State, State}.\n"
    "handle_cast({set, X}, _) -> {noreply, X}.\n"
    "handle_info({set, X}, _) -> {noreply, X};\n"
    "handle_info(_, State) -> {noreply, State}.\n"
    "handle_event({call, From}, toggle, Name, X) -> {next_state, case Name of on -> off; off -> on end, X + 1, [{reply, From, {Name, X}}]};\n"
    "handle_event({call, From}, get, Name, X) -> {keep_state_and_data, [{reply, From, {Name, X}}]};\n"
    "handle_event(cast, later, _, X) -> {next_state, on, X, [{state_timeout, 1, back}]};\n"
    "handle_event(state_timeout, back, _, X) -> {next_state, off, X + 10};\n"
    "handle_event(_, reset, _, _) -> {next_state, off, 0};\n"
    "handle_event(_, _, _, _) -> keep_state_and_data.\n\n"
    "left(N) -> [begin V = persistent_term:get({N, K}, none), persistent_term:erase({N, K}), V end || K <- [a, b]].\n\n"
    "%% {1} and {1.0} are equal, so as terms their order would be that of the table.\n"
    "sorted(List) -> [X || {_, X} <- lists:sort([{term_to_binary(X), X} || X <- List])].\n\n"
    "%% Without pids and references.\n"
    "plain(P, Ws) when is_pid(P) -> case [I || I <- lists:seq(1, tuple_size(Ws)), element(I, Ws) =:= P] of [I] -> {w, I}; [] -> pid end;\n"
    "plain(R, _) when is_reference(R) -> reference;\n"
    "plain({go, _}, _) -> go;\n"
    "plain(A, _) when is_atom(A) -> plain_name(A);\n"
    "plain([H | T], Ws) -> [plain(H, Ws) | plain(T, Ws)];\n"
    "plain(T, Ws) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T), Ws));\n"
    "plain(X, _) -> X.\n\n"
    "-ifdef(OTP).\n"
    "names(I) -> Text = lists:concat(lists:join(\"_\", tuple_to_list(I))), list_to_tuple([list_to_atom(\"rp_\" ++ [C, $_ | Text]) || C <- \"nmq\"]).\n"
    "plain_name(A) -> case atom_to_list(A) of \"rp_n\" ++ _ -> n; \"rp_m\" ++ _ -> m; \"rp_q\" ++ _ -> q; _ -> A end.\n"
    "%% Not by rand, which uses the dictionary.\n"
    "y() -> D = erlang:phash2({self(), erlang:monotonic_time()}), y(D rem 32, D).\n"
    "y(X, _) when X < 12 -> ok;\n"
    "y(X, _) when X < 20 -> erlang:yield();\n"
    "y(X, D) when X < 31 -> spin(D rem 3000);\n"
    "y(_, _) -> receive after 1 -> ok end.\n"
    "spin(0) -> ok;\n"
    "spin(N) -> spin(N - 1).\n"
    "-else.\n"
    "names(_) -> {n, m, q}.\n"
    "plain_name(A) -> A.\n"
    "y() -> ok.\n"
    "-endif.\n".
