%% The tests of an EUnit generator, one after another, in the process that asks: for checks
%% of all interleavings, where EUnit's own processes, logs and time limits would only be in
%% the way. A test that fails raises its exception.
-module(fathom_check).
-export([generated/2]).

generated(Module, Function) -> tests(Module:Function()).

tests(Tests) when is_list(Tests) ->
    case is_text(Tests) of
        true -> ok;
        false -> lists:foreach(fun tests/1, Tests)
    end;
tests(Test) when is_function(Test, 0) -> Test();
tests({with, Value, Tests}) -> lists:foreach(fun(Test) -> Test(Value) end, Tests);
tests({generator, Generator}) when is_function(Generator, 0) -> tests(Generator());
tests({generator, {Module, Function}}) -> tests(Module:Function());
tests({generator, Module, Function}) -> tests(Module:Function());
tests({Order, Tests}) when Order =:= inorder; Order =:= inparallel; Order =:= spawn -> tests(Tests);
tests({inparallel, _Most, Tests}) -> tests(Tests);
tests({timeout, _Seconds, Tests}) -> tests(Tests);
tests({module, Module}) -> tests(exported_tests(Module));
tests({setup, Setup, Tests}) -> with(Setup, fun(_) -> ok end, Tests);
tests({setup, Where, Setup, Tests}) when is_atom(Where) -> with(Setup, fun(_) -> ok end, Tests);
tests({setup, Setup, Cleanup, Tests}) -> with(Setup, Cleanup, Tests);
tests({setup, _Where, Setup, Cleanup, Tests}) -> with(Setup, Cleanup, Tests);
tests({foreach, Setup, Each}) -> each(Setup, fun(_) -> ok end, Each);
tests({foreach, Where, Setup, Each}) when is_atom(Where) -> each(Setup, fun(_) -> ok end, Each);
tests({foreach, Setup, Cleanup, Each}) -> each(Setup, Cleanup, Each);
tests({foreach, _Where, Setup, Cleanup, Each}) -> each(Setup, Cleanup, Each);
tests({Line, Tests}) when is_integer(Line) -> tests(Tests);
tests({Module, Function}) when is_atom(Module), is_atom(Function) -> Module:Function();
tests({Title, Tests}) when is_list(Title); is_binary(Title) -> tests(Tests);
tests({Title, Line, Tests}) when is_integer(Line), is_list(Title) -> tests(Tests);
tests(Module) when is_atom(Module) -> tests(exported_tests(Module));
tests(Other) -> error({no_eunit_test, Other}).

is_text([]) -> false;
is_text(List) -> lists:all(fun is_integer/1, List).

with(Setup, Cleanup, Tests) ->
    Value = Setup(),
    try tests(instance(Tests, Value)) after Cleanup(Value) end.

each(Setup, Cleanup, Each) ->
    lists:foreach(fun(Tests) -> with(Setup, Cleanup, Tests) end, Each).

instance(Instantiator, Value) when is_function(Instantiator, 1) -> Instantiator(Value);
instance({with, Tests}, Value) -> {with, Value, Tests};
instance(Tests, _Value) -> Tests.

exported_tests(Module) ->
    [case lists:suffix("_test_", atom_to_list(Name)) of
         true -> {generator, Module, Name};
         false -> {Module, Name}
     end
     || {Name, 0} <- Module:module_info(exports),
        lists:suffix("_test", atom_to_list(Name)) orelse lists:suffix("_test_", atom_to_list(Name))].
