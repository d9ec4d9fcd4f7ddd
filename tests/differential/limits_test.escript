#!/usr/bin/env escript
%% Large and deep values, deep recursion, long numbers and large functions: the machine
%% gives OTP's answers, in seconds, and where it has a limit it says so. A crash, an
%% answer that is not OTP's or a minute without one fails.
%%
%%   limits_test.escript [WORD...]   only the cases whose text contains one of the words
-mode(compile).
-include("fathom_port.hrl").

-define(SECONDS, "60").

main(Words) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_limits." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Results = [same(Dir, Title, Text) || {Title, Text} <- same_answers(), wanted(Title, Words)]
        ++ [long_chain(Dir, Case) || {Operand, _} = Case <- chains(), wanted(Operand, Words)]
        ++ [says(Case) || {Title, _, _, _} = Case <- clear_limits(), wanted(Title, Words)],
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir),
    summary(length([ok || ok <- Results]), length([failed || failed <- Results])).

wanted(Title, Words) -> Words =:= [] orelse lists:any(fun(W) -> string:find(Title, W) =/= nomatch end, Words).

%% --- what both answer

same_answers() ->
    [{Title, body(Body)} || {Title, Body} <- lists_of_millions() ++ ends_of_processes() ++ deep_recursion() ++ long_integers() ++ deep_terms()]
        ++ large_functions().

%% A module with t/0.
body(Body) -> ["-module(large).\n-export([t/0, id/1]).\nid(X) -> X.\nt() ->\n", Body, ".\n"].

lists_of_millions() ->
    [{"sum", "lists:sum(lists:seq(1, 10000000))"},
     {"map and reverse", "hd(lists:reverse(lists:map(fun(X) -> X * 2 end, lists:seq(1, 5000000))))"},
     {"sort", "L = lists:sort([(X * 7919) rem 1000003 || X <- lists:seq(1, 1000000)]), {hd(L), lists:last(L), length(L)}"},
     {"++", "L = lists:seq(1, 5000000), length(L ++ L)"},
     {"--", "length(lists:seq(1, 200000) -- lists:seq(1, 200000, 2))"},
     {"foldr", "lists:foldr(fun(X, A) -> X + A end, 0, lists:seq(1, 1000000))"},
     {"comprehension", "length([{X, Y} || X <- lists:seq(1, 1000), Y <- lists:seq(1, 1000), X > Y])"},
     {"tuple of 10 million", "element(9999999, list_to_tuple(lists:seq(1, 10000000)))"},
     {"tuple that is too large", "try list_to_tuple(lists:seq(1, 16777216)) catch C:R -> {C, R} end"},
     {"map of a million", "M = maps:from_list([{X, X} || X <- lists:seq(1, 1000000)]), {map_size(M), maps:get(77777, M), lists:sum(maps:values(M))}"},
     {"binary of 3 million", "B = << <<X>> || X <- lists:seq(1, 3000000) >>, {byte_size(B), erlang:crc32(B)}"},
     {"string", "length(lists:flatten([[integer_to_list(X), $,] || X <- lists:seq(1, 500000)]))"},
     {"dictionary", "[put(X, X) || X <- lists:seq(1, 300000)], lists:sum([get(X) || X <- lists:seq(1, 300000)])"}].

%% What ends with a process, however much it is.
ends_of_processes() ->
    [{"1,000 tables of 1,000 objects and their owner", "{P, R} = spawn_monitor(fun() -> [ets:insert(ets:new(x, []), [{I} || I <- lists:seq(1, 1000)]) || _ <- lists:seq(1, 1000)] end), receive {_, R, _, P, W} -> {W, length(ets:all()) < 500} end"},
     {"1,000 tables and their heir", "S = self(), spawn(fun() -> [ets:new(x, [{heir, S, N}]) || N <- lists:seq(1, 1000)] end), Ts = [receive {'ETS-TRANSFER', T, _, N} -> T end || N <- lists:seq(1, 1000)], [ets:delete(T) || T <- Ts], length(Ts)"},
     {"a table of a million objects and its owner", "{P, R} = spawn_monitor(fun() -> ets:insert(ets:new(x, []), [{I} || I <- lists:seq(1, 1000000)]) end), receive {_, R, _, P, W} -> W end"},
     {"100,000 linked processes", "process_flag(trap_exit, true), P = spawn_link(fun() -> [spawn_link(fun() -> receive x -> x end end) || _ <- lists:seq(1, 100000)], exit(all) end), receive {'EXIT', P, W} -> W end"},
     {"100,000 monitors", "P = spawn(fun() -> receive x -> ok end end), Rs = [monitor(process, P) || _ <- lists:seq(1, 100000)], P ! x, length([receive {'DOWN', R, _, _, normal} -> ok end || R <- lists:reverse(Rs), R =:= hd(Rs)])"},
     {"a million messages", "P = spawn(fun() -> receive stop -> ok end end), [P ! I || I <- lists:seq(1, 1000000)], R = monitor(process, P), P ! stop, receive {'DOWN', R, _, _, W} -> W end"}].

