-module(ram_files_SUITE).
-compile([export_all, nowarn_export_all]).
%% Files in memory.
suite() -> [{timetrap, {minutes, 1}}].
all() -> [F || {F, 1} <- ?MODULE:module_info(exports), not lists:member(F, [module_info])].
o(D, M) -> {ok, F} = file:open(D, [ram | M]), F.
read(_) -> F = o("hello", [read]), {ok, "hel"} = file:read(F, 3), {ok, "lo"} = file:read(F, 5), eof = file:read(F, 1), {ok, []} = file:read(F, 0), ok = file:close(F), {error, einval} = file:read(F, 1).
readb(_) -> F = o(<<"hello">>, [read, binary]), {ok, <<"hel">>} = file:read(F, 3), {ok, 5} = file:position(F, eof), eof = file:read(F, 2), {ok, 1} = file:position(F, {bof, 1}), {ok, <<"ell">>} = file:read(F, 3), {error, einval} = file:position(F, {bof, -1}), {error, badarg} = file:position(F, foo), ok.
write(_) -> F = o([], [write, read, binary]), ok = file:write(F, ["ab", <<"c">>]), {ok, <<"abc">>} = ram_file:get_file(F), ok = file:pwrite(F, 5, "x"), {ok, <<"abc", 0, 0, "x">>} = ram_file:get_file(F), {ok, 6} = ram_file:get_size(F), {ok, 1} = file:position(F, 1), ok = file:truncate(F), {ok, <<"a">>} = ram_file:get_file(F), ok.
ro(_) -> F = o("abc", [read]), R = file:write(F, "x"), {error, ebadf} = R, ok.
wo(_) -> F = o("abc", [write]), {error, ebadf} = file:read(F, 1), ok.
pread(_) -> F = o("abcdef", [read, binary]), {ok, <<"cd">>} = file:pread(F, 2, 2), eof = file:pread(F, 10, 1), {ok, [<<"a">>, eof, <<"f">>]} = file:pread(F, [{0, 1}, {20, 1}, {5, 9}]), {error, badarg} = file:pread(F, [{a, 1}]), {ok, <<"ab">>} = file:read(F, 2).
bad(_) -> {error, badarg} = file:open("x", [ram, append]), {error, badarg} = file:open(foo, [ram]), {error, badarg} = ram_file:open("x", [foo]).
pwrite(_) -> F = o("abcdef", [read, write, binary]), ok = file:pwrite(F, [{0, "X"}, {3, <<"YZ">>}]), {ok, <<"XbcYZf">>} = ram_file:get_file(F), {error, {1, einval}} = file:pwrite(F, [{0, "X"}, {1 bsl 40, "Y"}]), R = file:write(F, foo), {error, badarg} = R.
copy(_) -> F = o("abcdef", [read, binary]), G = o("", [write, read, binary]), {ok, 4} = file:copy(F, G, 4), {ok, <<"abcd">>} = ram_file:get_file(G).
adv(_) -> F = o("ab", [read]), ok = file:advise(F, 0, 0, normal), {error, einval} = file:advise(F, 0, 0, foo), ok = file:sync(F), ok = file:datasync(F).
alloc(_) -> F = o("ab", [read, write, binary]), ok = file:allocate(F, 0, 5), {ok, B} = ram_file:get_file(F), <<"ab">> = B.
