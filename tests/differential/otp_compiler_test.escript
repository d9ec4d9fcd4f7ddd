#!/usr/bin/env escript
%%! +S 2
%% OTP's own compiler, running on Fathom's machine, compiles modules of stdlib to the
%% same bytes as under erl.
%%
%% The forms come from the modules' debug info and travel in a generated module, as a
%% literal; Fathom gives back the MD5 of each result.
%%
%%   otp_compiler_test.escript [MODULE... | all]
-mode(compile).
-include("fathom_port.hrl").

main([]) -> main([atom_to_list(M) || M <- modules()]);
main(["all"]) ->
    main([filename:rootname(filename:basename(F))
          || F <- filelib:wildcard(filename:join(code:lib_dir(stdlib, ebin), "*.beam"))]);
main(Names) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_otp_compiler." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Results = lists:append([check(Dir, Batch) || Batch <- batches([list_to_atom(N) || N <- Names])]),
    file:delete(filename:join(Dir, "compile_all.erl")),
    file:del_dir(Dir),
    Failed = [R || {_, different} = R <- Results],
    summary(length(Results) - length(Failed), length(Failed)).

%% What a few seconds allow: small and large ones, with and without records, binaries,
%% exceptions, generated code.
modules() ->
    [lists, maps, orddict, ordsets, dict, gb_trees, gb_sets, queue, array, proplists, base64,
     string, calendar, uri_string, erl_scan, erl_anno, io_lib, io_lib_pretty, math, filename,
     unicode, gen_server, supervisor, proc_lib, ets, digraph, rand, erl_eval, sofs, sys, timer].

batches([]) -> [];
batches(Modules) ->
    {Some, Others} = lists:split(min(10, length(Modules)), Modules),
    [Some | batches(Others)].

check(Dir, Modules) ->
    Expected = [{M, compiled(forms(M))} || M <- Modules],
    Got = fathom_results(Dir, Modules),
    [begin
         Result = case lists:keyfind(M, 1, Got) of {M, E} -> same; _ -> different end,
         Result =:= different andalso
             io:format("~w: expected ~w, got ~p~n", [M, E, lists:keyfind(M, 1, Got)]),
         {M, Result}
     end || {M, E} <- Expected].

forms(Module) ->
    {ok, {Module, [{debug_info, {debug_info_v1, Backend, Data}}]}} =
        beam_lib:chunks(code:which(Module), [debug_info]),
    {ok, Forms} = Backend:debug_info(erlang_v1, Module, Data, []),
    Forms.

compiled(Forms) ->
    {ok, _, Beam} = compile:noenv_forms(Forms, [binary, deterministic]),
    {byte_size(Beam), erlang:md5(Beam)}.

fathom_results(Dir, Modules) ->
    Packed = [{M, base64:encode(term_to_binary(forms(M), [compressed]))} || M <- Modules],
    File = filename:join(Dir, "compile_all.erl"),
    ok = file:write_file(File, [
        "-module(compile_all).\n-export([run/0]).\n"
        "run() -> [compiled(M, Packed) || {M, Packed} <- modules()].\n"
        "compiled(M, Packed) ->\n"
        "    try compile:noenv_forms(binary_to_term(base64:decode(Packed)), [binary, deterministic]) of\n"
        "        {ok, M, Beam} -> {M, {byte_size(Beam), erlang:md5(Beam)}};\n"
        "        Other -> {M, Other}\n"
        "    catch C:R -> {M, {C, R}} end.\n"
        "modules() -> [", lists:join(",\n", [io_lib:format("{~p, <<\"~s\">>}", [M, P]) || {M, P} <- Packed]),
        "].\n"]),
    case fathom_value([File, "-e", "compile_all:run()"]) of
        {ok, Results} -> Results;
        {exit, Status, Output} ->
            io:format("fathom ended with ~w: ~ts~n", [Status, Output]),
            []
    end.
