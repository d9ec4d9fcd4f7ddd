-module(returns_SUITE).
-compile([export_all, nowarn_export_all]).
%% What a case returns.
all() -> [ok, undefined, a_tuple, comment, saves, a_list, says_failed, says_fail, says_exit, an_error].
ok(_) -> ok.
undefined(_) -> undefined.
a_tuple(_) -> {1, 2, 3}.
comment(_) -> {comment, "a comment"}.
saves(_) -> {save_config, [{a, 1}]}.
a_list(_) -> [{skip, no}].
says_failed(_) -> {failed, reason}.
says_fail(_) -> {fail, reason}.
says_exit(_) -> {'EXIT', reason}.
an_error(_) -> {error, reason}.
