%% One function of a Common Test suite, run as OTP's test_server runs it: an init or an end function
%% in a process of its own, and a case with its init_per_testcase and end_per_testcase in another
%% one. That process ends abnormally in any case, so that what is linked to it ends, too. Another one
%% watches it, and ends it when the time of its timetrap is over.
%%
%% The group leader keeps what is written, and passes on what `ct` and `test_server` ask.
-module(fathom_ct_case).
-export([conf_function/3, test_case/3, info/3, start/3, wait/1, exception/1, text/1]).
-export([inline/3, around/4]).
-export([ask/1, tell/1, prepare_config/0, config/0, milliseconds/1]).

-define(MINUTES, 60_000).
-define(DEFAULT_TIMETRAP, 30 * ?MINUTES).

%% ---- What runs in the process

%% Results: {ok, Value}, {skip, Reason}, {auto_skip, Function, Why}, {failed, Why}, where Why is
%% {Class, Reason, Stack}, {timeout, Milliseconds} or {killed, Reason}.

conf_function(Suite, Function, Arguments) ->
    fun(_) -> judged(evaluated(Suite, Function, Arguments)) end.

test_case(Suite, Case, Config) ->
    fun(Watcher) ->
            Watcher ! {phase, init_per_testcase, {Suite, Case, Config}},
            case initialised(Suite, Case, Config) of
                {ok, Own} ->
                    Watcher ! {phase, test_case, {Suite, Case, Own}},
                    Result = judged(evaluated(Suite, Case, [Own])),
                    Ended = [{tc_status, tc_status(Result)} | Own],
                    Watcher ! {phase, end_per_testcase, {Suite, Case, Ended}},
                    finished(Suite, Case, Ended, Result);
                Other -> Other
            end
    end.

initialised(Suite, Case, Config) ->
    case erlang:function_exported(Suite, init_per_testcase, 2) of
        false -> {ok, Config};
        true ->
            case evaluated(Suite, init_per_testcase, [Case, Config]) of
                {ok, List} when is_list(List) ->
                    case lists:all(fun is_tuple/1, List) of
                        true -> {ok, List};
                        false -> {auto_skip, init_per_testcase, {bad_return, List}}
                    end;
                {ok, {Skip, Reason}} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
                {ok, {skip_and_save, Reason, Data}} -> {skip, {save_config, Data, Reason}};
                {ok, {fail, Reason}} -> {failed, {exit, Reason, []}};
                {ok, Other} -> {auto_skip, init_per_testcase, {bad_return, Other}};
                {skip, _} = Skip -> Skip;
                {failed, Why} -> {auto_skip, init_per_testcase, Why}
            end
    end.

%% An end_per_testcase that fails takes nothing away from the case; one that says {fail, Reason} does.
finished(Suite, Case, Config, Result) ->
    case erlang:function_exported(Suite, end_per_testcase, 2) of
        false -> Result;
        true ->
            case evaluated(Suite, end_per_testcase, [Case, Config]) of
                {ok, {fail, Reason}} -> {failed, {exit, Reason, []}};
                {ok, {save_config, _} = Save} when element(1, Result) =:= ok -> {ok, Save};
                {failed, Why} ->
                    io:format("WARNING: end_per_testcase failed: ~tp~n", [shown(Why)]),
                    Result;
                _ -> Result
            end
    end.

shown({Class, Reason, _}) -> {Class, Reason};
shown(Why) -> Why.

