%% Tests of an EUnit generator in the process that asks: for checks of all interleavings, where
%% EUnit's own processes, logs and time limits would only be in the way. What the tests are is
%% eunit_data's word, as it is for EUnit. A test that fails raises its exception.
%%
%% A path leads to a test: the positions of the groups around it and its own, as in EUnit's ids. The
%% tests of a group that are to run in parallel are one test here, and have the group's path.
%%
%% Groups are records of eunit_data; their fields are counted from the last one, since OTP 25 has
%% put one in front of the others.
-module(fathom_check).
-export([cases/2, alone/3, in_turn/3, all/2]).

%% Which tests there are: [{Path, [Title], Line, test | parallel | group}]. Setups run for that, and
%% cleanups. A group whose setup fails is one test.
cases(Module, Function) -> cases_of(tests(Module, Function), 1, [], [], inorder).

%% None of the tests before it runs.
alone(Module, Function, Path) -> one(tests(Module, Function), Path, {skipped, fresh}, inorder).

%% All tests before it run, as EUnit runs them; if they fail, it does not matter here.
in_turn(Module, Function, Path) -> one(tests(Module, Function), Path, {run, used}, inorder).

all(Module, Function) -> each(tests(Module, Function), inorder, fun raised/1).

tests(Module, Function) -> iterator({generator, Module, Function}).

iterator(Tests) -> eunit_data:iter_init(Tests, [], []).

%% The next test or group. A generator that fails has its own exception.
next(Tests) ->
    try eunit_data:iter_next(Tests)
    catch
        throw:{generator_failed, {_, {Class, Reason, Stack}}} -> erlang:raise(Class, Reason, Stack);
        throw:{generator_failed, {Class, Reason, Stack}} -> erlang:raise(Class, Reason, Stack);
        throw:Error -> error(Error)
    end.

%% ---- Which tests there are

%% Above: the path of the group, backwards.
cases_of(Tests, Position, Above, Titles, Order) ->
    case next(Tests) of
        none -> [];
        {Item, Next} ->
            case_of(Item, [Position | Above], Titles ++ title(Item), Order) ++
                cases_of(Next, Position + 1, Above, Titles, Order)
    end.

case_of(Item, Path, Titles, _) when element(1, Item) =:= test ->
    [{lists:reverse(Path), Titles, element(6, Item), test}];
case_of(Group, Path, Titles, Order) ->
    case order(Group, Order) of
        {inparallel, _} -> [{lists:reverse(Path), Titles, 0, parallel}];
        Own ->
            try in_group(Group, fun(Tests) -> cases_of(Tests, 1, Path, Titles, Own) end)
            catch _:_ -> [{lists:reverse(Path), Titles, 0, group}]
            end
    end.

title(Item) when element(1, Item) =:= test -> text(element(3, Item));
title(Group) -> text(element(2, Group)).

text(undefined) -> [];
text(Chars) -> [unicode:characters_to_binary(Chars)].

%% ---- One test

%% {Before, Process}: whether the tests before it are run or skipped; whether the process is fresh, so
%% that a test that is to have a process of its own needs no other.
one(Tests, [Position | Path], {Before, _} = Mode, Order) ->
    {Item, Next} = next(Tests),
    case Position of
        1 -> chosen(Item, Path, Mode, Order);
        _ ->
            Before =:= run andalso attempted(Item, Order),
            one(Next, [Position - 1 | Path], Mode, Order)
    end.

chosen(Item, [], _, Order) -> whole(Item, Order, fun raised/1);
chosen(Group, Path, {Before, Process}, Order) ->
    Inside = case has_context(Group) of
                 true -> {Before, used};
                 false -> {Before, Process}
             end,
    Run = fun() -> in_group(Group, fun(Tests) -> one(Tests, Path, Inside, order(Group, Order)) end) end,
    case Process =:= used andalso has_process(Group) of
        true -> in_process(Run, fun raised/1);
        false -> Run()
    end.

%% ---- All of a group

%% Failed: what to do with the exception of a test, {Class, Reason, Stack}.
whole(Item, _, Failed) when element(1, Item) =:= test ->
    test(element(2, Item), element(4, Item), Failed);
whole(Group, Order, Failed) ->
    Run = fun() -> in_group(Group, fun(Tests) -> each(Tests, order(Group, Order), Failed) end) end,
    case has_process(Group) of
        true -> in_process(Run, Failed);
        false -> Run()
    end.

each(Tests, {inparallel, Most}, Failed) ->
    in_parallel(Tests, [], case Most of 0 -> infinity; _ -> Most end, Failed);
each(Tests, inorder, Failed) ->
    case next(Tests) of
        none -> ok;
        {Item, Next} ->
            whole(Item, inorder, Failed),
            each(Next, inorder, Failed)
    end.

in_parallel(Tests, Running, Free, Failed) ->
    case Free =/= 0 andalso next(Tests) of
        {Item, Next} ->
            Process = spawn_monitor(fun() -> whole(Item, inorder, fun raised/1) end),
            in_parallel(Next, Running ++ [Process], less(Free), Failed);
        false ->
            [First | Others] = Running,
            wait(First, Failed),
            in_parallel(Tests, Others, Free + 1, Failed);
        none -> lists:foreach(fun(Process) -> wait(Process, Failed) end, Running)
    end.

less(infinity) -> infinity;
less(Free) -> Free - 1.

%% As EUnit goes on after it.
attempted(Item, Order) -> try whole(Item, Order, fun(_) -> ok end) catch _:_ -> ok end.

%% ---- Tests and groups

test(Test, undefined, Failed) ->
    try Test() catch Class:Reason:Stack -> Failed({Class, Reason, Stack}) end;
test(Test, Timeout, Failed) ->
    Begin = erlang:monotonic_time(millisecond),
    test(Test, undefined, Failed),
    Time = erlang:monotonic_time(millisecond) - Begin,
    Time =< Timeout orelse Failed({exit, {timed_out, {milliseconds, Timeout}}, []}).

raised({Class, Reason, Stack}) -> erlang:raise(Class, Reason, Stack).

%% After a setup EUnit runs the tests in another process, unless it is told not to.
in_group(Group, Run) ->
    Tests = from_end(Group, 0),
    case from_end(Group, 2) of
        undefined -> Run(iterator(Tests));
        {context, Setup, Cleanup, Process} ->
            Value = Setup(),
            try Run(iterator(in(Process, Tests(Value)))) after Cleanup(Value) end
    end.

in(local, Tests) -> Tests;
in(spawn, Tests) -> {spawn, Tests};
in({spawn, Node}, Tests) -> {spawn, Node, Tests}.

order(Group, Order) ->
    case from_end(Group, 4) of
        undefined -> Order;
        Own -> Own
    end.

has_context(Group) -> from_end(Group, 2) =/= undefined.

%% Whether EUnit runs it in a process of its own.
has_process(Group) -> from_end(Group, 1) =/= undefined.

from_end(Group, N) -> element(tuple_size(Group) - N, Group).

in_process(Run, Failed) -> wait(spawn_monitor(Run), Failed).

wait({Process, Reference}, Failed) ->
    receive
        {'DOWN', Reference, process, Process, normal} -> ok;
        {'DOWN', Reference, process, Process, {Reason, [{_, _, _, _} | _] = Stack}} ->
            Failed({error, Reason, Stack});
        {'DOWN', Reference, process, Process, Reason} -> Failed({exit, Reason, []})
    end.
