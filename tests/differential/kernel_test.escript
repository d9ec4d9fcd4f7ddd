#!/usr/bin/env escript
%%! +S 2
%% What ordinary programs expect to find running, on Fathom's machine and in OTP:
%% applications, logging, files, code, timers, names; and what one process asks of another.
%% Each program has one possible outcome.
%%
%%   kernel_test.escript [FAMILY...]
-mode(compile).
-define(ARGUMENTS, [filename:join(test_dir(), "source")]).
-include("fathom_port.hrl").
-include("batches.hrl").

main(Wanted) ->
    write_files(test_dir()),
    %% What processes of the programs die of is no news.
    logger:set_primary_config(level, none),
    Families = [F || {Name, _} = F <- families(),
                     Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    Counts = [check_texts(test_dir(), Name, Texts()) || {Name, Texts} <- Families],
    file:del_dir_r(test_dir()),
    {Passed, Failed} = lists:unzip(Counts),
    summary(lists:sum(Passed), lists:sum(Failed)).

test_dir() -> filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_kernel." ++ os:getpid()).

families() ->
    [{applications, fun applications/0},
     {logging, fun logging/0},
     {crashes, fun crashes/0},
     {files, fun files/0},
     {code, fun code_functions/0},
     {timers, fun timers/0},
     {names, fun names/0},
     {requests, fun requests/0},
     {system, fun system/0}].

%% ---- An application, as source for Fathom and built for OTP

write_files(Dir) ->
    Source = filename:join(Dir, "source"),
    Src = filename:join(Source, "src"),
    Ebin = filename:join([Dir, "shop", "ebin"]),
    Data = filename:join(Dir, "data"),
    [ok = filelib:ensure_dir(filename:join(D, "x")) || D <- [Src, Ebin, filename:join(Data, "sub")]],
    ok = file:write_file(filename:join(Source, "rebar.config"), "{erl_opts, [debug_info]}.\n"),
    ok = file:write_file(filename:join(Src, "shop.app.src"), application(git, [])),
    ok = file:write_file(filename:join(Ebin, "shop.app"), application("0", [shop_app, shop_sup, shop_till])),
    [begin
         File = filename:join(Src, atom_to_list(Module) ++ ".erl"),
         ok = file:write_file(File, ["-module(", atom_to_list(Module), ").\n", Text]),
         {ok, Module} = compile:file(File, [debug_info, {outdir, Ebin}])
     end || {Module, Text} <- modules()],
    true = code:add_patha(Ebin),
    [ok = file:write_file(filename:join(Data, Name), Text) || {Name, Text} <- data()].

application(Version, Modules) ->
    io_lib:format("~tp.~n", [{application, shop,
        [{description, "A shop"}, {vsn, Version}, {modules, Modules}, {registered, [shop_sup, shop_till]},
         {mod, {shop_app, [opened]}}, {applications, [kernel, stdlib]},
         {env, [{price, 7}, {goods, [tea, "bread"]}]}]}]).

modules() ->
    [{shop_app,
      "-export([start/2, prep_stop/1, stop/1]).\n"
      "start(normal, [opened]) -> {ok, Pid} = shop_sup:start_link(), {ok, Pid, state}.\n"
      "prep_stop(state) -> tell(closing), state.\n"
      "stop(state) -> tell(closed).\n"
      "tell(What) -> case application:get_env(shop, owner) of {ok, Pid} -> Pid ! What; _ -> none end.\n"},
     {shop_sup,
      "-behaviour(supervisor).\n-export([start_link/0, init/1]).\n"
      "start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).\n"
      "init([]) -> {ok, {#{strategy => one_for_all, intensity => 2, period => 60},\n"
      "    [#{id => till, start => {shop_till, start_link, []}, restart => permanent},\n"
      "     #{id => helper, start => {shop_till, start_helper, []}, shutdown => 100}]}}.\n"},
     {shop_till,
      "-behaviour(gen_server).\n-export([start_link/0, start_helper/0, init/1, handle_call/3, handle_cast/2]).\n"
      "start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).\n"
      "start_helper() -> gen_server:start_link(?MODULE, helper, []).\n"
      "init(_) -> {ok, application:get_env(price)}.\n"
      "handle_call(price, _, S) -> {reply, S, S};\n"
      "handle_call(application, _, S) -> {reply, application:get_application(), S};\n"
      "handle_call({print, Text}, _, S) -> {reply, io:put_chars(user, Text), S};\n"
      "handle_call(leader, _, S) -> {reply, group_leader() =:= whereis(user), S};\n"
      "handle_call({exit, Why}, _, S) -> exit(Why).\n"
      "handle_cast(_, S) -> {noreply, S}.\n"}].

data() ->
    [{"plain.txt", "first line\nsecond line\r\nthe last one"},
     {"empty.txt", ""},
     {"bytes.bin", <<0, 255, 10, 13, 10, 128, 7>>},
     {"utf8.txt", <<"gr\x{fc}n \x{4e2d}\n"/utf8>>},
     {"terms.eterm", "%% terms\n{a, 1}.\n[b, \"text\"].\n#{c => 'D'}.\n"},
     {"bad.eterm", "{a, 1}.\n{b, .\n"},
     {"script.erl", "X = 3,\nY = X * N,\n{Y, ?MODULE}.\n"},
     {"good.script", "A = 1, [A, 2 | [length(\"abc\")]].\n"},
     {"long.txt", [[integer_to_list(I), $\n] || I <- lists:seq(1, 3000)]}].

%% own(Fun): what it returns in a process of its own, or how that ended. got(): all
%% messages, in order, once no more come. plain(Term): without what differs from run to run.
%% events(Fun): what is logged meanwhile.
helpers() ->
    "-export([log/2]).\n"
    "own(F) -> {P, R} = spawn_monitor(fun() -> exit({returned, F()}) end),\n"
    "    receive {'DOWN', R, process, P, Why} -> case Why of {returned, V} -> V; _ -> {ended, plain(Why)} end\n"
    "    after 20000 -> hangs end.\n"
    "got() -> receive M -> [M | got()] after 300 -> [] end.\n"
    "t(F) -> try F() catch C:R -> {C, plain(R)} end.\n"
    "with_shop(F) -> own(fun() -> {ok, _} = application:ensure_all_started(shop),\n"
    "    try F() after application:stop(shop), application:unload(shop) end end).\n"
    "price() -> gen_server:call(shop_till, price).\n"
    "names(L) -> lists:sort([element(1, X) || X <- L]).\n"
    "events(F) -> events(notice, F).\n"
    "events(Level, F) -> own(fun() ->\n"
    "    ok = logger:set_handler_config(default, level, none),\n"
    "    ok = logger:add_handler(mine, ?MODULE, #{config => self()}),\n"
    "    ok = logger:set_primary_config(level, Level),\n"
    "    try F(), [plain(E) || {event, E} <- got()]\n"
    "    after logger:set_primary_config(level, none), logger:remove_handler(mine),\n"
    "          logger:set_handler_config(default, level, all) end end).\n"
    "log(#{level := L, msg := M, meta := Meta}, #{config := Pid}) ->\n"
    "    Pid ! {event, {L, M, maps:with([domain, error_logger, mfa], Meta)}}.\n"
    "text(E, C) -> lists:flatten(logger_formatter:format(E, C)).\n"
    "plain(P) when is_pid(P) -> pid;\nplain(R) when is_reference(R) -> ref;\n"
    "plain(F) when is_function(F) -> function;\n"
    "plain([{M, F, A, L} | _]) when is_atom(M), is_atom(F), is_list(L), is_list(A) orelse is_integer(A) -> trace;\n"
    "plain([{K, _} | T]) when K =:= heap_size; K =:= stack_size; K =:= reductions -> plain(T);\n"
    "plain([H | T]) -> [plain(H) | plain(T)];\n"
    "plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));\n"
    "plain(M) when is_map(M) -> maps:map(fun(_, V) -> plain(V) end, M);\nplain(X) -> X.\n"
    "opened(Name, Modes, F) -> {ok, D} = file:open(Name, Modes), try F(D) after file:close(D) end.\n".

own(Texts) -> ["own(fun() -> " ++ T ++ " end)" || T <- Texts].
in_data(Texts) ->
    Data = filename:join(test_dir(), "data"),
    [unicode:characters_to_list(string:replace(T, "DATA", Data, all)) || T <- Texts].

%% ---- Families

applications() ->
    own(["application:start(nosuchapp)", "application:load(nosuchapp)", "application:stop(nosuchapp)", "application:unload(nosuchapp)",
         "application:ensure_all_started(nosuchapp)", "application:get_env(nosuchapp, x)", "application:get_env(nosuchapp, x, default)", "application:get_all_env(nosuchapp)",
         "application:get_key(nosuchapp, vsn)", "application:get_application()", "application:get_application(nosuchmodule)",
         "application:ensure_started(kernel)", "application:start(stdlib)", "lists:member(kernel, names(application:which_applications()))",
         "application:get_env(kernel, logger_level)", "application:get_key(stdlib, registered)",
         "{application:set_env(own, a, 1), application:get_env(own, a), application:unset_env(own, a), application:get_env(own, a)}",
         "{application:set_env([{own, [{a, 1}, {b, 2}]}, {other, [{c, 3}]}]), application:get_env(own, b), application:get_env(other, c)}",
         "t(fun() -> application:start(\"x\") end)", "t(fun() -> application:load([]) end)",
         "{application:load({application, small, [{vsn, \"1\"}, {env, [{k, v}]}]}), application:get_all_env(small), application:start(small), application:stop(small), application:unload(small)}",
         "{application:load({application, needy, [{vsn, \"1\"}, {applications, [nosuchapp]}]}), application:start(needy), application:ensure_all_started(needy), application:unload(needy)}",
         "{application:load({application, broken, [{vsn, \"1\"}, {mod, {nosuchmodule, []}}]}), plain(application:start(broken)), application:unload(broken)}"])
    ++ ["with_shop(fun() -> price() end)",
        "with_shop(fun() -> names(application:which_applications()) end)",
        "with_shop(fun() -> [application:get_key(shop, K) || K <- [description, vsn, modules, registered, mod, applications, start_phases]] end)",
        "with_shop(fun() -> {application:start(shop), application:load(shop), application:ensure_started(shop), application:ensure_all_started(shop)} end)",
        "with_shop(fun() -> gen_server:call(shop_till, application) end)",
        "with_shop(fun() -> {application:get_application(whereis(shop_till)), application:get_application(shop_till), gen_server:call(shop_till, leader)} end)",
        "with_shop(fun() -> {application:get_env(shop, price), application:set_env(shop, price, 8), application:get_env(shop, price), price(), lists:sort(application:get_all_env(shop))} end)",
        "with_shop(fun() -> {application:stop(shop), whereis(shop_sup), application:start(shop), price()} end)",
        "with_shop(fun() -> application:set_env(shop, owner, self()), application:stop(shop), got() end)",
        "with_shop(fun() -> P = whereis(shop_till), R = monitor(process, P), catch gen_server:call(P, {exit, why}), receive {'DOWN', R, _, _, W} -> ok end, timer:sleep(50), {W, price(), whereis(shop_till) =/= P} end)",
        "with_shop(fun() -> [{I, T, M} || {I, _, T, M} <- supervisor:which_children(shop_sup)] end)",
        "with_shop(fun() -> lists:sort(supervisor:count_children(shop_sup)) end)",
        "with_shop(fun() -> {supervisor:terminate_child(shop_sup, helper), supervisor:delete_child(shop_sup, helper), lists:sort(supervisor:count_children(shop_sup))} end)",
        "with_shop(fun() -> P = whereis(shop_sup), R = monitor(process, P), [begin catch gen_server:call(shop_till, {exit, why}), timer:sleep(50) end || _ <- [1, 2, 3]], receive {'DOWN', R, _, _, W} -> ok end, timer:sleep(50), {W, names(application:which_applications())} end)",
        "own(fun() -> {application:load(shop), names(application:loaded_applications()), application:unload(shop)} end)",
        "own(fun() -> {ok, S} = application:ensure_all_started([shop]), application:stop(shop), application:unload(shop), S end)"].

logging() ->
    ["events(fun() -> logger:error(\"x\") end)", "events(fun() -> logger:warning(\"~p ~s\", [1, \"a\"]) end)", "events(fun() -> logger:info(x) end)",
     "events(info, fun() -> logger:info(\"~p\", [x]) end)", "events(fun() -> logger:notice(#{a => 1, b => [c]}) end)", "events(fun() -> logger:critical([{a, 1}]) end)",
     "events(fun() -> logger:log(alert, \"x\", #{domain => [mine]}) end)", "events(debug, fun() -> [logger:log(L, \"x\") || L <- [emergency, alert, critical, error, warning, notice, info, debug]] end)",
     "events(fun() -> logger:error(fun(_) -> {\"~p\", [lazy]} end, x) end)", "events(fun() -> logger:update_process_metadata(#{domain => [a, b]}), logger:error(\"x\"), logger:unset_process_metadata() end)",
     "events(fun() -> logger:set_module_level(?MODULE, error), logger:warning(\"x\"), logger:error(\"y\"), logger:unset_module_level(?MODULE) end)",
     "events(fun() -> logger:add_primary_filter(no, {fun(_, _) -> stop end, x}), logger:error(\"x\"), logger:remove_primary_filter(no), logger:error(\"y\") end)",
     "events(fun() -> logger:add_handler_filter(mine, up, {fun(#{level := L} = E, x) -> E#{msg => {string, atom_to_list(L)}} end, x}), logger:error(\"x\") end)",
     "events(fun() -> logger:set_handler_config(mine, level, critical), logger:error(\"x\"), logger:critical(\"y\") end)",
     "events(fun() -> error_logger:error_msg(\"~p~n\", [x]) end)", "events(fun() -> error_logger:warning_msg(\"w\") end)", "events(fun() -> error_logger:info_msg(\"i ~p\", [1]) end)",
     "events(fun() -> error_logger:error_report([{a, 1}, b]) end)", "events(fun() -> error_logger:warning_report(type, x) end)", "events(fun() -> error_logger:info_report(x) end)", "events(fun() -> error_logger:format(\"~p\", [x]) end)",
     "own(fun() -> {ok, C} = logger:get_handler_config(default), maps:without([config], plain(C)) end)", "lists:sort(maps:keys(maps:get(config, element(2, logger:get_handler_config(default)))))",
     "logger:get_handler_ids()", "logger:get_handler_config(nosuch)", "logger:remove_handler(nosuch)", "logger:add_handler(default, ?MODULE, #{})", "logger:add_handler(x, nosuchmodule, #{})",
     "logger:set_primary_config(level, nosuch)", "logger:set_primary_config(nosuch, x)", "logger:get_primary_config()", "logger:compare_levels(error, info)", "logger:get_module_level()",
     "logger:set_handler_config(default, config, #{type => nosuch})",
     "own(fun() -> R = [logger:update_formatter_config(default, single_line, true), maps:get(formatter, element(2, logger:get_handler_config(default)))], logger:update_formatter_config(default, single_line, false), R end)",
     "text(#{level => error, msg => {\"a ~p\", [1]}, meta => #{time => 0, pid => self()}}, #{legacy_header => true, single_line => false})",
     "text(#{level => notice, msg => {report, #{a => 1, b => \"x\"}}, meta => #{time => 1000001}}, #{legacy_header => true})", "text(#{level => info, msg => {string, \"a\\nb\"}, meta => #{time => 0}}, #{template => [level, \": \", msg]})"].

crashes() ->
    ["events(fun() -> spawn(fun() -> error(why) end) end)", "events(fun() -> spawn(fun() -> throw(why) end) end)", "events(fun() -> spawn(fun() -> exit(why) end) end)", "events(fun() -> spawn(fun() -> ok end) end)",
     "events(fun() -> spawn(nosuchmodule, f, [1]) end)", "events(fun() -> spawn(fun() -> 1 = hd([2]) end) end)", "events(fun() -> P = spawn(fun() -> receive x -> ok end end), exit(P, why) end)",
     "events(fun() -> spawn(fun() -> register(named, self()), error(why) end) end)",
     "events(fun() -> proc_lib:spawn(fun() -> error(why) end) end)", "events(fun() -> proc_lib:spawn(fun() -> exit(why) end) end)", "events(fun() -> proc_lib:spawn(fun() -> exit(shutdown) end) end)", "events(fun() -> proc_lib:spawn(fun() -> throw(why) end) end)",
     "events(fun() -> {ok, P} = gen_event:start(), gen_event:add_handler(P, nosuchmodule, []), gen_event:stop(P) end)",
     "events(fun() -> with_shop(fun() -> catch gen_server:call(shop_till, {exit, why}), timer:sleep(50) end) end)",
     "events(fun() -> with_shop(fun() -> catch gen_server:call(shop_till, nosuchcall), timer:sleep(50) end) end)",
     "events(info, fun() -> with_shop(fun() -> ok end) end)",
     "events(fun() -> process_flag(trap_exit, true), supervisor:start_link(nosuchmodule, []) end)",
     "events(fun() -> {ok, P} = gen_server:start(shop_till, [], []), P ! unexpected, timer:sleep(20), exit(P, kill) end)"].

files() ->
    in_data(own(
        ["file:read_file(\"DATA/" ++ F ++ "\")" || F <- ["plain.txt", "empty.txt", "bytes.bin", "utf8.txt", "none.txt", "sub", "plain.txt/x"]]
        ++ ["file:read_file(\"DATA/plain.txt\\0\")", "file:read_file([])", "file:read_file(x)", "file:read_file(<<\"DATA/plain.txt\">>)", "file:read_file(['DATA', \"/plain\", [$., \"txt\"]])", "t(fun() -> file:read_file({x}) end)",
            "{ok, L} = file:list_dir(\"DATA\"), lists:sort(L)", "file:list_dir(\"DATA/none\")", "file:list_dir(\"DATA/plain.txt\")", "lists:sort(filelib:wildcard(\"*.{txt,eterm}\", \"DATA\"))", "lists:sort(filelib:wildcard(\"**\", \"DATA\"))",
            "filelib:is_file(\"DATA/plain.txt\")", "filelib:is_dir(\"DATA/sub\")", "filelib:is_regular(\"DATA/sub\")", "filelib:file_size(\"DATA/long.txt\")", "filelib:fold_files(\"DATA\", \"txt$\", true, fun(F, A) -> [filename:basename(F) | A] end, []) =/= []",
            "{ok, I} = file:read_file_info(\"DATA/plain.txt\"), [element(N, I) || N <- [1, 2, 3, 4, 8, 9]]", "{ok, I} = file:read_file_info(\"DATA/plain.txt\", [{time, posix}]), is_integer(element(6, I))", "file:read_file_info(\"DATA/none\")", "{ok, I} = file:read_link_info(\"DATA/sub\"), element(3, I)", "file:read_link(\"DATA/plain.txt\")",
            "filelib:last_modified(\"DATA/none\")", "file:consult(\"DATA/terms.eterm\")", "file:consult(\"DATA/bad.eterm\")", "file:consult(\"DATA/none\")", "file:path_consult([\"DATA/sub\", \"DATA\"], \"terms.eterm\")", "file:script(\"DATA/good.script\")", "file:script(\"DATA/script.erl\", [{'N', 5}])", "file:eval(\"DATA/good.script\")", "file:path_open([\"DATA\"], \"none\", [read])",
            "file:format_error(enoent)", "file:open(\"DATA/none\", [read])", "file:open(\"DATA/sub\", [read])", "file:open(\"DATA/none\", [read, raw])", "t(fun() -> file:open(\"DATA/plain.txt\", x) end)",
            "{ok, Old} = file:get_cwd(), R = {file:set_cwd(\"DATA\"), element(2, file:get_cwd()) =:= \"DATA\", file:read_file(\"empty.txt\"), file:set_cwd(\"none\"), filename:absname(\"x\") =:= \"DATA/x\"}, file:set_cwd(Old), R"]
        ++ ["opened(\"DATA/" ++ F ++ "\", " ++ M ++ ", fun(D) -> " ++ T ++ " end)"
            || {F, Ts} <- [{"plain.txt", ["[file:read_line(D) || _ <- [1, 2, 3, 4]]", "[file:read(D, 4), file:position(D, cur), file:read(D, 1000), file:read(D, 1)]", "[file:position(D, {bof, 6}), file:read(D, 4), file:position(D, {eof, -3}), file:read(D, 10), file:position(D, {cur, -5}), file:read(D, 2)]",
                                         "[file:pread(D, 6, 4), file:pread(D, [{0, 2}, {6, 4}, {1000, 1}]), file:read(D, 2)]", "[file:position(D, -1), file:position(D, 1000), file:read(D, 1)]", "file:read(D, 0)"]},
                          {"long.txt", ["(fun R(N) -> case file:read_line(D) of eof -> N; {ok, _} -> R(N + 1) end end)(0)", "[file:position(D, 5000), file:read_line(D), file:read_line(D), file:read(D, 20)]"]},
                          {"empty.txt", ["[file:read_line(D), file:read(D, 1), file:position(D, eof)]"]}],
               T <- Ts, M <- ["[read]", "[read, binary]", "[read, raw, binary]", "[read, raw]", "[read, raw, binary, read_ahead]", "[read, raw, {read_ahead, 7}]"]]
        ++ ["opened(\"DATA/plain.txt\", [read], fun(D) -> [io:get_line(D, \"\"), io:get_chars(D, \"\", 3), io:get_line(D, \"\"), io:get_line(D, \"\"), io:get_line(D, \"\")] end)", "opened(\"DATA/terms.eterm\", [read], fun(D) -> [io:read(D, \"\"), io:read(D, \"\"), io:read(D, \"\"), io:read(D, \"\")] end)",
            "opened(\"DATA/utf8.txt\", [read, {encoding, utf8}], fun(D) -> io:get_line(D, \"\") end)", "opened(\"DATA/utf8.txt\", [read, binary], fun(D) -> file:read_line(D) end)",
            "opened(\"DATA/plain.txt\", [read], fun(D) -> io:setopts(D, [binary]), {io:get_line(D, \"\"), lists:keyfind(encoding, 1, io:getopts(D))} end)",
            "{ok, D} = file:open(\"DATA/plain.txt\", [read]), R = monitor(process, D), ok = file:close(D), receive {'DOWN', R, _, _, W} -> {W, file:read(D, 1)} end", "{ok, D} = file:open(\"DATA/plain.txt\", [read, raw]), [file:close(D), file:read(D, 1), file:close(D)]",
            "S = self(), P = spawn(fun() -> S ! file:open(\"DATA/plain.txt\", [read]), receive x -> ok end end), D = receive {ok, X} -> X end, R = monitor(process, D), P ! x, receive {'DOWN', R, _, _, W} -> W end"])).

code_functions() ->
    own(["code:which(lists) =:= filename:join([code:lib_dir(stdlib), \"ebin\", \"lists.beam\"])", "code:which(nosuchmodule)", "code:which(erlang)", "code:ensure_loaded(lists)", "code:ensure_loaded(nosuchmodule)", "code:load_file(nosuchmodule)", "code:load_file(queue)",
         "element(1, code:is_loaded(lists))", "code:is_loaded(nosuchmodule)", "code:is_loaded(erlang)", "code:lib_dir(nosuchapp)", "code:priv_dir(nosuchapp)", "filename:basename(filename:dirname(code:priv_dir(kernel))) =:= filename:basename(code:lib_dir(kernel))", "code:lib_dir(kernel, ebin) =:= filename:join(code:lib_dir(kernel), \"ebin\")",
         "code:root_dir() =:= filename:dirname(code:lib_dir())", "filename:basename(code:where_is_file(\"kernel.app\"))", "code:where_is_file(\"nosuchfile\")", "code:get_mode()", "code:objfile_extension()", "lists:member(\".\", code:get_path())", "lists:member(code:lib_dir(stdlib) ++ \"/ebin\", code:get_path())",
         "{code:add_path(\"nosuchdir\"), code:add_pathz(\".\"), code:add_patha(code:lib_dir(kernel) ++ \"/src\"), hd(code:get_path()) =:= code:lib_dir(kernel) ++ \"/src\", code:del_path(code:lib_dir(kernel) ++ \"/src\"), hd(code:get_path()) =:= code:lib_dir(kernel) ++ \"/src\", code:del_path(\"nosuchdir\")}",
         "t(fun() -> code:which(\"lists\") end)", "{lists, B, F} = code:get_object_code(lists), {is_binary(B), filename:basename(F)}", "code:get_object_code(nosuchmodule)", "lists:keymember(lists, 1, code:all_loaded())", "code:ensure_modules_loaded([lists, queue])", "code:ensure_modules_loaded([lists, nosuchmodule])",
         "code:is_sticky(lists)", "code:is_sticky(?MODULE)", "code:is_module_native(lists)", "filename:basename(code:which(shop_app))", "code:ensure_loaded(shop_sup)", "lists:keyfind(module, 1, shop_app:module_info()) ", "erlang:module_loaded(lists)",
         "t(fun() -> io_lib:format(\"~p\", []) end)", "t(fun() -> io_lib:format(\"~q\", [x]) end)", "t(fun() -> io:format(\"~p~p\", [1]) end)", "t(fun() -> io_lib:format(x, y) end)", "beam_lib:info(code:which(lists)) =/= []", "t(fun() -> nosuchmodule:f() end)", "t(fun() -> lists:nosuchfunction() end)"]).

timers() ->
    own(["{ok, _} = timer:send_after(10, x), got()", "{ok, _} = timer:apply_after(10, erlang, send, [self(), y]), got()", "{ok, R} = timer:send_interval(20, x), receive x -> ok end, receive x -> ok end, timer:cancel(R)",
         "{ok, R} = timer:send_after(1000, x), {timer:cancel(R), got()}", "{ok, R} = timer:apply_interval(20, erlang, send, [self(), z]), receive z -> ok end, {ok, cancel} = timer:cancel(R), ok", "timer:cancel(x)", "timer:send_after(-1, x)", "timer:apply_after(x, a, b, [])",
         "{ok, R} = timer:apply_after(1000, erlang, send, [self(), y]), {timer:cancel(R), got()}", "{ok, _} = timer:exit_after(10, why), receive x -> x after 1000 -> late end", "{ok, _} = timer:kill_after(10), receive x -> x after 1000 -> late end",
         "{T, V} = timer:tc(fun() -> timer:sleep(20), v end), {T >= 20000, V}", "{T, V} = timer:tc(lists, seq, [1, 3]), {T >= 0, V}", "timer:sleep(5)", "{timer:seconds(2), timer:minutes(1), timer:hours(1), timer:hms(1, 2, 3)}", "T = timer:now_diff({0, 1, 2}, {0, 0, 1}), T",
         "is_pid(whereis(timer_server))", "{ok, _} = timer:send_after(10, self(), x), got()", "register(me, self()), {ok, _} = timer:send_after(10, me, x), got()"]).

names() ->
    own(["{ok, P} = pg:start_link(), pg:join(g, self()), R = {pg:get_members(g) =:= [self()], pg:which_groups(), pg:leave(g, self()), pg:get_members(g), pg:leave(g, self())}, unlink(P), exit(P, kill), R",
         "{ok, P} = pg:start(scope), Q = spawn(fun() -> receive x -> ok end end), pg:join(scope, g, [self(), Q]), A = length(pg:get_local_members(scope, g)), Q ! x, timer:sleep(50), B = length(pg:get_members(scope, g)), exit(P, kill), {A, B}",
         "{global:register_name(g1, self()), global:whereis_name(g1) =:= self(), global:register_name(g1, self()), global:registered_names(), global:unregister_name(g1), global:whereis_name(g1)}",
         "P = spawn(fun() -> receive x -> ok end end), yes = global:register_name(g2, P), P ! x, timer:sleep(50), global:whereis_name(g2)", "t(fun() -> global:send(nosuchname, x) end)", "global:register_name(g3, self()), global:send(g3, hello), global:unregister_name(g3), receive M -> M end",
         "global:trans({lock, self()}, fun() -> done end)", "{global:set_lock({l, self()}), global:del_lock({l, self()})}", "{ok, P} = gen_server:start({global, till}, shop_till, [], []), R = gen_server:call({global, till}, price), exit(P, kill), R",
         "rpc:call(node(), lists, seq, [1, 3])", "plain(rpc:call(node(), erlang, error, [x]))", "rpc:call(node(), timer, sleep, [1000], 10)", "K = rpc:async_call(node(), lists, seq, [1, 2]), rpc:yield(K)", "rpc:multicall(lists, seq, [1, 2])", "rpc:cast(node(), erlang, send, [self(), cast]), got()",
         "erpc:call(node(), fun() -> x end)", "t(fun() -> erpc:call(node(), fun() -> error(why) end) end)", "t(fun() -> erpc:call(node(), fun() -> throw(why) end) end)", "erpc:multicall([node()], lists, seq, [1, 2])", "rpc:parallel_eval([{lists, seq, [1, N]} || N <- [1, 2]])", "rpc:pmap({erlang, abs}, [], [-1, 2])",
         "{node(), nodes(), nodes(this), nodes([visible, hidden]), nodes(known, #{})}", "[is_pid(whereis(N)) || N <- [init, code_server, file_server_2, application_controller, logger, user, rex, kernel_safe_sup, erl_prim_loader]]", "whereis(nosuchname)",
         "t(fun() -> register(logger, self()) end)", "t(fun() -> register(timer_server, self()) end) =/= x", "is_process_alive(whereis(init))"]).

requests() ->
    own(["R = spawn_request(fun() -> exit(x) end), receive {spawn_reply, R, ok, P} -> is_pid(P) end", "R = spawn_request(fun() -> exit(x) end, [monitor]), receive {spawn_reply, R, ok, P} -> receive {'DOWN', R, process, P, W} -> W end end",
         "R = spawn_request(lists, seq, [1, 2], [{reply_tag, done}]), receive {done, R, ok, _} -> ok end", "spawn_request(fun() -> ok end, [{reply, no}]), got()", "spawn_request(fun() -> ok end, [{reply, error_only}]), got()", "spawn_request(fun() -> ok end, [nosuch]), plain(got())", "spawn_request(fun() -> ok end, [nosuch, {reply, success_only}]), plain(got())", "spawn_request(fun() -> ok end, [{reply, nosuch}]), plain(got())",
         "process_flag(trap_exit, true), spawn_request(fun() -> exit(x) end, [link, {reply, no}]), plain(got())", "t(fun() -> spawn_request(x, []) end)", "t(fun() -> spawn_request(fun() -> ok end, x) end)", "R = spawn_request(fun() -> ok end), receive {_, R, _, _} -> spawn_request_abandon(R) end", "t(fun() -> spawn_request_abandon(x) end)",
         "S = self(), P = spawn(fun L() -> receive X -> S ! X, L() end end), true = erlang:suspend_process(P), P ! x, A = got(), I = plain(process_info(self(), suspending)), St = process_info(P, status), true = erlang:resume_process(P), {A, I, St, got()}",
         "S = self(), P = spawn(fun L() -> receive X -> S ! X, L() end end), [erlang:suspend_process(P) || _ <- [1, 2]], P ! x, erlang:resume_process(P), A = got(), erlang:resume_process(P), {A, got()}",
         "S = self(), P = spawn(fun L() -> receive X -> S ! X, L() end end), Q = spawn(fun() -> erlang:suspend_process(P), S ! ready, receive stop -> ok end end), receive ready -> ok end, P ! x, A = got(), Q ! stop, {A, got()}",
         "P = spawn(fun() -> receive x -> ok end end), {erlang:suspend_process(P, [unless_suspending]), erlang:suspend_process(P, [unless_suspending]), erlang:resume_process(P), t(fun() -> erlang:resume_process(P) end)}", "P = spawn(fun() -> receive x -> ok end end), erlang:suspend_process(P, [{asynchronous, tag}]), got()",
         "t(fun() -> erlang:suspend_process(self()) end)", "t(fun() -> erlang:suspend_process(x) end)", "t(fun() -> erlang:suspend_process(self(), [nosuch]) end)", "t(fun() -> erlang:resume_process(self()) end)", "S = self(), P = spawn(fun() -> receive after 20 -> S ! late end end), timer:sleep(1), erlang:suspend_process(P), A = receive late -> early after 100 -> none end, erlang:resume_process(P), {A, got()}",
         "P = spawn(fun() -> receive x -> ok end end), erlang:suspend_process(P), R = monitor(process, P), exit(P, why), receive {'DOWN', R, _, _, W} -> W after 1000 -> alive end",
         "erlang:check_process_code(self(), lists)", "erlang:check_process_code(spawn(fun() -> receive x -> ok end end), lists)", "erlang:check_process_code(self(), lists, [{async, tag}]), got()", "garbage_collect(spawn(fun() -> receive x -> ok end end))", "is_reference(monitor(time_offset, clock_service))", "t(fun() -> monitor(time_offset, x) end)",
         "S = self(), spawn(node(), fun() -> S ! x end), got()", "S = self(), spawn_link(node(), erlang, send, [S, x]), got()", "{P, R} = spawn_monitor(node(), erlang, exit, [x]), receive {'DOWN', R, process, P, W} -> W end", "{P, R} = spawn_opt(node(), fun() -> exit(y) end, [monitor, {priority, low}]), receive {'DOWN', R, process, P, W} -> W end",
         "process_flag(priority, high)", "process_flag(save_calls, 0)", "S = self(), G = group_leader(), P = spawn(fun() -> group_leader(S, self()), S ! group_leader() end), {got() =:= [S], group_leader() =:= G, is_pid(P)}", "S = self(), group_leader(S, S), spawn(fun() -> io:put_chars(\"x\") end), receive {io_request, F, R, Q} -> F ! {io_reply, R, ok}, Q end"]).

system() ->
    own(["init:get_argument(nosuchflag)", "{ok, [[R]]} = init:get_argument(root), R =:= code:root_dir()", "os:type()", "os:getenv(\"NO_SUCH_VARIABLE\")", "os:getenv(\"NO_SUCH_VARIABLE\", \"x\")", "{os:putenv(\"FATHOM_X\", \"y\"), os:getenv(\"FATHOM_X\"), os:unsetenv(\"FATHOM_X\"), os:getenv(\"FATHOM_X\")}", "is_list(os:getenv())",
         "proc_lib:start(proc_lib, init_ack, [{ok, x}])", "{ok, P} = gen_event:start(), R = gen_event:which_handlers(P), gen_event:stop(P), R", "sys:get_state(whereis(application_controller)) =/= x", "error_logger:logfile(filename)", "error_logger:add_report_handler(nosuchmodule) =/= x", "erlang:system_info(otp_release)",
         "element(1, element(2, catch register(user, self())))", "element(1, element(2, catch register(application_controller, self())))", "catch ets:new(ac_tab, [named_table])", "[N || N <- [user, init, code_server, erl_prim_loader, file_server_2, standard_error, logger, rex, kernel_sup], lists:member(N, registered())]",
         "[is_process_alive(whereis(N)) || N <- [user, init, code_server, standard_error]]", "process_info(whereis(init), [registered_name, status, message_queue_len])", "process_info(whereis(user), registered_name)", "[] = [whereis(N) || N <- [user, init, code_server, logger, rex]] -- processes()",
         "erlang:system_info(process_count) =:= length(processes())", "N = length(processes()), P = spawn(fun() -> receive stop -> ok end end), L = length(processes()) - N, exit(P, kill), L",
         "init ! hello", "init ! {self(), {get_argument, nosuchflag}}, receive X -> X after 5000 -> none end", "code_server ! hello", "catch unregister(no_such_name)", "element(1, element(2, catch register(other_name, whereis(user))))",
         "U = whereis(user), true = unregister(user), A = whereis(user), B = (catch user ! x), register(user, self()), user ! x, C = receive x -> y end, unregister(user), register(user, U), {A, element(1, element(2, B)), C, whereis(user) =:= U}"]).
