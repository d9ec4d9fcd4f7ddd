#!/usr/bin/env escript
%%! +S 2 -enable-feature maybe_expr
%% Random sequential modules (random_module.hrl), compiled and run by OTP and run by
%% Fathom's machine. For each call the value, or class, reason and stack trace of the
%% exception, must be equal, and so must be what the calls left in the process
%% dictionary, where the modules note the order of evaluation.
%%
%% Many modules go into one start of Fathom. A module that differs is cut down
%% (shrink.hrl) and printed with both outcomes.
%%
%%   random_modules_test.escript [SEED...]   these modules, else the first COUNT (300)
%%                                           from SEED (1) on; with SECONDS=n as many as
%%                                           there is time for; SHRINK=0: no cutting down
%%
%% What is not compared: which funs are equal or hash alike, what a fun captured (OTP
%% does not say in which order), and modules that take OTP too long.
-mode(compile).
-include("fathom_port.hrl").
-include("random_module.hrl").
-include("random_expressions.hrl").
-include("shrink.hrl").

-define(BATCH, 50).
-define(MAX_REDUCTIONS, 2000000).
-define(MAX_WORDS, 200000).

main(Arguments) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_random." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    load_driver(Dir),
    Counts = case Arguments of
                 [] -> check_from(Dir, setting("SEED", 1), setting("COUNT", 300), deadline(), {0, 0, 0});
                 Seeds -> check(Dir, [list_to_integer(S) || S <- Seeds])
             end,
    remove(Dir),
    {Passed, Failed, Left} = Counts,
    io:format("~w modules not compared: they do not compile, or take too long~n", [Left]),
    summary(Passed, Failed).

setting(Name, Default) -> list_to_integer(os:getenv(Name, integer_to_list(Default))).

deadline() ->
    case os:getenv("SECONDS") of
        false -> none;
        Seconds -> erlang:monotonic_time(second) + list_to_integer(Seconds)
    end.

%% With a deadline it alone counts.
check_from(_, _, 0, none, Counts) -> Counts;
check_from(Dir, Seed, Count, Deadline, {P0, F0, L0} = Counts) ->
    case Deadline =/= none andalso erlang:monotonic_time(second) >= Deadline of
        true -> io:format("next SEED=~w~n", [Seed]), Counts;
        false ->
            Size = case Deadline of none -> min(Count, ?BATCH); _ -> ?BATCH end,
            {P, F, L} = check(Dir, lists:seq(Seed, Seed + Size - 1)),
            check_from(Dir, Seed + Size, case Deadline of none -> Count - Size; _ -> 0 end, Deadline, {P0 + P, F0 + F, L0 + L})
    end.

remove(Dir) ->
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir).

check(Dir, Seeds) ->
    Results = outcomes(Dir, [random_module(S) || S <- Seeds]),
    [io:format("SEED=~w: ~ts", [S, Text]) || {S, {not_modelled, Text}} <- lists:zip(Seeds, Results)],
    Compared = [{S, {E, G}} || {S, {compared, E, G}} <- lists:zip(Seeds, Results)],
    Different = [{S, R} || {S, {Expected, Got} = R} <- Compared, not same(Expected, Got)],
    [report(Dir, S, R) || {S, R} <- Different],
    {length(Compared) - length(Different), length(Different), length(Seeds) - length(Compared)}.

%% Signs of zeros count too.
same(Same, Same) -> true;
same(_, _) -> false.

report(Dir, Seed, {Expected, Got}) ->
    {Name, Text, Calls} = random_module(Seed),
    print_difference(io_lib:format("SEED=~w", [Seed]), Expected, Got),
    case setting("SHRINK", 1) of
        0 -> ok;
        _ ->
            {Smallest, Call, {E, G}} = shrink(Dir, Name, Text, Calls),
            io:format("~ts~ncall     ~ts~nOTP      ~0tp~nFathom   ~0tp~n~n", [Smallest, Call, E, G])
    end.

%% --- running

%% For each {Name, Text, Calls} {OTP's outcomes, Fathom's}, or what keeps it from being run.
outcomes(Dir, Modules) ->
    remove(Dir),
    ok = file:make_dir(Dir),
    ok = file:write_file(filename:join(Dir, "fathom_driver.erl"), driver_text()),
    Expected = in_parallel(fun(Module) -> otp_outcomes(Dir, Module) end, Modules),
    Names = [Name || {{Name, _, _}, {done, _}} <- lists:zip(Modules, Expected)],
    Got = maps:from_list(lists:zip(Names, fathom_outcomes(Dir, [M || {N, _, _} = M <- Modules, lists:member(N, Names)]))),
    [case E of
         {done, Allowed} -> compared(Allowed, maps:get(Name, Got));
         Reason -> Reason
     end || {{Name, _, _}, E} <- lists:zip(Modules, Expected)].

compared(Allowed, {failed, 1, Text} = Got) ->
    case binary:match(Text, <<"is not modelled">>) of
        nomatch -> {compared, [hd(A) || A <- Allowed], Got};
        _ -> {not_modelled, Text}
    end;
