-module(way_reasons_of_exceptions).
-compile([export_all,nowarn_export_all]).
test() -> try erlang:error({bad, fun() -> e end}) catch error:{bad, F} -> F() end, try exit({x,
    self()}) catch exit:{x, P} -> P ! hi end, receive hi -> ok end, catch throw({t,
    fun() -> t end}), case catch throw({t, fun() -> t2 end}) of {t, G} -> G() end.
