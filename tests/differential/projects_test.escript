#!/usr/bin/env escript
%%! +S 2 +pc unicode
%% The projects of tests/projects, one for each way in which people lay out and configure theirs:
%% `fathom test`, the project's own tool (rebar3 eunit and rebar3 ct, or OTP's compiler and eunit), and
%% `fathom check --eunit --ct` find the same tests, with the same results.
%%
%%   projects_test.escript [PROJECT...]
-mode(compile).
-include("json.hrl").
-include("ct_log.hrl").

main(Wanted) ->
    Here = filename:dirname(filename:absname(escript:script_name())),
    Dir = filename:join([filename:dirname(Here), "projects"]),
    {ok, Names} = file:list_dir(Dir),
    Work = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_projects." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Work, "x")),
    Counts = [project(N, filename:join(Dir, N), Work)
              || N <- lists:sort(Names), Wanted =:= [] orelse lists:member(N, Wanted)],
    os:cmd("rm -r '" ++ Work ++ "'"),
    {Passed, Failed} = lists:unzip(Counts),
    io:format("~b passed, ~b failed~n", [lists:sum(Passed), lists:sum(Failed)]),
    halt(min(1, lists:sum(Failed))).

project(Name, Source, Work) ->
    Copy = filename:join(Work, root_name(Name)),
    os:cmd(lists:flatten(io_lib:format("cp -r '~ts' '~ts'", [Source, Copy]))),
    Before = prepare(Name, Copy),
    Theirs = lists:sort(own_tool(Copy, Work)),
    % What rebar3 has built is not needed, but for what hooks have made.
    os:cmd("rm -rf '" ++ Copy ++ "/_build'"),
    Ours = lists:sort(fathom_test(Copy)),
    Checked = lists:sort(fathom_check(Copy)),
    sum([Before, compare(Name, "fathom test", Theirs, Ours),
         compare(Name, "fathom check", lists:sort([{T, kind(R)} || {T, R} <- Theirs]), Checked)]).

sum(Counts) ->
    {Passed, Failed} = lists:unzip(Counts),
    {lists:sum(Passed), lists:sum(Failed)}.

compare(_, _, [_ | _] = Same, Same) -> {length(Same), 0};
compare(Name, What, Theirs, Ours) ->
    io:format("~ts, ~ts:~n  only there ~tp~n  only here  ~tp~n", [Name, What, Theirs -- Ours, Ours -- Theirs]),
    {length(Theirs) - length(Theirs -- Ours), max(1, length(Theirs -- Ours))}.

%% A check knows bugs; what is skipped has none.
kind(failed) -> bug;
kind(_) -> clean.

%% erlang.mk's application is called as its directory, for -include_lib in OTP.
root_name("erlang_mk") -> "mk";
root_name(Name) -> Name.

%% What is to be there before anything runs, and what is seen then.
prepare("beam_only", Dir) ->
    sh(Dir, "for m in sealed sealed_tests; do cp $m.erl.txt $m.erl && "
            "erlc +debug_info -DTEST -o ebin $m.erl && rm $m.erl $m.erl.txt; done"),
    {0, 0};
prepare("generated_header", Dir) ->
    % Without the header: unknown, and the hooks are named.
    Out = sh(Dir, "$FATHOM test 2>&1; echo code $?"),
    case {string:find(Out, "hooks in rebar.config are not run"), string:find(Out, "code 1")} of
        {[_ | _], [_ | _]} -> {1, 0};
        _ -> io:format("generated_header: ~ts~n", [Out]), {0, 1}
    end;
prepare(_, _) -> {0, 0}.

sh(Dir, Command) -> os:cmd("cd '" ++ Dir ++ "' && " ++ Command).

%% ---- The project's own tool

