%% Replaces the atom '$module' by the name of the module.
-module(constants).
-export([parse_transform/2]).
parse_transform(Forms, _Options) ->
    [Name] = [Module || {attribute, _, module, Module} <- Forms],
    [replaced(Form, Name) || Form <- Forms].
replaced({atom, Line, '$module'}, Name) -> {atom, Line, Name};
replaced(Tuple, Name) when is_tuple(Tuple) -> list_to_tuple(replaced(tuple_to_list(Tuple), Name));
replaced([First | Rest], Name) -> [replaced(First, Name) | replaced(Rest, Name)];
replaced(Other, _) -> Other.