evaluated(Module, Function, Arguments) ->
    try {ok, apply(Module, Function, Arguments)}
    catch
        throw:{Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
        exit:{Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
        Class:Reason:Stack -> {failed, {Class, Reason, Stack}}
    end.

%% What the value says of the result.
judged({ok, {Skip, Reason}}) when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
judged({ok, {skip_and_save, Reason, Data}}) -> {skip, {save_config, Data, Reason}};
judged({ok, {Failed, Reason}}) when Failed =:= fail; Failed =:= failed; Failed =:= 'EXIT' ->
    {failed, {exit, Reason, []}};
judged({ok, {comment, Comment}} = Result) ->
    tell({comment, Comment}),
    Result;
judged(Result) -> Result.

tc_status({ok, _}) -> ok;
tc_status({skip, {save_config, _, Reason}}) -> {skipped, Reason};
tc_status({skip, Reason}) -> {skipped, Reason};
tc_status({failed, {error, Reason, Stack}}) -> {failed, {Reason, Stack}};
tc_status({failed, {exit, Reason, _}}) -> {failed, Reason};
tc_status({failed, {throw, Reason, Stack}}) -> {failed, {thrown, {Reason, Stack}}};
tc_status({failed, {timeout, _}}) -> {failed, timetrap_timeout};
tc_status({failed, {killed, Reason}}) -> {failed, Reason}.

%% ---- In the process that asks

inline(Suite, Case, Config) ->
    case initialised(Suite, Case, Config) of
        {ok, Own} ->
            Result = judged(evaluated(Suite, Case, [Own])),
            raised(finished(Suite, Case, [{tc_status, tc_status(Result)} | Own], Result));
        Other -> raised(Other)
    end.

raised({failed, {Class, Reason, Stack}}) -> erlang:raise(Class, Reason, Stack);
raised({auto_skip, _, {Class, Reason, Stack}}) -> erlang:raise(Class, Reason, Stack);
raised({auto_skip, Function, Why}) -> error({Function, Why});
raised(_) -> ok.

%% Between the init and the end function of a suite or a group, if it has any.
around(Suite, What, Config, Inner) ->
    {Init, End, Arguments} = case What of
                                 suite -> {init_per_suite, end_per_suite, []};
                                 {group, Name} -> {init_per_group, end_per_group, [Name]}
                             end,
    Arity = length(Arguments) + 1,
    Own = case erlang:function_exported(Suite, Init, Arity) of
              true -> apply(Suite, Init, Arguments ++ [Config]);
              false -> Config
          end,
    case is_list(Own) andalso Inner(Own) of
        false when element(1, Own) =:= skip; element(1, Own) =:= skipped -> ok;
        false -> error({bad_return, {Suite, Init}});
        _ ->
            erlang:function_exported(Suite, End, Arity) andalso
                apply(Suite, End, Arguments ++ [Own]),
            ok
    end.

%% ---- Its watcher

%% Ended: called with the result and what was written.
start(Run, Timetrap, Ended) ->
    spawn_monitor(fun() ->
                          {Result, Output} = watched(Run, Timetrap),
                          Ended(Result, Output),
                          exit({?MODULE, Result})
                  end).

wait({Pid, Monitor}) ->
    receive {'DOWN', Monitor, process, Pid, {?MODULE, Result}} -> Result end.

watched(Run, Timetrap) ->
    process_flag(trap_exit, true),
    Watcher = self(),
    Leader = spawn(fun() -> lead(Watcher, [], none) end),
    group_leader(Leader, self()),
    Pid = spawn_link(fun() -> exit({?MODULE, Run(Watcher)}) end),
    Result = watch(with_timetrap(Timetrap, #{process => Pid, phase => conf, suite => none, timer => none})),
    Reference = make_ref(),
    receive after 20 -> ok end,  % for what is linked to it to end; test_server waits so long
    Leader ! {output, self(), Reference},
    receive {Reference, Output} -> {Result, Output} end.

with_timetrap(Time, #{process := Pid, timer := Old} = State) ->
    is_reference(Old) andalso erlang:cancel_timer(Old),
    New = case milliseconds(Time) of
              infinity -> none;
              Milliseconds -> erlang:send_after(Milliseconds, self(), {timeout, Pid, Milliseconds})
          end,
    State#{timer := New, timetrap => Time}.

watch(#{process := Pid} = State) ->
    receive
        {'EXIT', Pid, {?MODULE, Result}} -> Result;
        {'EXIT', Pid, Reason} -> died(Reason, State);
        {timeout, Pid, Milliseconds} ->
            exit(Pid, {timetrap_timeout, Milliseconds}),
            erlang:send_after(10_000, self(), {kill, Pid}),
            watch(State#{timed_out => Milliseconds});
        {kill, Pid} ->
            exit(Pid, kill),
            watch(State);
        {phase, Phase, What} -> watch(State#{phase := Phase, suite := What});
        {timetrap, Time} -> watch(with_timetrap(Time, State));
        {get_timetrap, From, Reference} ->
            From ! {Reference, maps:get(timetrap, State)},
            watch(State);
        {abort, Reason} ->
            exit(Pid, {testcase_aborted, Reason}),
            watch(State);
        _ -> watch(State)
    end.

%% By an exit signal: of a process that is linked to it, or because its time was over.
died(Reason, #{phase := Phase, suite := What} = State) ->
    Why = case State of
              #{timed_out := Milliseconds} -> {timeout, Milliseconds};
              _ -> {killed, Reason}
          end,
    case Phase of
        _ when Phase =:= conf; Reason =:= killed -> {failed, Why};
        init_per_testcase -> {auto_skip, init_per_testcase, Why};
        test_case ->
            {Suite, Case, Config} = What,
            clean_up(Suite, Case, [{tc_status, tc_status({failed, Why})} | Config], State),
            {failed, Why};
        end_per_testcase ->
            {_, _, [{tc_status, Status} | _]} = What,
            case Status of
                ok -> {ok, ok};
                {skipped, Because} -> {skip, Because};
                {failed, Failure} -> {failed, {exit, Failure, []}}
            end
    end.

%% In a process of its own, with the same time.
clean_up(Suite, Case, Config, State) ->
    case erlang:function_exported(Suite, end_per_testcase, 2) of
        false -> ok;
        true ->
            Run = fun() -> evaluated(Suite, end_per_testcase, [Case, Config]) end,
            Pid = spawn_link(fun() -> exit({?MODULE, Run()}) end),
            Timetrap = maps:get(timetrap, State),
            watch(with_timetrap(Timetrap, #{process => Pid, phase => conf, suite => none,
                                            timer => maps:get(timer, State)}))
    end.

%% ---- Its group leader

lead(Watcher, Written, Captured) ->
    receive
        {io_request, From, As, Request} ->
            {Reply, Chars} = io_reply(Request, []),
            From ! {io_reply, As, Reply},
            lead(Watcher, [Written | Chars], captured(Chars, Captured));
        {output, From, Reference} ->
            From ! {Reference, binary(Written)},
            lead(Watcher, [], Captured);
        {capture, start} -> lead(Watcher, Written, []);
        {capture, stop} -> lead(Watcher, Written, stopped(Captured));
        {capture, From, Reference} ->
            From ! {Reference, lists:reverse(taken(Captured))},
            lead(Watcher, Written, emptied(Captured));
        {comment, Comment} -> lead(Watcher, [Written, "comment: ", text(Comment), $\n], Captured);
        {?MODULE, Request} ->
            Watcher ! Request,
            lead(Watcher, Written, Captured);
        _ -> lead(Watcher, Written, Captured)
    end.

captured([], Captured) -> Captured;
captured(Chars, Captured) when is_list(Captured) ->
    [unicode:characters_to_list(binary(Chars)) | Captured];
captured(_, Captured) -> Captured.

stopped(Captured) when is_list(Captured) -> {stopped, Captured};
stopped(Captured) -> Captured.

taken({stopped, Captured}) -> Captured;
taken(Captured) when is_list(Captured) -> Captured;
taken(none) -> [].

emptied(Captured) when is_list(Captured) -> [];
emptied(_) -> none.

io_reply({put_chars, Encoding, Chars}, Before) -> written(Encoding, Chars, Before);
io_reply({put_chars, Encoding, Module, Function, Arguments}, Before) ->
    try apply(Module, Function, Arguments) of
        Chars -> written(Encoding, Chars, Before)
    catch
        _:_ -> {{error, Function}, Before}
    end;
io_reply({put_chars, Chars}, Before) -> written(latin1, Chars, Before);
io_reply({put_chars, Module, Function, Arguments}, Before) ->
    io_reply({put_chars, latin1, Module, Function, Arguments}, Before);
io_reply({requests, Requests}, Before) -> io_replies(Requests, {ok, Before});
io_reply({setopts, _}, Before) -> {ok, Before};
io_reply(getopts, Before) -> {[{encoding, unicode}], Before};
io_reply({get_geometry, _}, Before) -> {{error, enotsup}, Before};
io_reply(Request, Before) when element(1, Request) =:= get_line; element(1, Request) =:= get_chars;
                               element(1, Request) =:= get_until ->
    {eof, Before};
io_reply(_, Before) -> {{error, request}, Before}.

io_replies([Request | Rest], {ok, Before}) -> io_replies(Rest, io_reply(Request, Before));
io_replies(_, Result) -> Result.

written(Encoding, Chars, Before) ->
    case unicode:characters_to_binary(Chars, Encoding) of
        Bytes when is_binary(Bytes) -> {ok, [Before, Bytes]};
        _ -> {{error, put_chars}, Before}
    end.

binary(Chars) -> iolist_to_binary(Chars).

%% ---- For ct and test_server

tell({comment, _} = Request) -> to_leader(Request);
tell({capture, _} = Request) -> to_leader(Request);
tell(Request) -> to_leader({?MODULE, Request}).

to_leader(Request) ->
    group_leader() ! Request,
    ok.

ask(capture) -> answer(fun(Reference) -> {capture, self(), Reference} end);
ask(get_timetrap) -> answer(fun(Reference) -> {?MODULE, {get_timetrap, self(), Reference}} end).

answer(Request) ->
    Reference = make_ref(),
    group_leader() ! Request(Reference),
    receive {Reference, Answer} -> Answer after 5000 -> undefined end.

%% ---- Information functions: suite/0, group/1, Case/0

%% The timetrap, or {require_failed, Name}. What is required may have a default value in the same
%% place: in suite/0 for the suite, else for what runs now.
info(Suite, {Function, Arguments}, Path) ->
    Named = [Name || Properties <- Path, {name, Name} <- Properties],
    Inner = lists:append([information(Suite, Function, Arguments) |
                          [information(Suite, group, [Name]) || Name <- Named]]),
    Outer = information(Suite, suite, []),
    keep_config(suite),
    case missing(Outer, suite) ++ missing(Inner, test_case) of
        [Name | _] -> {require_failed, Name};
        [] -> hd([Time || {timetrap, Time} <- Inner ++ Outer] ++ [?DEFAULT_TIMETRAP])
    end.

information(Suite, Function, Arguments) ->
    case erlang:function_exported(Suite, Function, length(Arguments)) of
        false -> [];
        true ->
            case catch apply(Suite, Function, Arguments) of
                List when is_list(List) -> List;
                _ -> []
            end
    end.

missing(Info, Scope) ->
    lists:append([missing_of(Item, [Pair || {default_config, _, _} = Pair <- Info], Scope) || Item <- Info]).

missing_of({require, Required}, Defaults, Scope) -> missing_of({require, none, Required}, Defaults, Scope);
missing_of({require, Name, Required}, Defaults, Scope) ->
    Key = case Required of {Whole, []} -> Whole; _ -> Required end,
    Own = hd(if is_atom(Key) -> [Key]; true -> tuple_to_list(Key) end),
    case ct:get_config(Key) =:= undefined andalso lists:keyfind(Own, 2, Defaults) of
        {default_config, Own, Value} -> add_config(Own, Value, Scope);
        false -> ok
    end,
    case ct:get_config(Key) of
        undefined -> [Required];
        Found when Name =/= none -> add_config(Name, Found, Scope), [];
        _ -> []
    end;
missing_of(_, _, _) -> [].

-define(CONFIG, {?MODULE, config}).

prepare_config() -> persistent_term:put(?CONFIG, []).

config() -> [{Key, Value} || {_, Key, Value} <- persistent_term:get(?CONFIG, [])].

add_config(Key, Value, Scope) ->
    persistent_term:put(?CONFIG, [{Scope, Key, Value} | persistent_term:get(?CONFIG, [])]).

keep_config(Scope) ->
    persistent_term:put(?CONFIG, [Item || {Own, _, _} = Item <- persistent_term:get(?CONFIG, []),
                                          Own =:= Scope]).

%% ---- Words

milliseconds({hours, N}) -> milliseconds({minutes, 60 * N});
milliseconds({minutes, N}) -> trunc(N * ?MINUTES);
milliseconds({seconds, N}) -> trunc(N * 1000);
milliseconds({Module, Function, Arguments}) when is_atom(Module) ->
    milliseconds(apply(Module, Function, Arguments));
milliseconds(Fun) when is_function(Fun, 0) -> milliseconds(Fun());
milliseconds(Milliseconds) when is_integer(Milliseconds) -> Milliseconds;
milliseconds(infinity) -> infinity;
milliseconds(Other) -> exit({invalid_time_format, Other}).

exception({timeout, Milliseconds}) -> {timeout, Milliseconds};
exception({killed, Reason}) -> {killed, Reason};
exception({bad_return, _} = Reason) -> {error, {error, Reason, []}};
exception({_, _, _} = Exception) -> {error, Exception}.

%% As people would write it.
text(Binary) when is_binary(Binary) -> Binary;
text(Term) ->
    case is_list(Term) andalso catch unicode:characters_to_binary(Term) of
        Chars when is_binary(Chars) -> Chars;
        _ -> unicode:characters_to_binary(io_lib:format("~0tp", [Term]))
    end.