compared(Allowed, {failed, _, _} = Got) -> {compared, [hd(A) || A <- Allowed], Got};
compared(Allowed, Got) -> {compared, lists:zipwith(fun expected/2, Allowed, Got), Got}.

%% The outcome that Fathom's must be equal to: where the traces of OTP's own outcomes
%% differ, the trace does not count; and where no clause matches, OTP may have the line of
%% the call before.
expected(Allowed, Got) ->
    Forms = [fun(Outcome) -> Outcome end, fun without_line/1] ++ [fun without_trace/1 || length(Allowed) > 1],
    case lists:any(fun(Form) -> Form(Got) =/= none andalso lists:member(Form(Got), [Form(A) || A <- Allowed]) end, Forms) of
        true -> Got;
        false -> hd(Allowed)
    end.

without_line({{error, Reason, [{M, F, A, _} | Frames]}, Log}) ->
    case is_tuple(Reason) andalso lists:member(element(1, Reason), [case_clause, badmatch, try_clause, else_clause]) of
        true -> {{error, Reason, [{M, F, A} | Frames]}, Log};
        false when Reason =:= if_clause -> {{error, Reason, [{M, F, A} | Frames]}, Log};
        false -> none
    end;
without_line(Other) -> Other.

without_trace({{Class, Reason, _}, Log}) -> {{Class, Reason}, lists:keydelete(trace, 1, Log)};
without_trace(Other) -> Other.

in_parallel(Fun, List) ->
    {Left, Right} = lists:split(length(List) div 2, List),
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {self(), lists:map(Fun, Left)} end),
    Rights = lists:map(Fun, Right),
    receive {Pid, Lefts} -> erlang:demonitor(Ref, [flush]), Lefts ++ Rights;
            {'DOWN', Ref, process, Pid, Reason} -> error(Reason)
    end.

%% The compiler decides on some things that show in a stack trace: what is inlined, which
%% line it keeps. So each module is compiled with and without optimisation; for each call
%% there are one or two outcomes.
otp_outcomes(Dir, {Name, Text, Calls}) ->
    File = filename:join(Dir, Name ++ ".erl"),
    ok = file:write_file(File, unicode:characters_to_binary(Text)),
    case otp_outcomes(File, Name, Calls, [no_copt, no_ssa_opt]) of
        {done, Plain} ->
            case otp_outcomes(File, Name, Calls, []) of
                {done, Optimised} -> {done, lists:zipwith(fun(P, O) -> lists:usort([P, O]) end, Plain, Optimised)};
                Reason -> Reason
            end;
        Reason -> Reason
    end.

otp_outcomes(File, Name, Calls, Options) ->
    Module = list_to_atom(Name),
    case compile:file(File, [binary, return | Options]) of
        {ok, Module, Code, _} ->
            {module, Module} = code:load_binary(Module, filename:basename(File), Code),
            Outcome = limited(fun() -> fathom_driver:run(Module, parse_term(Calls)) end),
            code:delete(Module),
            code:purge(Module),
            Outcome;
        {error, Errors, _} ->
            file:delete(File),
            setting("SHOW_ERRORS", 0) =:= 1 andalso io:format("~s: ~p~n", [Name, Errors]),
            {not_compiled, Errors}
    end.

