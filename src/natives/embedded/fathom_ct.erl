%% A Common Test suite: its groups and cases in the order and with the rules of OTP's test_server,
%% with the events going to whoever drives the machine. How one function of it runs is in
%% fathom_ct_case.
%%
%% A run can go on where another machine stopped: what came of the cases that were run there is
%% given (they are not run again, their groups' init functions are), and so are the groups whose
%% init function could not be run to its end.
-module(fathom_ct).
-export([cases/1, alone/2, run/5]).

-record(env, {suite, data_dir, priv_dir, wanted, broken}).
%% Where something runs. Path: the properties of the groups around it, innermost first.
-record(scope, {id = [], path = [], config = []}).

%% A group that is to be repeated forever.
-define(FOREVER, 100).

%% ---- Which cases there are

%% In their order: {cases, [{[Group], Case}]}, or {skip, Reason}.
cases(Suite) ->
    case plan(Suite) of
        {skip, Reason} -> {skip, fathom_ct_case:text(Reason)};
        Nodes -> {cases, listed(Nodes, [])}
    end.

listed(Nodes, Groups) ->
    lists:flatmap(
      fun({'case', _, Name, _}) -> [{[atom_to_binary(G) || G <- Groups], Name}];
         ({group, Name, _, Members}) -> listed(Members, Groups ++ [Name])
      end, Nodes).

%% {'case', Index, Name, Repeat}, {group, Name, Properties, Members}.
plan(Suite) ->
    Groups = case erlang:function_exported(Suite, groups, 0) of
                 true -> Suite:groups();
                 false -> []
             end,
    case Suite:all() of
        {skip, _} = Skip -> Skip;
        All when is_list(All), is_list(Groups) ->
            Nodes = [node_of(Item, Groups, []) || Item <- All],
            element(1, numbered(Nodes, 1));
        _ when is_list(Groups) -> error({bad_return, {Suite, all, 0}});
        _ -> error({bad_return, {Suite, groups, 0}})
    end.

node_of({group, Name}, Groups, Above) -> group_node(Name, default, [], Groups, Above);
node_of({group, Name, Own}, Groups, Above) -> group_node(Name, Own, [], Groups, Above);
node_of({group, Name, Own, Below}, Groups, Above) -> group_node(Name, Own, Below, Groups, Above);
node_of({testcase, Name, Properties}, _, _) -> {'case', 0, Name, case_repeat(Properties)};
node_of({Name, Members}, Groups, Above) when is_atom(Name), is_list(Members) ->
    node_of({Name, [], Members}, Groups, Above);
node_of({Name, Properties, Members}, Groups, Above) when is_atom(Name), is_list(Members) ->
    lists:member(Name, Above) andalso error({cyclic_reference, Name}),
    {group, Name, Properties, [node_of(Each, Groups, [Name | Above]) || Each <- Members]};
node_of(Name, _, _) when is_atom(Name) -> {'case', 0, Name, {repeat, 1}};
node_of(Other, _, _) -> error({not_a_test, Other}).

%% Own: properties in place of those of the definition. Below: the same for groups in it.
group_node(Name, Own, Below, Groups, Above) ->
    case definition(Name, Groups) of
        none -> error({no_such_group, Name});
        Definition ->
            {group, _, Properties, Members} = node_of(Definition, Groups, Above),
            {group, Name, case Own of default -> Properties; _ -> Own end,
             [overridden(Member, Below) || Member <- Members]}
    end.

overridden({group, Name, Properties, Members} = Group, Below) ->
    case lists:keyfind(Name, 1, Below) of
        false -> Group;
        Found ->
            Own = case element(2, Found) of default -> Properties; Given -> Given end,
            More = case Found of {_, _, List} -> List; _ -> [] end,
            {group, Name, Own, [overridden(Member, More) || Member <- Members]}
    end;
overridden(Case, _) -> Case.

%% At the top, or else inside of another group.
definition(Name, Groups) ->
    case lists:keyfind(Name, 1, [Group || Group <- Groups, is_definition(Group)]) of
        false -> definition_within(Name, [element(tuple_size(G), G) || G <- Groups, is_definition(G)]);
        Found -> Found
    end.

definition_within(_, []) -> none;
definition_within(Name, [Members | Rest]) ->
    case definition(Name, Members) of
        none -> definition_within(Name, Rest);
        Found -> Found
    end.

is_definition({_, Members}) -> is_list(Members);
is_definition({Name, _, Members}) -> Name =/= group andalso Name =/= testcase andalso is_list(Members);
is_definition(_) -> false.

numbered(Nodes, First) ->
    lists:mapfoldl(
      fun({'case', _, Name, Repeat}, N) -> {{'case', N, Name, Repeat}, N + 1};
         ({group, Name, Properties, Members}, N) ->
              {Own, Next} = numbered(Members, N),
              {{group, Name, Properties, Own}, Next}
      end, First, Nodes).

case_repeat([{Kind, Count} | _]) when Kind =:= repeat; Kind =:= repeat_until_ok;
                                      Kind =:= repeat_until_fail ->
    {Kind, times(Count)};
case_repeat([_ | Rest]) -> case_repeat(Rest);
case_repeat([]) -> {repeat, 1}.

times(forever) -> ?FOREVER;
times(Count) -> Count.

%% ---- Running

%% Wanted: the numbers of the cases to run. Past: what came of those that were run already, in the
%% order in which they were begun. Broken: ids of groups.
run(Suite, DataDir, Wanted, Past, Broken) ->
    put(past, Past),
    PrivDir = prepare(Suite),
    Env = #env{suite = Suite, data_dir = DataDir, priv_dir = PrivDir, wanted = Wanted,
               broken = Broken},
    note({'begin', [], group, undefined, undefined, undefined}),
    case plan(Suite) of
        {skip, Reason} -> leave_out([], [], {user, Reason}, Env);
        Nodes -> run_suite(chosen(Nodes, Wanted), Env)
    end,
    note({'end', [], ok, <<>>}).

