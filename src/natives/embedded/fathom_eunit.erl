%% Tests of a module through OTP's eunit: starts them as eunit:test/1 does, but with the
%% events going to whoever drives the machine, in place of a listener that prints. They are
%% EUnit's own, as eunit_proc sends them: in the order in which they happen, where a
%% listener gets those of parallel tests in the order of the tests.
-module(fathom_eunit).
-export([run/2]).

%% Functions: [{Index, test | generator, Name}].
run(Module, Functions) ->
    Tests = case erlang:function_exported(Module, eunit_wrapper_, 1) of
                true -> {generator, wrapped(Module, Functions)};
                false -> marked(Module, Functions)
            end,
    Super = spawn(fun listen/0),
    {ok, Reference} = eunit_server:start_test(eunit_server, Super, Tests, []),
    receive {done, Reference} -> ok end,
    Super ! {stop, self()},
    receive stopped -> ok end.

%% Before each function a test that says which one follows.
marked(Module, [{Index, Kind, Name} | Rest]) ->
    [{Index, fun() -> ok end}, {Kind, Module, Name} | marked(Module, Rest)];
marked(_, []) -> [].

%% The module makes of its tests what it likes.
wrapped(Module, Functions) ->
    fun() -> Module:eunit_wrapper_([{Kind, Module, Name} || {_, Kind, Name} <- Functions]) end.

listen() ->
    receive
        {status, Id, Info} ->
            event(Id, Info),
            listen();
        {stop, From} ->
            From ! stopped
    end.

event(Id, {progress, 'begin', {Type, Data}}) ->
    note({'begin', Id, Type, title(value(desc, Data)), value(source, Data), value(line, Data)});
event(Id, {progress, 'end', {Status, Data}}) ->
    note({'end', Id, Status, chars(value(output, Data))});
event(Id, {cancel, Reason}) ->
    note({cancel, Id, Reason}).

value(Key, Data) ->
    case lists:keyfind(Key, 1, Data) of
        {_, Value} -> Value;
        false -> undefined
    end.

title(undefined) -> undefined;
title(Chars) -> chars(Chars).

chars(Chars) ->
    case catch unicode:characters_to_binary(Chars) of
        Bytes when is_binary(Bytes) -> Bytes;
        _ -> <<>>
    end.

note(_) -> erlang:nif_error(undef).
