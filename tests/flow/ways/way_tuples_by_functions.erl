-module(way_tuples_by_functions).
-compile([export_all,nowarn_export_all]).
test() -> T = {fun() -> 1 end, fun() -> 2 end}, L = tuple_to_list(T),
    T2 = list_to_tuple(lists:reverse(L)), (element(1, T2))(), T3 = erlang:append_element(T2,
    fun() -> 3 end), (element(3, T3))(), T4 = erlang:make_tuple(2, fun() -> 4 end), (element(2,
    T4))(), [E() || E <- tuple_to_list(erlang:delete_element(1, T3))].