deep_recursion() ->
    [{"1 million calls deep", "F = fun G(0) -> 0; G(N) -> 1 + G(N - 1) end, F(1000000)"},
     {"10 million calls deep", "F = fun G(0) -> 0; G(N) -> 1 + G(N - 1) end, F(10000000)"},
     {"a list built 1 million calls deep", "F = fun G(0) -> []; G(N) -> [N | G(N - 1)] end, length(F(1000000))"},
     {"an exception through 1 million calls", "F = fun G(0) -> throw(x); G(N) -> 1 + G(N - 1) end, catch F(1000000)"},
     {"100,000 try's deep", "F = fun G(0) -> throw(x); G(N) -> try 1 + G(N - 1) catch throw:y -> y after put(n, N) end end, {catch F(100000), get(n)}"}].

long_integers() ->
    [{"factorial", "X = lists:foldl(fun(I, A) -> A * I end, 1, lists:seq(1, 10000)), {length(integer_to_list(X)), X rem 1000003}"},
     {"division of 100,000 bits", "X = 3 bsl 100000 + 12345, Y = 7 bsl 50000 - 1, {Q, R} = {X div Y, X rem Y}, {Q * Y + R =:= X, erlang:phash2(Q)}"},
     {"printing and reading 1 million bits", "X = 3 bsl 1000000 - 1, T = integer_to_list(X), {erlang:phash2(T), list_to_integer(T) =:= X}"},
     {"external form", "X = -(7 bsl 100000), B = term_to_binary(X), {byte_size(B), binary_to_term(B) =:= X}"},
     {"shifts and bits", "X = 1 bsl 1000000, {(X bsr 999990), (X - 1) band 255, (X bxor (X - 1)) bsr 999999, bnot X < 0}"},
     {"bases", "X = 5 bsl 100000, [list_to_integer(integer_to_list(X, B), B) =:= X || B <- [2, 7, 16, 36]]"},
     {"a shift that is too long", "try id(1) bsl (id(1) bsl 64) catch C:R -> {C, R} end"},
     {"to a float", "try float(id(1) bsl 2000) catch C:R -> {C, R} end"},
     {"in a binary", "X = 1 bsl 100000 + 1, <<Y:100008>> = <<X:100008>>, X =:= Y"}].

deep_terms() ->
    [{Shape ++ ": " ++ What, ["Deep = lists:foldl(", Fun, ", ", Start, ", lists:seq(1, ", Depth, ")),\n", Do]}
     || {Shape, Fun, Start, Depth} <- [{"nested lists", "fun(_, A) -> [A] end", "[]", "1000000"},
                                       {"nested tuples", "fun(_, A) -> {A} end", "{}", "1000000"},
                                       {"nested tails", "fun(N, A) -> [N | {A}] end", "[]", "500000"},
                                       {"nested maps", "fun(_, A) -> #{a => A} end", "#{}", "100000"},
                                       {"nested keys", "fun(_, A) -> #{A => a} end", "#{}", "1000"},
                                       {"nested funs", "fun(_, A) -> fun() -> A end end", "[]", "1000000"}],
        {What, Do} <- [{"equal", "Deep =:= id(Deep)"}, {"garbage collection", "erlang:garbage_collect(), [] =/= Deep"},
                       {"size", "erts_debug:flat_size(Deep) > 1000"}, {"message", "self() ! Deep, receive X -> X =:= Deep end"}]
            ++ [Op || Shape =/= "nested funs",
                      Op <- [{"hash", "erlang:phash2(Deep)"}, {"compare", "{Deep < {Deep}, [Deep] =< [Deep], {Deep, 1} > {Deep, 0}}"},
                             {"external form", "B = term_to_binary(Deep), {byte_size(B), binary_to_term(B) =:= Deep}"},
                             {"as a key", "maps:get(Deep, #{Deep => 1, a => 2})"},
                             {"printed in part", "lists:flatten(io_lib:format(\"~P\", [Deep, 20]))"}]]].

