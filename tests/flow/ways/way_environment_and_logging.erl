-module(way_environment_and_logging).
-compile([export_all,nowarn_export_all]).
test() -> application:set_env(stdlib, myf, fun() -> env end), {ok,
    F} = application:get_env(stdlib, myf), F(), logger:info(fun(X) -> {"~p", [X]} end, 1), ok.
