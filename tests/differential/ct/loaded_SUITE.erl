-module(loaded_SUITE).
-compile([export_all, nowarn_export_all]).
-include_lib("common_test/include/ct.hrl").
%% Code that a suite compiles into its private directory and loads from there.
all() -> [abs_path, from_path, from_current, again, old_code, soft_purged, atomic, prepared, checksums, compiled_by_c,
          found, started_by_name].
written(Config, Module, Body) ->
    File = filename:join(?config(priv_dir, Config), lists:concat([Module, ".erl"])),
    ok = file:write_file(File, ["-module(", atom_to_list(Module), ").\n-export([f/0, wait/0]).\nf() -> ", Body,
                                ".\nwait() -> receive stop -> ok end.\n"]),
    File.
compiled(Config, Module, Body) ->
    {ok, Module} = compile:file(written(Config, Module, Body), [{outdir, ?config(priv_dir, Config)}]),
    filename:join(?config(priv_dir, Config), atom_to_list(Module)).
code(Config, Module, Body) ->
    {ok, Module, Code} = compile:file(written(Config, Module, Body), [binary]),
    Code.
gone(Module) -> code:purge(Module), code:delete(Module), code:purge(Module).
abs_path(Config) ->
    {module, ld1} = code:load_abs(compiled(Config, ld1, "1")),
    1 = ld1:f(),
    true = filename:extension(code:which(ld1)) =:= ".beam",
    {error, nofile} = code:load_abs(filename:join(?config(priv_dir, Config), "nothing")),
    gone(ld1).
from_path(Config) ->
    compiled(Config, ld2, "2"),
    {'EXIT', {undef, _}} = (catch ld2:f()),
    true = code:add_patha(?config(priv_dir, Config)),
    2 = ld2:f(),
    true = code:del_path(?config(priv_dir, Config)),
    gone(ld2),
    {'EXIT', {undef, _}} = (catch ld2:f()),
    ok.
from_current(Config) ->
    {ok, Old} = file:get_cwd(),
    compiled(Config, ld3, "3"),
    ok = file:set_cwd(?config(priv_dir, Config)),
    {module, ld3} = code:ensure_loaded(ld3),
    ok = file:set_cwd(Old),
    3 = ld3:f(),
    gone(ld3).
again(Config) ->
    true = code:add_patha(?config(priv_dir, Config)),
    [begin compiled(Config, ld4, V), code:purge(ld4), {module, ld4} = code:load_file(ld4), I = list_to_integer(V), I = ld4:f() end
     || V <- ["1", "2", "3"]],
    true = code:del_path(?config(priv_dir, Config)),
    gone(ld4).
old_code(Config) ->
    {module, ld5} = code:load_binary(ld5, "ld5", code(Config, ld5, "1")),
    {Pid, Monitor} = spawn_monitor(ld5, wait, []),
    receive after 10 -> ok end,
    false = erlang:check_process_code(Pid, ld5),
    {module, ld5} = code:load_binary(ld5, "ld5", code(Config, ld5, "2")),
    true = erlang:check_process_code(Pid, ld5),
    false = erlang:check_process_code(self(), ld5),
    async = erlang:check_process_code(Pid, ld5, [{async, tag}]),
    receive {check_process_code, tag, true} -> ok end,
    true = code:purge(ld5),
    receive {'DOWN', Monitor, process, Pid, killed} -> ok end,
    gone(ld5).
soft_purged(Config) ->
    [{module, ld6} = code:load_binary(ld6, "ld6", code(Config, ld6, V)) || V <- ["1", "2"]],
    true = erlang:check_old_code(ld6),
    true = code:soft_purge(ld6),
    false = erlang:check_old_code(ld6),
    gone(ld6).
atomic(Config) ->
    Codes = [{M, atom_to_list(M), code(Config, M, V)} || {M, V} <- [{ld7, "7"}, {ld8, "8"}]],
    ok = code:atomic_load(Codes),
    {7, 8} = {ld7:f(), ld8:f()},
    [gone(M) || M <- [ld7, ld8]].
prepared(Config) ->
    {ok, Prepared} = code:prepare_loading([{ld9, "ld9", code(Config, ld9, "9")}]),
    false = code:is_loaded(ld9),
    ok = code:finish_loading(Prepared),
    9 = ld9:f(),
    gone(ld9).
checksums(Config) ->
    Code = code(Config, ld10, "10"),
    Sum = code:module_md5(Code),
    {ok, {ld10, Sum}} = beam_lib:md5(Code),
    true = code:module_md5(code(Config, ld10, "11")) =/= Sum,
    Sum = code:module_md5(code(Config, ld10, "10")).
compiled_by_c(Config) ->
    File = written(Config, ld11, "11"),
    {ok, ld11} = c:c(File, [{outdir, ?config(priv_dir, Config)}]),
    11 = ld11:f(),
    error = c:c(written(Config, ld11, "X"), [{outdir, ?config(priv_dir, Config)}]),
    gone(ld11).
found(Config) ->
    Beam = compiled(Config, ld12, "12") ++ ".beam",
    true = code:add_patha(?config(priv_dir, Config)),
    Beam = code:where_is_file("ld12.beam"),
    {ld12, Code, Beam} = code:get_object_code(ld12),
    {ok, Code} = file:read_file(Beam),
    {ok, Code, _} = erl_prim_loader:get_file(Beam),
    {ok, Names} = erl_prim_loader:list_dir(?config(priv_dir, Config)),
    true = lists:member("ld12.beam", Names),
    true = code:del_path(?config(priv_dir, Config)).
started_by_name(Config) ->
    compiled(Config, ld13, "13"),
    true = code:add_pathz(?config(priv_dir, Config)),
    {Pid, Monitor} = spawn_monitor(ld13, f, []),
    receive {'DOWN', Monitor, process, Pid, normal} -> ok end,
    13 = apply(ld13, f, []),
    true = code:del_path(?config(priv_dir, Config)),
    gone(ld13).
