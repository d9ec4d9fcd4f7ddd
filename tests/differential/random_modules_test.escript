#!/usr/bin/env escript
%%! +S 2
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
%% fathom_driver.erl is what both run, and says what of a trace is compared.
%% What is not compared: which funs are equal or hash alike, what a fun captured (OTP
%% does not say in which order), and modules that take OTP too long or crash it.
-mode(compile).
-include("fathom_port.hrl").
-include("random_module.hrl").
-include("random_expressions.hrl").
-include("shrink.hrl").

-define(BATCH, 50).

main(Arguments) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_random." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Counts = case Arguments of
                 [] -> check_from(Dir, setting("SEED", 1), setting("COUNT", 300), deadline(), {0, 0, 0});
                 Seeds -> check(Dir, [list_to_integer(S) || S <- Seeds])
             end,
    remove(Dir),
    {Passed, Failed, Left} = Counts,
    io:format("~w modules not compared: they do not compile, take too long, or crash OTP~n", [Left]),
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
    Expected = in_parallel(fun(Node, Module) -> otp_outcomes(Dir, Node, Module) end, Modules),
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
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {self(), with_node(Fun, Left)} end),
    Rights = with_node(Fun, Right),
    receive {Pid, Lefts} -> erlang:demonitor(Ref, [flush]), Lefts ++ Rights;
            {'DOWN', Ref, process, Pid, Reason} -> error(Reason)
    end.

with_node(_, []) -> [];
with_node(Fun, List) ->
    process_flag(trap_exit, true),
    {Results, Last} = lists:mapfoldl(fun(Element, Node) ->
                                         try {Fun(Node, Element), Node}
                                         catch exit:_ -> {otp_crashed, start_node()}
                                         end
                                     end, start_node(), List),
    peer:stop(Last),
    Results.

%% The compiler decides on some things that show in a stack trace: what is inlined, which
%% line it keeps. So each module is compiled with and without optimisation; for each call
%% there are one or two outcomes.
otp_outcomes(Dir, Node, {Name, Text, Calls}) ->
    File = filename:join(Dir, Name ++ ".erl"),
    ok = file:write_file(File, unicode:characters_to_binary(Text)),
    Compiled = fun(Options) -> peer:call(Node, fathom_driver, compiled, [File, parse_term(Calls), Options], 20000) end,
    case Compiled([no_copt, no_ssa_opt]) of
        {done, Plain} ->
            case Compiled([]) of
                {done, Optimised} -> {done, lists:zipwith(fun(P, O) -> lists:usort([P, O]) end, Plain, Optimised)};
                Reason -> Reason
            end;
        {not_compiled, Errors} = Reason ->
            file:delete(File),
            setting("SHOW_ERRORS", 0) =:= 1 andalso io:format("~s: ~p~n", [Name, Errors]),
            Reason;
        Reason -> Reason
    end.

%% A start that fails is split until the modules that make it fail stand alone.
fathom_outcomes(_, []) -> [];
fathom_outcomes(Dir, Modules) ->
    Calls = ["-module(fathom_calls).\n-export([all/0]).\nall() -> [",
             lists:join(",\n ", [["{", N, ", ", C, "}"] || {N, _, C} <- Modules]), "].\n"],
    ok = file:write_file(filename:join(Dir, "fathom_calls.erl"), unicode:characters_to_binary(Calls)),
    {Text, Status} = fathom_output(["run", "--quiet", "--time-limit", "20",
                                    "-e", "fathom_driver:all(fathom_calls:all())", Dir, driver_file()]),
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

%% Each half of the modules has a node of its own to be compiled and run in: some make
%% the emulator crash.
start_node() ->
    {ok, Peer, _} = peer:start_link(#{connection => standard_io, args => ["-enable-feature", "maybe_expr"]}),
    {ok, fathom_driver, Code} = compile:file(driver_file(), [binary]),
    {module, _} = peer:call(Peer, code, load_binary, [fathom_driver, driver_file(), Code]),
    Peer.

driver_file() -> filename:join(filename:dirname(escript:script_name()), "fathom_driver.erl").
