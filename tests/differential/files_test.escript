#!/usr/bin/env escript
%%! +S 2
%% Files as programs change them: on the disk in OTP, in memory on Fathom's machine. Each text
%% has a directory of its own, which OTP leaves as it found it; so Fathom's overlay lies over the
%% same files. What came of each operation is compared, and all that is in the directory after it.
%%
%%   files_test.escript [FAMILY...]
%%
%% COUNT (default 20) and SEED (1) in the environment: how many random sequences of operations.
%% EVERY (8): every so many of the single operations are tried; 1: all of them, which takes minutes.
-mode(compile).
-include("fathom_port.hrl").
-include("batches.hrl").

main(Wanted) ->
    logger:set_primary_config(level, none),
    ok = filelib:ensure_dir(filename:join(work_dir(), "x")),
    Families = [{single, fun() -> some(single()) end}, {handles, fun() -> some(handles()) end}, {kernel, fun kernel/0},
                {random, fun random_paths/0}, {random_handles, fun random_handles/0}],
    Numbers = counters:new(1, []),
    Numbered = [{Name, fun() -> [in_directory(Numbers, T) || T <- Texts()] end} || {Name, Texts} <- Families],
    try check_families("files", Numbered, Wanted) after file:del_dir_r(work_dir()) end.

some(Texts) ->
    Every = list_to_integer(os:getenv("EVERY", "8")),
    [T || {N, T} <- lists:zip(lists:seq(1, length(Texts)), Texts), N rem Every =:= 0].

work_dir() -> filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_overlay." ++ os:getpid()).

in_directory(Numbers, Text) ->
    counters:add(Numbers, 1, 1),
    Dir = filename:join(work_dir(), integer_to_list(counters:get(Numbers, 1))),
    fill(Dir),
    lists:flatten(io_lib:format("in(~p, fun() -> ~ts end)", [Dir, Text])).

%% The same as that of the helpers.
fill(Dir) ->
    _ = file:del_dir_r(Dir),
    [ok = file:make_dir(filename:join(Dir, D)) || D <- ["", "d", "e", "sub", "sub/deep"]],
    [ok = file:write_file(filename:join(Dir, F), C)
     || {F, C} <- [{"f", "hello world\n"}, {"big", binary:copy(<<"0123456789">>, 1000)},
                   {"d/x", "x"}, {"d/y", "line 1\nline 2\nline 3"}, {"sub/deep/z", ""}]],
    ok = file:make_symlink("f", filename:join(Dir, "l")),
    ok = file:make_symlink("d", filename:join(Dir, "dl")),
    ok = file:make_symlink("nowhere", filename:join(Dir, "broken")),
    ok = file:make_link(filename:join(Dir, "f"), filename:join(Dir, "h")).

