#!/usr/bin/env escript
%% Line coverage agrees with OTP's cover, line by line: on modules of stdlib under calls of their
%% exported functions with arguments from a pool, and on the projects in examples/ under their EUnit
%% tests. Both read the same file: that of stdlib under another module name, since cover must not
%% compile what it runs on.
%%
%% erl_parse is not among the modules: its -file attributes name a grammar.
%%
%% Calls are chosen on OTP: those that return, or raise, within a second and do not print or wait.
%% Where the two mean different things is said beside `means_otherwise`.
%%
%%   cover_test.escript [MODULE…]       (SEED, COUNT: calls of each function)
-mode(compile).
-include("fathom_port.hrl").

modules() ->
    [array, base64, binary, c, calendar, dict, digraph, digraph_utils, edlin, edlin_expand,
     epp, erl_anno, erl_bits, erl_eval, erl_expand_records, erl_internal, erl_lint,
     erl_pp, erl_posix_msg, erl_scan, error_logger_tty_h, escript, eval_bits, filename, gb_sets, gb_trees,
     io_lib, io_lib_format, io_lib_fread, io_lib_pretty, lists, log_mf_h, maps, ms_transform, orddict,
     ordsets, otp_internal, proplists, qlc_pt, queue, rand, random, sets, sofs, string,
     unicode, uri_string, erl_tar, erl_error, peer].

main(Wanted) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), lists:concat(["fathom_cover.", os:getpid()])),
    ok = filelib:ensure_path(Dir),
    Results = [check(M, Dir) || M <- modules(), Wanted =:= [] orelse lists:member(atom_to_list(M), Wanted)],
    Projects = [project(P, Dir) || P <- lists:sort(filelib:wildcard("examples/*/rebar.config")),
                                   Wanted =:= [] orelse lists:member(filename:basename(filename:dirname(P)), Wanted)],
    run("rm -rf \"$0\"", [Dir]),
    All = Results ++ lists:append(Projects),
    Lines = lists:sum([L || {L, _, _} <- All]),
    Measured = length([L || {L, _, _} <- All, L > 0]),
    Covered = lists:sum([C || {_, C, _} <- All]),
    Different = lists:sum([D || {_, _, D} <- All]),
    io:format("~w modules, ~w lines, ~w of them covered, ~w different~n", [Measured, Lines, Covered, Different]),
    summary(Lines - Different, Different).

%% ---- Modules of stdlib ----------------------------------------------------------------

check(Module, Dir) ->
    Name = list_to_atom("x_" ++ atom_to_list(Module)),
    File = filename:join(Dir, atom_to_list(Name) ++ ".erl"),
    Source = filename:join(code:lib_dir(stdlib, src), atom_to_list(Module) ++ ".erl"),
    {ok, Text} = file:read_file(Source),
    ok = file:write_file(File, re:replace(Text, "^-module\\(\\w+\\)", ["-module(", atom_to_list(Name), ")"], [multiline])),
    Include = code:lib_dir(stdlib, include),
    Options = [{i, Include}, {i, filename:dirname(Source)}, {outdir, Dir}, debug_info, {d, 'VSN', "1"}],
    case compile:file(File, Options) of
        {ok, Name} -> check(Module, Name, File, Include, filename:dirname(Source), Dir);
        error -> io:format("~ts does not compile under another name~n", [Module]), {0, 0, 0}
    end.

check(Module, Name, File, Include, Src, Dir) ->
    true = code:add_patha(Dir),
    {module, Name} = code:load_abs(filename:join(Dir, atom_to_list(Name))),
    Calls = calls(Name),
    Driver = filename:join(Dir, "x_driver.erl"),
    ok = file:write_file(Driver, driver(Name, Calls)),
    {ok, x_driver} = compile:file(Driver, [{outdir, Dir}]),
    code:purge(x_driver),
    {module, x_driver} = code:load_abs(filename:join(Dir, "x_driver")),
    code:purge(Name),
    {ok, _} = cover:start(),
    {ok, Name} = cover:compile_beam(filename:join(Dir, atom_to_list(Name))),
    {_, Ref} = spawn_monitor(fun() -> x_driver:run() end),  % with an empty dictionary
    receive {'DOWN', Ref, process, _, normal} -> ok end,
    {ok, Analysis} = cover:analyse(Name, coverage, line),
    cover:stop(),
    code:purge(Name),
    code:delete(Name),
    Expected = by_line(Analysis),
    Lcov = filename:join(Dir, "lcov"),
    file:delete(Lcov),
    {_, Output} = run("exec timeout 120 \"$0\" run --quiet -I \"$1\" -I \"$2\" -D VSN='\"1\"' -e 'x_driver:run()' --lcov \"$3\" \"$4\" \"$5\" 2>&1",
                      [fathom(), Include, Src, Lcov, File, Driver]),
    compare(Module, File, Expected, lcov(Lcov, File), Output).