%% One case with the init and end functions around it: for checks of all interleavings, where
%% test_server's processes would only be in the way. One that fails raises its exception.
alone(Suite, Index) ->
    DataDir = data_dir(Suite),
    PrivDir = prepare(Suite),
    Inner = fun(Config, [{'case', _, Name, _}]) -> fathom_ct_case:inline(Suite, Name, Config) end,
    Dirs = [{priv_dir, PrivDir}, {data_dir, DataDir}],
    fathom_ct_case:around(Suite, suite, Dirs,
                          fun(Config) -> alone_in(Suite, Config, chosen(plan(Suite), [Index]), Inner) end).

%% The working directory is one that nothing else is in; priv_dir is in it.
prepare(Suite) ->
    fathom_ct_case:prepare_config(),
    WorkDir = filename:join(["/tmp", "ct_run", Suite]),
    PrivDir = filename:join(WorkDir, "log_private") ++ "/",
    ok = filelib:ensure_dir(PrivDir),
    ok = file:set_cwd(WorkDir),
    PrivDir.

alone_in(Suite, Config, [{group, Name, Properties, Members}], Inner) ->
    fathom_ct_case:around(Suite, {group, Name}, update(Config, tc_group_properties,
                                                       [{name, Name} | Properties]),
                          fun(Own) -> alone_in(Suite, Own, Members, Inner) end);
alone_in(_, Config, Case, Inner) -> Inner(Config, Case).

data_dir(Suite) ->
    Source = proplists:get_value(source, Suite:module_info(compile), "."),
    filename:join(filename:dirname(filename:absname(Source)), atom_to_list(Suite) ++ "_data") ++ "/".

chosen(Nodes, Wanted) ->
    lists:flatmap(
      fun({'case', Index, _, _} = Case) -> [Case || lists:member(Index, Wanted)];
         ({group, Name, Properties, Members}) ->
              case chosen(Members, Wanted) of
                  [] -> [];
                  Some -> [{group, Name, Properties, Some}]
              end
      end, Nodes).