helpers() ->
    "-include_lib(\"kernel/include/file.hrl\").\n"
    %% OTP restores what was there.
    "in(Dir, F) ->\n"
    "    {ok, Old} = file:get_cwd(),\n"
    "    ok = file:set_cwd(Dir),\n"
    "    R = try F() catch C:E -> {C, E} end,\n"
    "    T = tree(Dir),\n"
    "    ok = file:set_cwd(Old),\n"
    "    fill(Dir),\n"
    "    {R, T, tree(Dir)}.\n"
    "tree(Dir) ->\n"
    "    {ok, Names} = file:list_dir(Dir),\n"
    "    [{N, what(filename:join(Dir, N))} || N <- lists:sort(Names)].\n"
    "what(F) ->\n"
    "    case file:read_link_info(F) of\n"
    "        {ok, #file_info{type = directory, mode = M}} -> {M, tree(F)};\n"
    "        {ok, #file_info{type = symlink}} -> {link, file:read_link(F)};\n"
    "        {ok, #file_info{size = S, mode = M, links = L}} -> {M, L, S, file:read_file(F)}\n"
    "    end.\n"
    "fill(Dir) ->\n"
    "    _ = file:del_dir_r(Dir),\n"
    "    [ok = file:make_dir(filename:join(Dir, D)) || D <- [\"\", \"d\", \"e\", \"sub\", \"sub/deep\"]],\n"
    "    [ok = file:write_file(filename:join(Dir, F), C)\n"
    "     || {F, C} <- [{\"f\", \"hello world\\n\"}, {\"big\", binary:copy(<<\"0123456789\">>, 1000)},\n"
    "                   {\"d/x\", \"x\"}, {\"d/y\", \"line 1\\nline 2\\nline 3\"}, {\"sub/deep/z\", \"\"}]],\n"
    "    ok = file:make_symlink(\"f\", filename:join(Dir, \"l\")),\n"
    "    ok = file:make_symlink(\"d\", filename:join(Dir, \"dl\")),\n"
    "    ok = file:make_symlink(\"nowhere\", filename:join(Dir, \"broken\")),\n"
    "    ok = file:make_link(filename:join(Dir, \"f\"), filename:join(Dir, \"h\")).\n"
    %% Handles by name, in the dictionary.
    "op(N, F, Ms) -> case file:open(F, [raw | Ms]) of {ok, H} -> put(N, H), ok; E -> E end.\n"
    "on(N, F) -> case get(N) of undefined -> none; H -> F(H) end.\n"
    "info({ok, #file_info{size = S, type = T, access = A, mode = M, links = L, uid = U, gid = G}}) ->\n"
    "    case T of directory -> {T, A, M, U, G}; _ -> {S, T, A, M, L, U, G} end;\n"
    "info(E) -> E.\n".

%% ---- Each operation by itself

single() ->
    [lists:flatten(io_lib:format(F, [P])) || P <- outer_paths(), F <- looks()] ++
        [lists:flatten(io_lib:format(F, [P])) || P <- paths(), F <- looks() ++ one_path()] ++
        [lists:flatten(io_lib:format(F, [P, Q])) || P <- some_paths(), Q <- some_paths(), F <- two_paths()].

paths() ->
    ["f", "d", "e", "l", "dl", "dl/x", "broken", "h", "new", "new/x", "d/new", "f/x", "", "d/", "f/",
     "new/", "dl/", "broken/", "e/../new", "sub/deep", "sub/../f", "./f", "d//x", "no/../f",
     lists:duplicate(256, $n)].
%% OTP works on the disk: what lies around the directory of a test is only looked at.
outer_paths() -> [".", "..", "/", "//", "d/.", "d/..", "dl/.."].
some_paths() -> ["f", "d", "e", "l", "dl", "h", "new", "d/x", "d/new", "sub", "sub/deep", "e/", "f/", "new/", "broken"].

looks() ->
    ["file:read_file(~p)", "case file:list_dir(~p) of {ok, L} -> length(L) > 0; E -> E end", "file:read_link(~p)",
     "element(1, file:read_file_info(~p))", "{filelib:is_file(~p)}", "{filelib:is_dir(~p)}"].

one_path() ->
    ["file:write_file(~p, \"new text\")", "file:write_file(~p, \"more\", [append])",
     "file:write_file(~p, \"x\", [exclusive])", "file:write_file(~p, \"X\", [read, write])",
     "file:delete(~p)", "file:make_dir(~p)", "file:del_dir(~p)",
     "info(file:read_file_info(~p))", "info(file:read_link_info(~p))",
     "filelib:file_size(~p)", "filelib:ensure_dir(~p)", "filelib:ensure_path(~p)",
     "file:set_cwd(~p), file:write_file(\"there\", \"x\")",
     "file:change_mode(~p, 8#640)", "file:change_mode(~p, 8#7777)",
     "P = ~p, {file:change_time(P, {{2020, 1, 2}, {3, 4, 6}}), "
     "case file:read_file_info(P) of {ok, I} -> I#file_info.mtime; E -> E end}",
     "P = ~p, {file:change_owner(P, 12, 34), info(file:read_file_info(P))}",
     "file:del_dir_r(~p)", "file:make_symlink(~p, \"made\")", "file:make_link(~p, \"made\")",
     "file:open(~p, [directory, write])"].

