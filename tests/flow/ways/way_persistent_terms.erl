-module(way_persistent_terms).
-compile([export_all,nowarn_export_all]).
test() -> persistent_term:put({k, 1}, fun() -> pt end), (persistent_term:get({k, 1}))(),
    [V() || {{k, 1}, V} <- persistent_term:get()].
