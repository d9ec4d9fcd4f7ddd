-module(way_data_structures).
-compile([export_all,nowarn_export_all]).
test() -> D = dict:store(k, fun() -> d end, dict:new()), (dict:fetch(k, D))(),
    Q = queue:in(fun() -> q end, queue:new()), {{value, F}, _} = queue:out(Q), F(),
    G = gb_trees:insert(1, fun() -> g end, gb_trees:empty()), (gb_trees:get(1, G))(),
    A = array:set(0, fun() -> a end, array:new()), (array:get(0, A))(),
    S = orddict:from_list([{x, fun() -> o end}]), (orddict:fetch(x, S))(),
    proplists:get_value(z, [{z, fun() -> p end}]).
