-module(way_group_leader_of_ones_own).
-compile([export_all,nowarn_export_all]).
test() -> S = self(), G = spawn(fun() -> io(S) end), group_leader(G, self()),
    io:format("hello ~p", [x]), receive {wrote, N} -> N after 100 -> none end.
io(S) -> receive {io_request, F, R, Q} -> S ! {wrote, Q}, F ! {io_reply, R, ok}, io(S) end.