two_paths() ->
    ["file:rename(~p, ~p)", "file:make_link(~p, ~p)", "file:make_symlink(~p, ~p)", "file:copy(~p, ~p)"].

%% ---- Open files

handles() ->
    Opens = ["read", "write", "read,write", "append", "append,read", "exclusive", "read,exclusive"],
    Ops = ["file:write(H, \"abc\")", "file:read(H, 5)", "file:pread(H, 3, 4)", "file:pwrite(H, 3, \"PQ\")",
           "file:position(H, eof)", "file:position(H, {eof, -3})", "file:position(H, -1)", "file:position(H, {bof, 20})",
           "file:truncate(H)", "file:sync(H)", "file:datasync(H)", "file:advise(H, 0, 3, normal)", "file:advise(H, 0, 0, nonsense)",
           "file:allocate(H, 5, 30)", "file:allocate(H, 0, 0)", "file:read_line(H)",
           "file:pwrite(H, [{0, \"a\"}, {5000, \"b\"}, {9, <<>>}])", "file:pread(H, [{0, 3}, {100, 2}])",
           "file:pwrite(H, -1, \"x\")", "file:write(H, [])", "file:write(H, not_iodata)", "file:write(H, [1, [<<2>> | <<3>>]])",
           "info(file:read_file_info(H))", "file:close(H)", "file:close(H), file:write(H, \"late\")",
           "file:position(H, 7), file:truncate(H), file:position(H, cur)",
           "file:delete(P), file:write(H, \"gone\"), {file:position(H, 0), file:read(H, 20)}",
           "file:rename(P, \"moved\"), {file:write(H, \"ZZ\"), file:read_file(\"moved\")}",
           "file:write_file(P, \"other\"), {file:write(H, \"ZZ\"), file:read_file(P)}",
           "prim_file:ipread_s32bu_p32bu(H, 0, infinity)"],
    [lists:flatten(io_lib:format("P = ~p, case file:open(P, [~ts]) of {ok, H} -> R = begin ~ts end, {R, file:position(H, cur)}; E -> E end",
                                 [P, M ++ Raw, Op]))
     || P <- ["f", "big", "new"], M <- Opens, Op <- Ops, Raw <- [",raw", ",raw,binary"],
        not (Raw =:= ",raw" andalso P =:= "big")] ++
    [lists:flatten(io_lib:format("P = ~p, case file:open(P, [~ts]) of {ok, H} -> R = begin ~ts end, {R, file:position(H, cur)}; E -> E end",
                                 [P, M, Op]))
     || P <- ["f", "new"], M <- Opens, Op <- lists:sublist(Ops, 20)].

%% ---- What kernel and stdlib make of it