run_suite(Nodes, #env{suite = Suite} = Env) ->
    Path = [[{suite, Suite}] || not is_there(init_per_suite, Suite)],
    Scope = #scope{path = Path, config = directories([], Env)},
    case init_function(init_per_suite, [], Scope, Env) of
        {ok, Config} ->
            Inside = Scope#scope{config = Config},
            Results = members(Nodes, Inside, Env),
            end_function(end_per_suite, [], Inside, Results, Env);
        {left_out, Why} -> leave_out(Nodes, [], Why, Env)
    end.

directories(Config, Env) ->
    update(update(Config, priv_dir, Env#env.priv_dir), data_dir, Env#env.data_dir).

update(Config, Key, Value) -> lists:keystore(Key, 1, Config, {Key, Value}).

%% Of an init function: the configuration for what is inside, or why nothing of it runs.
init_function(Function, Arguments, Scope, #env{suite = Suite} = Env) ->
    case lists:member(Scope#scope.id, Env#env.broken) of
        true -> {left_out, {unknown, atom_to_list(Function) ++ " was not run to its end"}};
        false ->
            Config = with_saved(Scope#scope.config),
            Result = case is_there(Function, Suite) of
                         true -> conf(Function, Arguments, Config, Scope, Env);
                         false -> {ok, Config}
                     end,
            init_result(Function, Result, Config)
    end.

init_result(Function, {ok, Config}, _) when is_list(Config) ->
    case Function =:= init_per_suite andalso [Bad || Bad <- Config, not is_pair(Bad)] of
        [_ | _] -> {left_out, {auto, Function, {bad_return, Config}}};
        _ -> {ok, Config}
    end;
init_result(init_per_suite, {ok, Other}, _) -> {left_out, {auto, init_per_suite, {bad_return, Other}}};
init_result(_, {ok, _}, Config) -> {ok, Config};
init_result(_, {skip, Reason}, _) -> {left_out, {user, Reason}};
init_result(Function, {failed, Why}, _) -> {left_out, {auto, Function, Why}};
init_result(_, {require_failed, Name}, _) -> {left_out, {require, Name}}.

is_pair({_, _}) -> true;
is_pair(_) -> false.

%% As for test_server: of a group's two functions none may be there, or both must be.
is_there(Function, Suite) when Function =:= init_per_group; Function =:= end_per_group ->
    erlang:function_exported(Suite, init_per_group, 2) orelse
        erlang:function_exported(Suite, end_per_group, 2);
is_there(Function, Suite) -> erlang:function_exported(Suite, Function, 1).

%% What the group above is told: {GroupResult}.
end_function(Function, Arguments, Scope, Results, #env{suite = Suite} = Env) ->
    case is_there(Function, Suite) of
        false -> ok;
        true ->
            Config = update(with_saved(Scope#scope.config), tc_group_result, tc_results(Results)),
            case conf(Function, Arguments, Config, Scope, Env) of
                {ok, Value} -> returned_result(Value);
                {failed, Why} ->
                    note({warning, [], {Function, 1 + length(Arguments)},
                          fathom_ct_case:exception(Why)}),
                    ok;
                _ -> ok
            end
    end.

returned_result({return_group_result, Result}) -> Result;
returned_result(List) when is_list(List) -> proplists:get_value(return_group_result, List, ok);
returned_result(_) -> ok.

tc_results(Results) ->
    [{Kind, [Name || {Own, Name} <- Results, Own =:= Kind]} || Kind <- [ok, skipped, failed]].

conf(Function, Arguments, Config, Scope, #env{suite = Suite}) ->
    case fathom_ct_case:info(Suite, {Function, Arguments}, Scope#scope.path) of
        {require_failed, _} = Failed -> Failed;
        Info ->
            Run = fathom_ct_case:conf_function(Suite, Function, Arguments ++ [Config]),
            Process = fathom_ct_case:start(Run, Info, fun(_, _) -> ok end),
            saved(Function, fathom_ct_case:wait(Process))
    end.

%% ---- Members of a suite or a group

%% [{ok | skipped | failed, {Suite, Case} | {group_result, Name}}].
members(Nodes, Scope, Env) ->
    Properties = case Scope#scope.path of [] -> []; [Own | _] -> Own end,
    Mode = case {lists:member(parallel, Properties), lists:member(sequence, Properties)} of
               {true, _} -> parallel;
               {_, true} -> sequence;
               _ -> in_turn
           end,
    members(Nodes, 1, Mode, [], Scope, Env).

%% Running: of a parallel group, the cases that have been started.
members([], _, _, Running, _, #env{suite = Suite}) ->
    [{result(Case), {Suite, Name}} || {Name, Case} <- lists:reverse(Running)];
members([{'case', _, Name, {Kind, Count}} | Rest], Position, parallel, Running, Scope, Env) ->
    Case = begin_case(Scope#scope.id ++ [Position], Name, Scope, Env),
    Again = [{'case', 0, Name, {Kind, Count - 1}} || Count > 1],
    members(Again ++ Rest, Position + 1, parallel, [{Name, Case} | Running], Scope, Env);
members([{'case', _, Name, Repeat} | Rest], Position, Mode, Running, Scope, Env) ->
    Id = Scope#scope.id ++ [Position],
    Result = result(begin_case(Id, Name, Scope, Env)),
    Entry = {Result, {Env#env.suite, Name}},
    Next = again(Name, Repeat, Result) ++ Rest,
    case Mode =:= sequence andalso Result =:= failed of
        true ->
            leave_out(Next, Scope#scope.id, Position + 1, {sequence, Name}, Env),
            [Entry | [{skipped, {Env#env.suite, Each}} || {'case', _, Each, _} <- Next]];
        false -> [Entry | members(Next, Position + 1, Mode, Running, Scope, Env)]
    end;
members([{group, Name, _, _} = Group | Rest], Position, Mode, Running, Scope, Env) ->
    {Result, Next} = group(Group, Position, Scope, Env),
    Entry = {Result, {group_result, Name}},
    case Mode =:= sequence andalso Result =:= failed of
        true ->
            leave_out(Rest, Scope#scope.id, Next, {sequence, Name}, Env),
            [Entry];
        false -> [Entry | members(Rest, Next, Mode, Running, Scope, Env)]
    end.

result({done, Result}) -> Result;
result({running, Name, Process}) -> kind(saved(Name, fathom_ct_case:wait(Process))).

kind({ok, _}) -> ok;
kind({skip, _}) -> skipped;
kind({auto_skip, _, _}) -> skipped;
kind({failed, _}) -> failed.

again(_, {_, Count}, _) when Count =< 1 -> [];
again(_, {repeat_until_ok, _}, ok) -> [];
again(_, {repeat_until_fail, _}, failed) -> [];
again(Name, {Kind, Count}, _) -> [{'case', 0, Name, {Kind, Count - 1}}].

%% {running, Name, Process}, or {done, Result} if it is not to be run.
begin_case(Id, Name, Scope, #env{suite = Suite} = Env) ->
    case past() of
        {past, Result} -> {done, Result};
        new ->
            note({'begin', Id, test, undefined, {Suite, Name, 1}, undefined}),
            Config = with_saved(directories(Scope#scope.config, Env)),
            case fathom_ct_case:info(Suite, {Name, []}, Scope#scope.path) of
                {require_failed, Required} ->
                    ended(Id, {left_out, {require, Required}}, <<>>),
                    {done, skipped};
                Info ->
                    Run = fathom_ct_case:test_case(Suite, Name, Config),
                    Ended = fun(Result, Output) -> ended(Id, Result, Output) end,
                    {running, Name, fathom_ct_case:start(Run, Info, Ended)}
            end
    end.

past() ->
    case get(past) of
        [Result | Rest] ->
            put(past, Rest),
            {past, Result};
        [] -> new
    end.

%% What a case or a conf function has saved goes to what runs next.
saved(Function, Result) ->
    case Result of
        {ok, {save_config, Data}} -> put(saved_config, {Function, Data});
        {skip, {save_config, Data, _}} -> put(saved_config, {Function, Data});
        _ -> ok
    end,
    case Result of
        {skip, {save_config, _, Reason}} -> {skip, Reason};
        _ -> Result
    end.

with_saved(Config) ->
    Others = lists:keydelete(saved_config, 1, Config),
    case erase(saved_config) of
        undefined -> Others;
        Saved -> [{saved_config, Saved} | Others]
    end.

%% ---- A group

%% {GroupResult, the next position}.
group({group, Name, Properties, Members}, Position, Scope, Env) ->
    turn(Name, Properties, Members, Position, Scope, Env, repeat(Properties)).

repeat(Properties) ->
    Kinds = [repeat, repeat_until_all_ok, repeat_until_any_ok, repeat_until_any_fail,
             repeat_until_all_fail],
    Found = [{Kind, Count} || {Kind, Count} <- proplists:unfold(Properties),
                              lists:member(Kind, Kinds)],
    case Found of
        [] -> {repeat, 1};
        [{Kind, true} | _] -> {Kind, ?FOREVER};
        [{Kind, Count} | _] -> {Kind, times(Count)}
    end.

turn(Name, Properties, Members, Position, Scope, Env, {Kind, Count}) ->
    Id = Scope#scope.id ++ [Position],
    begin_group(Id, Name, Env),
    Default = [{suite, Env#env.suite} || not is_there(init_per_group, Env#env.suite)],
    {Ordered, Own} = in_order(Members, [{name, Name} | Properties] ++ Default),
    Outer = update(directories(Scope#scope.config, Env), tc_group_path, Scope#scope.path),
    Inside = #scope{id = Id, path = [Own | Scope#scope.path],
                    config = update(Outer, tc_group_properties, Own)},
    {Result, Results} =
        case init_function(init_per_group, [Name], Inside, Env) of
            {ok, Config} ->
                Within = Inside#scope{config = Config},
                Each = members(Ordered, Within, Env),
                {end_function(end_per_group, [Name], Within, Each, Env), Each};
            {left_out, Why} ->
                leave_out(Ordered, Id, Why, Env),
                {left_out_result(Why), none}
        end,
    note({'end', Id, ok, <<>>}),
    case Count > 1 andalso Results =/= none andalso goes_on(Kind, Results) of
        true -> turn(Name, Properties, Members, Position + 1, Scope, Env, {Kind, Count - 1});
        false -> {Result, Position + 1}
    end.

left_out_result({user, _}) -> ok;
left_out_result(_) -> failed.

goes_on(repeat, _) -> true;
goes_on(repeat_until_all_ok, Results) -> has(failed, Results);
goes_on(repeat_until_any_ok, Results) -> not has(ok, Results);
goes_on(repeat_until_any_fail, Results) -> not has(failed, Results);
goes_on(repeat_until_all_fail, Results) -> has(ok, Results).

has(Kind, Results) -> lists:keymember(Kind, 1, Results).

%% Shuffled as test_server does it with the same seed. Where none is given, its seed is the time, and
%% here always the same.
in_order(Members, Properties) ->
    case proplists:get_value(shuffle, Properties) of
        undefined -> {Members, Properties};
        Given ->
            Seed = case Given of {_, _, _} -> Given; _ -> {1, 2, 3} end,
            Own = [{shuffle, Seed} | lists:keydelete(shuffle, 1, Properties -- [shuffle])],
            {shuffled(lists:reverse(Members), rand:seed_s(exsplus, Seed)), Own}
    end.

shuffled([], _) -> [];
shuffled(Members, State) ->
    {Position, Next} = rand:uniform_s(length(Members), State),
    {First, [Member | Last]} = lists:split(Position - 1, Members),
    [Member | shuffled(First ++ Last, Next)].

%% ---- What is not run

leave_out(Nodes, Id, Why, Env) -> leave_out(Nodes, Id, 1, Why, Env).

leave_out([], [], 1, {user, Reason}, _) ->  % the whole suite
    note({'end', [], {left_out, user, fathom_ct_case:text(Reason), undefined}, <<>>});
leave_out(Nodes, Above, First, Why, Env) ->
    lists:foldl(fun(Node, Position) ->
                        leave_out_one(Node, Above ++ [Position], Why, Env),
                        Position + 1
                end, First, Nodes).

leave_out_one({'case', _, Name, _}, Id, Why, #env{suite = Suite}) ->
    case past() of
        {past, _} -> ok;
        new ->
            note({'begin', Id, test, undefined, {Suite, Name, 1}, undefined}),
            ended(Id, {left_out, Why}, <<>>)
    end;
leave_out_one({group, Name, _, Members}, Id, Why, Env) ->
    begin_group(Id, Name, Env),
    leave_out(Members, Id, Why, Env),
    note({'end', Id, ok, <<>>}).

%% ---- Events

begin_group(Id, Name, #env{suite = Suite}) ->
    note({'begin', Id, group, atom_to_binary(Name), {Suite, init_per_group, 2}, undefined}).

ended(Id, Result, Output) -> note({'end', Id, status(Result), Output}).

status({ok, _}) -> ok;
status({failed, Why}) -> fathom_ct_case:exception(Why);
status({skip, {save_config, _, Reason}}) -> status({skip, Reason});
status({skip, Reason}) -> {left_out, user, fathom_ct_case:text(Reason), undefined};
status({auto_skip, Function, Why}) -> status({left_out, {auto, Function, Why}});
status({left_out, {user, Reason}}) -> status({skip, Reason});
status({left_out, {unknown, Text}}) -> {left_out, unknown, list_to_binary(Text), undefined};
status({left_out, {auto, Function, {bad_return, Value}}}) ->
    {left_out, auto, chars("~tw did not return a list of pairs but ~tp", [Function, Value]), undefined};
status({left_out, {auto, Function, Why}}) ->
    {left_out, auto, chars("~tw failed", [Function]), fathom_ct_case:exception(Why)};
status({left_out, {sequence, Name}}) ->
    {left_out, auto, chars("~tw failed, which stands before it in a sequence", [Name]), undefined};
status({left_out, {require, Name}}) ->
    {left_out, auto, chars("it requires ~tp, which no configuration has", [Name]), undefined}.

chars(Format, Arguments) -> unicode:characters_to_binary(io_lib:format(Format, Arguments)).

note(_) -> erlang:nif_error(undef).