fathom() -> os:getenv("FATHOM", filename:absname("build/fathom")).

compare(Module, File, Expected, Got, Output) ->
    {ok, Text} = file:read_file(File),
    Lines = list_to_tuple(binary:split(Text, <<"\n">>, [global])),
    Different = lists:usort((Expected -- Got) ++ (Got -- Expected)),
    Numbers = [L || {L, _} <- Different],
    Real = [L || L <- lists:usort(Numbers), not (lists:keymember(L, 1, Got) orelse means_otherwise(L, Lines))]
        ++ [L || L <- lists:usort(Numbers), lists:keymember(L, 1, Got)],
    [io:format("DIFFERENT ~ts:~w: cover says ~w, fathom ~w: ~ts~n",
               [Module, L, proplists:get_value(L, Expected, none), proplists:get_value(L, Got, none), element(L, Lines)])
     || L <- Real],
    Real =:= [] orelse io:format("~ts: ~ts~n", [Module, string:slice(Output, 0, 400)]),
    {length(Expected), length([L || {L, true} <- Expected]), length(Real)}.

%% cover compiles `A andalso B` as a case of A, whose clause for false has the line of A: inside of
%% another expression, a line that counts only if A decides. Fathom counts the expression
%% where it begins, and B.
means_otherwise(L, Lines) ->
    re:run(element(L, Lines), "(andalso|orelse)\\s*(%.*)?$") =/= nomatch
        orelse re:run(element(L + 1, Lines), "^\\s*(andalso|orelse)") =/= nomatch.

