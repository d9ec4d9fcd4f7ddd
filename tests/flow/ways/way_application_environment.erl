-module(way_application_environment).
-compile([export_all,nowarn_export_all]).
test() ->
    application:set_env(kernel, one, {f, fun() -> one end}),
    application:set_env([{kernel, [{two, {f, fun() -> two end}}]}]),
    All = [F() || {_, {f, F}} <- application:get_all_env(kernel)],
    {ok, {f, G}} = application:get_env(kernel, two),
    {All, G()}.