%% Modules whose functions are large in one way each.
large_functions() ->
    [{"a function of 10,000 clauses", ["-module(large).\n-export([t/0]).\nt() -> {f(1), f(5000), f(9999), f(x)}.\n",
                                      [["f(", integer_to_list(N), ") -> ", integer_to_list(N * N), ";\n"] || N <- lists:seq(1, 10000)],
                                      "f(_) -> none.\n"]},
     {"10,000 functions", ["-module(large).\n-export([t/0]).\nt() -> f1(0).\n",
                          [io_lib:format("f~w(X) -> f~w(X + 1).~n", [N, N + 1]) || N <- lists:seq(1, 10000)], "f10001(X) -> X.\n"]},
     {"a literal of 100,000 elements", body(["length([", lists:join(", ", [integer_to_list(N) || N <- lists:seq(1, 100000)]), "])"])},
     {"800 variables", body([[io_lib:format("V~w = id(~w),~n", [N, N]) || N <- lists:seq(1, 800)],
                              "lists:sum([", lists:join(", ", [io_lib:format("V~w", [N]) || N <- lists:seq(1, 800)]), "])"])}]
        ++ [{"1,000 times " ++ Operand, chain(1000, Operand, Last)} || {Operand, Last} <- chains()].

chain(Length, Operand, Last) -> body([lists:duplicate(Length, [Operand, " "]), Last]).

chains() ->
    [{"id(true) andalso", "x"}, {"id(false) orelse", "x"}, {"id(1) +", "0"}, {"id([1]) ++", "[]"}, {"not", "id(true)"},
     {"-", "id(1)"}, {"X =", "id(1)"}, {"id(1),", "id(2)"}].

same(Dir, Title, Text) ->
    File = filename:join(Dir, "large.erl"),
    ok = file:write_file(File, Text),
    Expected = otp_answer(File),
    {Seconds, {Output, Status}} = timed(fun() -> fathom(["-e", "large:t()", File]) end),
    case {Status, parsed(Output)} of
        {0, {ok, Expected}} -> io:format("~6.1f s  ~ts~n", [Seconds, Title]), ok;
        {0, {ok, Got}} -> print_difference(Title, Expected, Got), failed;
        _ -> print_difference(Title, Expected, {exit, Status, Output}), failed
    end.

otp_answer(File) ->
    {ok, large, Code} = compile:file(File, [binary]),
    {module, large} = code:load_binary(large, File, Code),
    {Pid, Ref} = spawn_monitor(fun() -> exit({answer, large:t()}) end),
    Answer = receive {'DOWN', Ref, process, Pid, {answer, A}} -> A end,
    code:delete(large),
    code:purge(large),
    Answer.

parsed(Output) ->
    case erl_scan:string(unicode:characters_to_list(Output) ++ ".") of
        {ok, Tokens, _} -> erl_parse:parse_term(Tokens);
        Error -> Error
    end.

timed(Fun) ->
    Start = erlang:monotonic_time(millisecond),
    Result = Fun(),
    {(erlang:monotonic_time(millisecond) - Start) / 1000, Result}.

%% --- what only Fathom says