kernel() ->
    ["{ok, H} = file:open(\"lines\", [write]), [io:format(H, \"~w~n\", [I]) || I <- lists:seq(1, 100)], file:close(H), file:consult(\"lines\")",
     "{ok, H} = file:open(\"u\", [write, {encoding, utf8}]), io:put_chars(H, [8364, $\\n, 228]), file:close(H), file:read_file(\"u\")",
     "file:write_file(\"t.erl\", \"{a, 1}.\\n[b].\\n\"), {file:consult(\"t.erl\"), file:script(\"t.erl\"), file:path_consult([\".\"], \"t.erl\")}",
     "{ok, H} = file:open(\"dw\", [raw, write, delayed_write]), [file:write(H, [I]) || I <- \"delayed\"], A = file:read_file(\"dw\"), ok = file:close(H), {A, file:read_file(\"dw\")}",
     "{ok, H} = file:open(\"ra\", [raw, read, write, {read_ahead, 10}]), file:write(H, \"0123456789abcdefgh\"), file:position(H, 0), [file:read(H, 3), file:write(H, \"XY\"), file:read(H, 4), file:position(H, cur)]",
     "{ok, H} = file:open(\"z.gz\", [write, compressed]), file:write(H, lists:duplicate(3000, $z)), ok = file:close(H), {ok, B} = file:read_file(\"z.gz\"), {byte_size(B) < 200, zlib:gunzip(B) =:= binary:copy(<<\"z\">>, 3000)}",
     "{ok, T} = dets:open_file(t, [{file, \"t.dets\"}]), [dets:insert(t, {I, I * I}) || I <- lists:seq(1, 300)], dets:delete(t, 17), ok = dets:close(t), {ok, T} = dets:open_file(t, [{file, \"t.dets\"}]), R = {dets:lookup(t, 16), dets:lookup(t, 17), dets:info(t, size)}, dets:close(t), file:delete(\"t.dets\"), R",
     "{ok, l} = disk_log:open([{name, l}, {file, \"l.log\"}]), [disk_log:log(l, {I}) || I <- lists:seq(1, 20)], disk_log:sync(l), {_, R} = disk_log:chunk(l, start), disk_log:close(l), file:delete(\"l.log\"), R",
     "ets:new(e, [named_table]), ets:insert(e, [{I, a} || I <- lists:seq(1, 50)]), ok = ets:tab2file(e, \"e.tab\"), ets:delete(e), {ok, e} = ets:file2tab(\"e.tab\"), R = lists:sort(ets:tab2list(e)), ets:delete(e), file:delete(\"e.tab\"), R",
     "ok = file:write_file(\"a\", \"1\"), {ok, _} = zip:create(\"a.zip\", [\"a\", \"d\"]), {ok, L} = zip:unzip(\"a.zip\", [{cwd, \"out\"}]), file:delete(\"a.zip\"), lists:sort(L)",
     "ok = erl_tar:create(\"a.tar\", [\"d\", \"f\"]), {ok, L} = erl_tar:table(\"a.tar\"), ok = erl_tar:extract(\"a.tar\", [{cwd, \"out\"}]), file:delete(\"a.tar\"), {lists:sort(L), file:read_file(\"out/d/y\")}",
     "file:copy(\"big\", \"copy\", 4321)", "file:copy({\"f\", [read]}, {\"g\", [append]})",
     "{ok, A} = file:open(\"f\", [read]), {ok, B} = file:open(\"g\", [write]), {file:copy(A, B), file:read_file(\"g\")}",
     "filelib:wildcard(\"**\")", "file:write_file(\"d/n\", \"\"), file:delete(\"d/x\"), {filelib:wildcard(\"d/*\"), filelib:wildcard(\"*/[xn]\")}",
     "lists:sort(filelib:fold_files(\".\", \".\", true, fun(F, A) -> [F | A] end, []))",
     "file:rename(\"d\", \"dd\"), {filelib:wildcard(\"dd/*\"), file:read_file(\"dd/y\"), file:list_dir(\"dl\"), file:read_file(\"d/y\")}",
     "file:rename(\"d\", \"dd\"), file:make_dir(\"d\"), file:write_file(\"dl/x\", \"new x\"), {file:read_file(\"dd/x\"), file:read_file(\"d/x\")}",
     "file:rename(\"sub\", \"s2\"), file:write_file(\"s2/deep/z\", \"zz\"), file:rename(\"s2/deep\", \"e/deep\"), file:read_file(\"e/deep/z\")",
     "file:make_link(\"f\", \"f2\"), file:write_file(\"f2\", \"both\"), [file:read_file(F) || F <- [\"f\", \"h\", \"f2\"]]",
     "file:delete(\"f\"), file:write_file(\"h\", \"only h\"), [file:read_file(F) || F <- [\"f\", \"h\", \"l\"]]",
     "file:make_dir(\"e/in\"), file:set_cwd(\"e/in\"), file:write_file(\"x\", \"1\"), file:rename(\"../in\", \"../out\"), {file:read_file(\"../out/x\")}",
     "file:write_file(\"x.term\", term_to_binary(#{a => [1]})), {ok, B} = file:read_file(\"x.term\"), binary_to_term(B)"].

%% ---- Random sequences

count() -> list_to_integer(os:getenv("COUNT", "20")).
seed(Extra) -> rand:seed(exsss, {list_to_integer(os:getenv("SEED", "1")), 7, Extra}).
pick(List) -> lists:nth(rand:uniform(length(List)), List).

