-module(way_device_of_ones_own).
-compile([export_all,nowarn_export_all]).
test() -> D = spawn(fun() -> receive {io_request, F, R, _} -> F ! {io_reply, R, ok} end end),
    io:format(D, "x", []), io:put_chars(standard_error, "").