own_tool(Dir, Work) ->
    Has = fun(Pattern) -> filelib:wildcard(Pattern, Dir) =/= [] end,
    case Has("rebar.config") orelse Has("src/*.app.src") of
        true -> rebar3(Dir, Has);
        false ->
            Has("Emakefile") andalso sh(Dir, "erl -make"),
            Has("Emakefile") orelse
                sh(Dir, "mkdir -p ebin; for d in deps/*; do test -d $d && erlc -o $d/ebin $d/src/*.erl; done; "
                        "for f in src/*.erl test/*.erl; do test -f $f && ERL_LIBS='" ++ Work ++
                        "' erlc +debug_info -DTEST -DEUNIT -Dflag=4 -I include -o ebin $f; done"),
            Modules = [filename:basename(F, ".beam") || F <- filelib:wildcard("ebin/*.beam", Dir)],
            Tests = [M || M <- Modules, not lists:member(M ++ "_tests", Modules)] ++
                    [M || M <- Modules, lists:member(M ++ "_tests", Modules)],
            Wanted = lists:usort([M || M <- Tests, not lists:suffix("_tests", M) orelse
                                                   not lists:member(lists:sublist(M, length(M) - 6), Modules)]),
            Out = sh(Dir, lists:flatten(io_lib:format(
                "erl -noinput -pa ebin -pa deps/*/ebin -eval 'eunit:test([~ts], [verbose]), halt().' 2>&1",
                [lists:join(", ", Wanted)]))),
            Has("src/*.erl") andalso sh(Dir, "rm -f ebin/*.beam deps/*/ebin/*.beam"),
            eunit_lines(Out)
    end.

rebar3(Dir, Has) ->
    Eunit = eunit_lines(sh(Dir, "rebar3 eunit -v 2>&1")),
    Ct = case Has("test/*_SUITE.erl") of
             false -> [];
             true ->
                 sh(Dir, "rebar3 ct 2>&1"),
                 lists:append([ct_cases(F) || F <- filelib:wildcard(
                     filename:join(Dir, "_build/test/logs/ct_run*/*/run*/suite.log"))])
         end,
    Eunit ++ [{M ++ ":" ++ F, R} || {M, F, R} <- Ct].

%% "  shop_tests: empty_test...ok", "  m:15: -all_test_/0-fun-3- (one)...[0.001 s] ok".
eunit_lines(Out) ->
    lists:flatmap(
      fun(Line) ->
              Pattern = "^ *([a-z]\\w*):(?:[0-9]+:)? (?:-?)([a-z]\\w*)(?:/0-fun-[0-9]+-)?.*\\.\\.\\."
                        "(?:\\[[0-9.]+ s\\] )?(ok|\\*failed\\*|\\*skipped\\*|\\*timed out\\*)",
              case re:run(Line, Pattern, [{capture, all_but_first, list}]) of
                  {match, [M, F, "ok"]} -> [{M ++ ":" ++ F, ok}];
                  {match, [M, F, _]} -> [{M ++ ":" ++ F, failed}];
                  nomatch -> []
              end
      end, string:split(Out, "\n", all)).

%% ---- Fathom

fathom_test(Dir) ->
    Document = json(unicode:characters_to_binary(sh(Dir, "$FATHOM test --format json 2>/dev/null"))),
    [{unicode:characters_to_list([M, ":", F]), own(T)}
     || #{<<"module">> := M, <<"function">> := F, <<"group">> := false} = T <- maps:get(<<"tests">>, Document)].

own(#{<<"status">> := <<"passed">>}) -> ok;
own(#{<<"status">> := <<"skipped">>, <<"left_out">> := true}) -> skipped;
own(#{<<"status">> := <<"skipped">>}) -> auto_skipped;
own(#{<<"status">> := Status}) -> binary_to_atom(Status).

fathom_check(Dir) ->
    Document = json(unicode:characters_to_binary(
                      sh(Dir, "$FATHOM check --eunit --ct --time-limit 60 --format json 2>/dev/null"))),
    [{hd(string:split(unicode:characters_to_list(Test), "(")), binary_to_atom(Verdict)}
     || #{<<"test">> := Test, <<"verdict">> := Verdict} <- maps:get(<<"tests">>, Document)].