%% cover counts a line of several clauses of a function for each of them.
by_line(Analysis) ->
    Any = fun({{_, L}, {C, _}}, Map) -> Map#{L => C > 0 orelse maps:get(L, Map, false)} end,
    lists:sort(maps:to_list(maps:remove(0, lists:foldl(Any, #{}, Analysis)))).

lcov(Lcov, File) ->
    {ok, Text} = case file:read_file(Lcov) of {ok, T} -> {ok, T}; _ -> {ok, <<>>} end,
    Records = binary:split(Text, <<"end_of_record\n">>, [global]),
    lists:sort(lists:append(
        [[{binary_to_integer(L), binary_to_integer(C) > 0} || {match, Found} <- [re:run(R, "^DA:(\\d+),(\\d+)$", [global, multiline, {capture, [1, 2], binary}])], [L, C] <- Found]
         || R <- Records, binary:match(R, list_to_binary(["SF:", File, "\n"])) =/= nomatch])).

%% ---- Calls ----------------------------------------------------------------------------

calls(Name) ->
    Seed = list_to_integer(os:getenv("SEED", "1")),
    Count = list_to_integer(os:getenv("COUNT", "4")),
    rand:seed(exsss, {Seed, erlang:phash2(Name), 7}),
    Exports = [{F, A} || {F, A} <- lists:sort(Name:module_info(exports)), A > 0, A < 5, F =/= module_info, not lists:member(F, forbidden())],
    Size = length(pool()),
    Candidates = [{F, [rand:uniform(Size) || _ <- lists:seq(1, A)]} || {F, A} <- Exports, _ <- lists:seq(1, Count)],
    [C || C <- Candidates, returns(Name, C)].

%% Whoever prints, waits, reads files or ends the system.
forbidden() ->
    [halt, start, start_link, q, c, cd, i, ls, nc, nl, l, lc, lm, m, mm, y, regs, pid, bt, erlangrc, help, flush, uptime,
     memory, ni, xm, display_info, appcall, interpret_file_attribute, get_line, main, compile, compile_cmdline, create,
     extract, table, tt, open, add, close, h, script_name, init_it, call, send_request, reply, server, get_chars,
     seed_s, init, parse_file, scan_file, 'receive', print, format_log, edit_line, edit_line1, whereis_evaluator].

returns(Name, {F, Indices}) ->
    Pool = list_to_tuple(pool()),
    {Pid, Ref} = spawn_monitor(fun() ->
        group_leader(spawn(fun() -> receive never -> ok end end), self()),
        case catch apply(Name, F, [element(I, Pool) || I <- Indices]) of
            {'EXIT', {undef, _}} -> exit(native);  % perhaps the stub of a native function
            _ -> exit({done, element(2, process_info(self(), reductions))})
        end
    end),
    receive
        {'DOWN', Ref, process, _, {done, R}} -> R < 200000;
        {'DOWN', Ref, process, _, _} -> false
    after 300 ->
        exit(Pid, kill),
        receive {'DOWN', Ref, process, _, _} -> false end
    end.

driver(Name, Calls) ->
    io_lib:format("-module(x_driver).~n-export([run/0]).~nrun() ->~n  Pool = list_to_tuple(pool()),~n"
                  "  lists:foreach(fun({F, Is}) -> catch apply(~p, F, [element(I, Pool) || I <- Is]) end, ~p).~n"
                  "pool() ->~n~s.~n", [Name, Calls, pool_text()]).

pool() ->
    {ok, Tokens, _} = erl_scan:string(pool_text() ++ "."),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    {value, Pool, _} = erl_eval:exprs(Exprs, []),
    Pool.

pool_text() ->
    "[0, 1, 2, 7, -3, 1.5, a, b, true, [], [1], [3,1,2], [a,b,c,a], [{a,1},{b,2}], [{1,a},{2,b}], [[1,2],[3]], \"text\","
    " \"a b/c.d\", <<>>, <<1,2,3>>, <<\"binary\">>, {}, {a,1}, {1,2,3}, #{}, #{a => 1, b => 2}, fun(X) -> X end,"
    " fun(X, Y) -> X =< Y end, fun(_, V) -> V end, fun(_) -> true end, fun(_, _, C) -> C end, dict:from_list([{a,1},{b,2}]),"
    " gb_trees:from_orddict([{a,1},{b,2}]), gb_sets:from_list([1,2,3]), sets:from_list([1,2]), queue:from_list([1,2,3]),"
    " array:from_list([1,2,3]), sofs:set([1,2]), {var,1,'X'}, {atom,1,a}, {integer,1,3}, {call,1,{atom,1,f},[{var,1,'X'}]},"
    " [{atom,1,a},{var,1,'X'}], {2020,2,29}, {{2020,2,29},{1,2,3}}, {1,2,3}, {clause,1,[{var,1,'X'}],[],[{var,1,'X'}]},"
    " {function,1,f,1,[{clause,1,[{var,1,'X'}],[],[{var,1,'X'}]}]}, {lc,1,{var,1,'X'},[{generate,1,{var,1,'X'},{nil,1}}]},"
    " {op,1,'+',{integer,1,1},{integer,1,2}}, {'case',1,{atom,1,a},[{clause,1,[{atom,1,a}],[],[{atom,1,b}]}]}, [{a,b},c],"
    " \"foo://a/c?d=e#f\", \"f(X) -> X + 1. \", [\"a\", <<\"b\">>], [[]], {a,b,c,d}, -1, 100, '_', '$1', [{'$1',[],['$1']}]]".

%% ---- Projects -------------------------------------------------------------------------

project(Config, Dir) ->
    Project = filename:dirname(Config),
    Copy = filename:join(Dir, filename:basename(Project)),
    run("cp -r \"$1\" \"$0\"", [Copy, Project]),
    {0, _} = run("cd \"$0\" && ERL_FLAGS='-kernel logger_level none' exec timeout 120 rebar3 eunit --cover 2>&1", [Copy]),
    Data = filename:join(Copy, "_build/test/cover/eunit.coverdata"),
    {ok, _} = cover:start(),
    ok = cover:import(Data),
    Lcov = filename:join(Dir, "lcov"),
    {_, Output} = run("exec timeout 120 \"$0\" test --quiet --cover --lcov \"$1\" \"$2\" 2>&1", [fathom(), Lcov, Copy]),
    Results = [begin
        {ok, Analysis} = cover:analyse(M, coverage, line),
        File = filename:join([Copy, "src", atom_to_list(M) ++ ".erl"]),
        compare(M, File, by_line(Analysis), lcov(Lcov, File), Output)
     end || M <- lists:sort(cover:imported_modules()), filelib:is_file(filename:join([Copy, "src", atom_to_list(M) ++ ".erl"]))],
    cover:stop(),
    Results.

run(Script, Arguments) ->
    Port = open_port({spawn_executable, os:find_executable("bash")}, [binary, exit_status, {args, ["-c", Script | Arguments]}]),
    port_output(Port, []).