random_paths() ->
    seed(1),
    [lists:flatten(["[", lists:join(", ", [random_operation() || _ <- lists:seq(1, 25)]), "]"])
     || _ <- lists:seq(1, count())].

names() -> ["f", "h", "l", "d", "dl", "e", "sub", "n", "m", "broken"].
path() ->
    case rand:uniform(5) of
        N when N =< 3 -> pick(names());
        4 -> pick(["d", "dl", "e", "sub", "n", "sub/deep"]) ++ "/" ++ pick(["x", "y", "n", "deep"]);
        5 -> pick(["e", "n", "d"]) ++ "/" ++ pick(names()) ++ "/" ++ pick(["x", "n"])
    end.

random_operation() ->
    P = path(),
    Q = path(),
    case rand:uniform(16) of
        1 -> text("file:write_file(~p, ~p)", [P, integer_to_list(rand:uniform(1000))]);
        2 -> text("file:write_file(~p, \"more\", [append])", [P]);
        3 -> text("file:delete(~p)", [P]);
        4 -> text("file:make_dir(~p)", [P]);
        5 -> text("file:del_dir(~p)", [P]);
        N when N < 10 -> text("file:rename(~p, ~p)", [P, Q]);
        10 -> text("file:make_link(~p, ~p)", [P, Q]);
        11 -> text("file:make_symlink(~p, ~p)", [P, Q]);
        12 -> text("file:copy(~p, ~p)", [P, Q]);
        13 -> text("{lists, case file:list_dir(~p) of {ok, L} -> lists:sort(L); E -> E end}", [P]);
        14 -> text("info(file:read_file_info(~p))", [P]);
        15 -> text("file:change_mode(~p, ~w)", [P, 8#600 + rand:uniform(8#77)]);
        16 -> text("file:read_file(~p)", [P])
    end.

text(Format, Arguments) -> io_lib:format(Format, Arguments).

random_handles() ->
    seed(2),
    [lists:flatten(["[", lists:join(", ", [handle_operation() || _ <- lists:seq(1, 30)]), "]"])
     || _ <- lists:seq(1, count())].

handle_operation() ->
    H = pick([a, b]),
    Offset = pick([0, 1, 4095, 4096, 4097, 8192, 9999, 10000, 12345, rand:uniform(20000)]),
    Bytes = binary:copy(<<(rand:uniform(26) + $a)>>, pick([0, 1, 3, 100, 4096, 5000])),
    case rand:uniform(12) of
        1 -> text("op(~p, ~p, ~p)", [H, pick(["f", "big", "n"]), pick([[read], [write], [read, write], [append], [read, append]])]);
        2 -> text("op(~p, \"big\", [read, write])", [H]);
        3 -> text("on(~p, fun(H) -> file:write(H, ~w) end)", [H, Bytes]);
        4 -> text("on(~p, fun(H) -> file:pwrite(H, ~w, ~w) end)", [H, Offset, Bytes]);
        5 -> text("on(~p, fun(H) -> file:read(H, ~w) end)", [H, pick([0, 1, 10, 5000])]);
        6 -> text("on(~p, fun(H) -> file:pread(H, ~w, ~w) end)", [H, Offset, pick([0, 1, 10, 5000])]);
        7 -> text("on(~p, fun(H) -> file:position(H, ~p) end)", [H, pick([eof, cur, {cur, -10}, {eof, -20}, Offset])]);
        8 -> text("on(~p, fun(H) -> file:truncate(H) end)", [H]);
        9 -> text("on(~p, fun(H) -> info(file:read_file_info(H)) end)", [H]);
        10 -> text("on(~p, fun(H) -> file:allocate(H, ~w, 100) end)", [H, Offset]);
        11 -> pick(["file:delete(\"n\")", "file:rename(\"f\", \"n\")", "file:rename(\"n\", \"f\")"]);
        12 -> text("on(~p, fun(H) -> file:position(H, ~w), file:truncate(H) end)", [H, Offset])
    end.
