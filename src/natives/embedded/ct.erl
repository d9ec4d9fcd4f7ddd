%% The functions of Common Test that suites call, for suites that fathom_ct runs. What is written goes
%% to the output of the case. What needs a node, a connection or somebody at the keyboard is not here,
%% and fails with `undef`.
-module(ct).
-export([log/1, log/2, log/3, log/4, log/5, pal/1, pal/2, pal/3, pal/4, pal/5,
         print/1, print/2, print/3, print/4, print/5]).
-export([fail/1, fail/2, comment/1, comment/2, sleep/1, timetrap/1, get_timetrap_info/0,
         abort_current_testcase/1]).
-export([capture_start/0, capture_stop/0, capture_get/0, capture_get/1]).
-export([get_config/1, get_config/2, get_config/3, require/1, require/2, reload_config/1]).
-export([make_priv_dir/0, testcases/2, userdata/2, userdata/3, notify/2, sync_notify/2, get_status/0,
         set_verbosity/2, get_verbosity/1, escape_chars/1, escape_chars/2, get_progname/0,
         get_target_name/1, listenv/1, remaining_test_procs/0, get_event_mgr_ref/0]).

%% ---- Output

log(Format) -> written(Format, []).
log(X, Y) -> written(X, Y).
log(X, Y, Z) -> written(X, Y, Z).
log(X, Y, Z, U) -> written(X, Y, Z, U).
log(_, _, Format, Arguments, _) -> written(Format, Arguments).

pal(Format) -> written(Format, []).
pal(X, Y) -> written(X, Y).
pal(X, Y, Z) -> written(X, Y, Z).
pal(X, Y, Z, U) -> written(X, Y, Z, U).
pal(_, _, Format, Arguments, _) -> written(Format, Arguments).

print(Format) -> written(Format, []).
print(X, Y) -> written(X, Y).
print(X, Y, Z) -> written(X, Y, Z).
print(X, Y, Z, U) -> written(X, Y, Z, U).
print(_, _, Format, Arguments, _) -> written(Format, Arguments).

%% Arguments may leave out the category, the importance (an integer) and the options.
written(Format, Arguments) when is_list(Format), is_list(Arguments) ->
    io:put_chars([io_lib:format(Format, Arguments), $\n]);
written(_, Format) -> written(Format, []).

written(Format, Arguments, Options) when is_list(Format), is_list(Options) ->
    written(Format, Arguments);
written(X, Importance, Format) when is_integer(Importance), not is_list(X) -> written(Format, []);
written(_, Format, Arguments) -> written(Format, Arguments).

written(_, Importance, Format, Arguments) when is_integer(Importance) -> written(Format, Arguments);
written(_, Format, Arguments, _) -> written(Format, Arguments).

%% ---- The case

fail(Reason) -> raised({test_case_failed, Reason}).

fail(Format, Arguments) ->
    try lists:flatten(io_lib:format(Format, Arguments)) of
        Text -> raised({test_case_failed, Text})
    catch
        error:Reason -> exit({Reason, {?MODULE, fail, [Format, Arguments]}})
    end.

%% As if it were raised by the caller.
raised(Reason) ->
    try exit(Reason)
    catch
        Class:Same:Stack ->
            Callers = lists:dropwhile(fun(Frame) -> element(1, Frame) =:= ?MODULE end, Stack),
            erlang:raise(Class, Same, Callers)
    end.

comment(Comment) -> fathom_ct_case:tell({comment, Comment}).
comment(Format, Arguments) -> comment(lists:flatten(io_lib:format(Format, Arguments))).

sleep(Time) -> timer:sleep(fathom_ct_case:milliseconds(Time)).

timetrap(Time) ->
    fathom_ct_case:tell({timetrap, Time}),
    infinity.

get_timetrap_info() -> {fathom_ct_case:milliseconds(fathom_ct_case:ask(get_timetrap)), {true, 1}}.

abort_current_testcase(Reason) -> fathom_ct_case:tell({abort, Reason}).

capture_start() -> fathom_ct_case:tell({capture, start}).
capture_stop() -> fathom_ct_case:tell({capture, stop}).
capture_get() -> fathom_ct_case:ask(capture).
capture_get(_) -> capture_get().

%% ---- Configuration

get_config(Required) -> get_config(Required, undefined).
get_config(Required, Default) -> get_config(Required, Default, []).

get_config(Required, Default, Options) ->
    [Key | Path] = keys(Required),
    Values = [value(Path, Value, Default) || {Own, Value} <- fathom_ct_case:config(), Own =:= Key],
    Found = case Values of [] -> [Default]; _ -> Values end,
    case {lists:member(all, Options), lists:member(element, Options)} of
        {true, true} -> [{Required, Value} || Value <- Found];
        {true, false} -> Found;
        {false, true} -> {Required, hd(Found)};
        {false, false} -> hd(Found)
    end.

keys(Key) when is_atom(Key) -> [Key];
keys({Key, Path}) when is_tuple(Key) -> keys(Key) ++ [Path];
keys(Tuple) -> tuple_to_list(Tuple).

value([], Value, _) -> Value;
value([Keys], Values, Default) when is_list(Keys), is_list(Values) ->
    Found = [lists:keyfind(Key, 1, Values) || Key <- Keys],
    case lists:member(false, Found) of
        true -> Default;
        false -> [Value || {_, Value} <- Found]
    end;
value([Key | Rest], Values, Default) when is_list(Values) ->
    case lists:keyfind(Key, 1, Values) of
        {_, Value} -> value(Rest, Value, Default);
        _ -> Default
    end;
value(_, _, Default) -> Default.

require(Required) ->
    case get_config(Required) of
        undefined -> {error, {not_available, Required}};
        _ -> ok
    end.

require(_, Required) -> require(Required).
reload_config(Required) -> get_config(Required).

%% ---- The rest

make_priv_dir() -> ok.
testcases(_, _) -> {error, not_testable}.
userdata(_, Suite) -> data(called(Suite, suite, [])).
userdata(_, Suite, {group, Group}) -> data(called(Suite, group, [Group]));
userdata(_, Suite, Case) -> data(called(Suite, Case, [])).

data(Info) -> lists:append([if is_list(Data) -> Data; true -> [Data] end || {userdata, Data} <- Info]).

called(Suite, Function, Arguments) ->
    case catch apply(Suite, Function, Arguments) of
        List when is_list(List) -> List;
        _ -> []
    end.

notify(_, _) -> ok.
sync_notify(_, _) -> ok.
get_status() -> no_tests_running.
set_verbosity(_, _) -> ok.
get_verbosity(_) -> undefined.
escape_chars(Chars) -> Chars.
escape_chars(Format, Arguments) -> io_lib:format(Format, Arguments).
get_progname() -> "erl".
get_target_name(_) -> {error, no_such_connection}.
listenv(_) -> [].
remaining_test_procs() -> {[], [], group_leader()}.
get_event_mgr_ref() -> ct_event.
