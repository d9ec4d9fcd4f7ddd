%% What else a parse transform may do, chosen by -D WAY=…
-module(misbehaves).
-export([parse_transform/2, format_error/1]).

parse_transform(Forms, Options) ->
    [Way] = [W || {d, 'WAY', W} <- Options],
    way(Way, Forms).

way(nothing, Forms) -> Forms;
way(errors, _) ->
    {error, [{"errors.erl", [{{16, 6}, ?MODULE, wrong}, {15, ?MODULE, odd}, {?MODULE, strange}]}],
     [{"errors.erl", [{{15, 3}, ?MODULE, new}]}]};
way(warning, Forms) -> {warning, Forms, [{"errors.erl", [{{16, 5}, ?MODULE, suspicious}]}]};
way(error_form, Forms) -> [{error, {{16, 6}, ?MODULE, refused}} | Forms];
way(no_reason, _) -> {error, [], []};
way(crash, Forms) -> lists:nth(99, Forms);
way(throw, Forms) -> throw({no, length(Forms)});
way(unmodelled, _) -> [persistent_term:info()];
way(halt, _) -> halt(3);
way(no_forms, _) -> ok;
way(bad_form, Forms) -> Forms ++ [{function, 9, g, 0, x}];
way(print, Forms) -> erlang:display(hello), Forms;
way(unbound, Forms) -> [unbound(F) || F <- Forms].

%% {X, y} becomes {Oops, y}.
unbound({tuple, Place, [{var, P, 'X'} | Rest]}) -> {tuple, Place, [{var, P, 'Oops'} | Rest]};
unbound(Node) when is_tuple(Node) -> list_to_tuple(unbound(tuple_to_list(Node)));
unbound([Node | Nodes]) -> [unbound(Node) | unbound(Nodes)];
unbound(Other) -> Other.

format_error(What) -> ["it is ", atom_to_list(What)].