%% {done, Value}, or that it takes too much.
limited(Fun) ->
    Body = fun() ->
               Value = Fun(),
               {reductions, Used} = process_info(self(), reductions),
               exit(case erts_debug:flat_size(Value) of
                        Size when Size < ?MAX_WORDS, Used < ?MAX_REDUCTIONS -> {done, Value};
                        Size -> {large, Size, Used}
                    end)
           end,
    {Pid, Ref} = spawn_opt(Body, [monitor, {max_heap_size, #{size => 20000000, kill => true, error_logger => false}}]),
    receive {'DOWN', Ref, process, Pid, Outcome} -> Outcome
    after 1000 ->
        exit(Pid, kill),
        receive {'DOWN', Ref, process, Pid, _} -> timeout end
    end.

%% A start that fails is split until the modules that make it fail stand alone.
fathom_outcomes(_, []) -> [];
fathom_outcomes(Dir, Modules) ->
    Calls = ["-module(fathom_calls).\n-export([all/0]).\nall() -> [",
             lists:join(",\n ", [["{", N, ", ", C, "}"] || {N, _, C} <- Modules]), "].\n"],
    ok = file:write_file(filename:join(Dir, "fathom_calls.erl"), unicode:characters_to_binary(Calls)),
    {Text, Status} = fathom_output(["run", "--quiet", "--time-limit", "20",
                                    "-e", "fathom_driver:all(fathom_calls:all())", Dir]),
    case {Status, Text, Modules} of
        {0, <<"<<\"", Rest/binary>>, _} ->
            [Hex, _] = binary:split(Rest, <<"\"">>),
            binary_to_term(binary:decode_hex(Hex));
        {_, _, [_]} -> [{failed, Status, Text}];
        _ ->
            {Left, Right} = lists:split(length(Modules) div 2, Modules),
            fathom_outcomes(Dir, Left) ++ fathom_outcomes(Dir, Right)
    end.

fathom_output(Args) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Port = open_port({spawn_executable, Fathom}, [binary, exit_status, stderr_to_stdout, {args, Args}]),
    collect(Port, []).

collect(Port, Acc) ->
    receive
        {Port, {data, Data}} -> collect(Port, [Acc | Data]);
        {Port, {exit_status, Status}} -> {iolist_to_binary(Acc), Status}
    end.

parse_term(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    {value, Term, _} = erl_eval:exprs(Exprs, []),
    Term.

load_driver(Dir) ->
    File = filename:join(Dir, "fathom_driver.erl"),
    ok = file:write_file(File, driver_text()),
    {ok, fathom_driver, Code} = compile:file(File, [binary]),
    {module, _} = code:load_binary(fathom_driver, File, Code).

%% The module that both run. What cannot be the same becomes what is: pids, funs, and
%% of stack traces what depends on how OTP compiles a function:
%%   - the names of lifted functions: OTP copies the body of a small `after` instead of
%%     lifting it, which changes the numbers, and calls some funs inlined;
%%   - the frame of an `after`: its line goes to the frame around it;
%%   - the names of functions of OTP's libraries, where some are inlined;
%%   - the frames of operators: with some literals there is none, or the operands change
%%     places;
%%   - error_info: in a frame of the module itself it would explain why a binary could not
%%     be built, which Fathom does not say.
%%   - frames of one function in a row: OTP takes some that have the same address for one.
%% A trace has at most eight frames before that, so four are compared.
driver_text() ->
    "-module(fathom_driver).\n"
    "-export([all/1, run/2, frames/1]).\n"
    "all(Modules) -> binary:encode_hex(term_to_binary([run(M, Calls) || {M, Calls} <- Modules])).\n"
    "run(Module, Calls) -> [call(Module, F, A) || {F, A} <- Calls].\n"
    "call(Module, F, A) ->\n"
    "    erase(),\n"
    "    Outcome = try apply(Module, F, A) of Value -> {value, plain(Value)}\n"
    "              catch Class:Reason:Trace -> {Class, plain(Reason), plain(frames(Trace))}\n"
    "              end,\n"
    "    flush(),\n"
    "    {Outcome, plain(lists:sort(erase()))}.\n"
    "flush() -> receive _ -> flush() after 0 -> ok end.\n"
    "frames(Trace) ->\n"
    "    Own = lists:takewhile(fun(Frame) -> element(1, Frame) =/= ?MODULE end, Trace),\n"
    "    lists:sublist(without_equal(without_after([frame(F) || F <- Own, not is_operation(F)])), 4).\n"
    "is_operation({erlang, Name, [_ | _] = A, _}) -> erl_internal:arith_op(Name, length(A)) orelse erl_internal:bool_op(Name, length(A));\n"
    "is_operation(_) -> false.\n"
    "without_equal([{M, Name, A, _} = Frame, {M, Name, B, _} | Frames]) when is_integer(B), A =:= B orelse length(A) =:= B ->\n"
    "    without_equal([Frame | Frames]);\n"
    "without_equal([Frame | Frames]) -> [Frame | without_equal(Frames)];\n"
    "without_equal([]) -> [].\n"
    "without_after([{M, lifted_after, _, Info}, {M, Name, Arity, _} | Frames]) ->\n"
    "    without_after([{M, Name, Arity, Info} | Frames]);\n"
    "without_after([Frame | Frames]) -> [Frame | without_after(Frames)];\n"
    "without_after([]) -> [].\n"
    "frame({M, Name, Arity, Info}) ->\n"
    "    {M, frame_name(atom_to_list(M), atom_to_list(Name)), Arity, lists:keydelete(error_info, 1, Info)};\n"
    "frame(Other) -> Other.\n"
    "frame_name(\"random_\" ++ _, \"-\" ++ Lifted) ->\n"
    "    case string:find(Lifted, \"-after$\") of\n"
    "        nomatch -> case string:find(Lifted, \"c$^\") of nomatch -> lifted_fun; _ -> lifted_loop end;\n"
    "        _ -> lifted_after\n"
    "    end;\n"
    "frame_name(\"random_\" ++ _, Name) -> Name;\n"
    "frame_name(_, _) -> library.\n"
    "plain(V) when is_pid(V) -> '$pid';\n"
    "plain(V) when is_function(V) -> {'$fun', [element(2, erlang:fun_info(V, Item)) || Item <- [module, arity, type]]};\n"
    "plain([H | T]) -> [plain(H) | plain(T)];\n"
    "plain(V) when is_tuple(V) -> list_to_tuple(plain(tuple_to_list(V)));\n"
    "plain(V) when is_map(V) -> maps:from_list(plain(maps:to_list(V)));\n"
    "plain(V) -> V.\n".