%% {Title, expression, options, what standard error must hold}
clear_limits() ->
    [{"memory", "F = fun G(X) -> G([X, X | X]) end, F(1)", ["--memory-limit", "100"], "memory"},
     {"memory of recursion", "F = fun G(X) -> [X | G({X})] end, F(1)", ["--memory-limit", "100"], "memory"},
     {"reductions", "F = fun G(X) -> G(X) end, F(1)", ["--reduction-limit", "100000"], "reductions"},
     {"time", "F = fun G(X) -> G(X) end, F(1)", ["--time-limit", "0.5"], "seconds"},
     {"messages to itself", "F = fun G() -> self() ! x, G() end, F()", ["--memory-limit", "100"], "memory"},
     {"messages to another", "P = spawn(fun() -> receive never -> ok end end), F = fun G() -> P ! {x, [1]}, G() end, F()", ["--memory-limit", "100"], "memory"},
     {"processes that wait", "F = fun G() -> spawn_link(fun() -> receive x -> x end end), G() end, F()", ["--memory-limit", "100"], "memory"},
     {"processes that start others", "F = fun G() -> spawn(G), spawn(G), G() end, F()", ["--memory-limit", "100"], "memory"},
     {"deep processes", "D = fun G(0) -> receive x -> 1 end; G(N) -> 1 + G(N - 1) end, [spawn(fun() -> D(100000) end) || _ <- lists:seq(1, 1000)], receive x -> x end", ["--memory-limit", "100"], "memory"},
     {"processes one after another", "F = fun G() -> spawn(G) end, F(), receive x -> x end", ["--reduction-limit", "1000000"], "reductions"},
     {"processes that crash", "F = fun G() -> spawn(fun() -> exit(x) end), receive after 1 -> G() end end, F()", ["--reduction-limit", "1000000"], "reductions"},
     {"two processes that talk", "P = spawn(fun G() -> receive S -> S ! a, G() end end), F = fun H() -> P ! self(), receive a -> H() end end, F()", ["--time-limit", "0.5"], "seconds"},
     {"time-outs without end", "F = fun G() -> receive after 1 -> G() end end, F()", ["--time-limit", "0.5"], "seconds"},
     {"timers", "F = fun G() -> erlang:send_after(100000, self(), x), G() end, F()", ["--memory-limit", "100"], "memory"},
     {"tables", "F = fun G() -> ets:new(x, []), G() end, F()", ["--memory-limit", "100"], "memory"},
     {"objects", "T = ets:new(x, []), F = fun G(N) -> ets:insert(T, {N, N}), G(N + 1) end, F(0)", ["--memory-limit", "100"], "memory"},
     {"atoms", "F = fun G(N) -> list_to_atom(integer_to_list(N)), G(N + 1) end, F(0)", ["--memory-limit", "100"], "memory"},
     {"atomics", "F = fun G() -> atomics:new(1000, []), G() end, F()", ["--memory-limit", "100"], "memory"},
     {"streams", "F = fun G() -> zlib:deflateInit(zlib:open()), G() end, F()", ["--memory-limit", "100"], "memory"},
     {"output", "F = fun G() -> io:put_chars(lists:duplicate(1000, $a)), G() end, F()", ["--memory-limit", "100"], "memory"},
     {"binaries that double", "F = fun G(B) -> G(<<B/binary, B/binary>>) end, F(<<1>>)", ["--memory-limit", "100"], "memory"},
     {"brackets", lists:duplicate(100000, $[), [], "nested too deeply"}].

says({Title, Expression, Options, Words}) ->
    {Output, Status} = fathom(["-e", Expression | Options]),
    case Status =:= 1 andalso binary:match(Output, list_to_binary(Words)) =/= nomatch of
        true -> ok;
        false -> io:format("DIFFERENT ~ts: exit ~w, ~ts~n", [Title, Status, string:slice(Output, 0, 300)]), failed
    end.

%% OTP's compiler takes too long for 20,000 operands; what 1,000 of them give is the same.
long_chain(Dir, {Operand, Last}) ->
    File = filename:join(Dir, "large.erl"),
    [Short, Long] = [begin
                         ok = file:write_file(File, chain(Length, Operand, Last)),
                         fathom(["-e", "T = large:t(), case is_list(T) orelse T > 500 of true -> large; false -> T end", File])
                     end || Length <- [1000, 20000]],
    case Long =:= Short orelse binary:match(element(1, Long), <<"the function is too large">>) =/= nomatch of
        true -> ok;
        false -> print_difference("20,000 times " ++ Operand, Short, Long), failed
    end.

fathom(Arguments) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Port = open_port({spawn_executable, os:find_executable("timeout")},
                     [binary, exit_status, stderr_to_stdout, {args, [?SECONDS, Fathom, "run", "--quiet" | Arguments]}]),
    collect(Port, []).

collect(Port, Acc) ->
    receive
        {Port, {data, Data}} -> collect(Port, [Acc | Data]);
        {Port, {exit_status, Status}} -> {iolist_to_binary(Acc), Status}
    end.
