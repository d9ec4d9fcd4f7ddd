%% Hundreds of expressions at once: they go into one generated module whose all/0
%% evaluates them; it runs here and in Fathom. Where Fathom gives no result for a batch,
%% its halves are tried, so that one bad expression does not hide the others.
%%
%% Whoever includes this has helpers/0: the text of functions that expressions may call. It
%% may define ARGUMENTS, what Fathom is told beside the module; and PARALLEL: so many
%% expressions are evaluated at once in OTP, those of concurrent programs, which wait most
%% of the time.
-ifndef(ARGUMENTS).
-define(ARGUMENTS, []).
-endif.

%% All families {Name, Fun} of texts, or those that are named.
check_families(Title, Families, Wanted) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), lists:concat(["fathom_", Title, ".", os:getpid()])),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Counts = [check_texts(Dir, Name, Texts())
              || {Name, Texts} <- Families, Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir),
    {Passed, Failed} = lists:unzip(Counts),
    summary(lists:sum(Passed), lists:sum(Failed)).

%% Shows what differs, and returns how many passed and failed.
check_texts(Dir, Name, Texts) ->
    Module = lists:concat(["batch_", Name]),
    Results = [asked_again(Dir, Module, R)
               || Batch <- chunks(Texts), R <- check_batch(Dir, Module, Batch)],
    Failures = [R || {different, _, _, _} = R <- Results],
    [io:format("DIFFERENT ~ts~n  expected ~ts~n  got      ~ts~n", [T, shown(E), shown(G)])
     || {different, T, E, G} <- lists:sublist(Failures, 25)],
    io:format("~w: ~w expressions, ~w different~n", [Name, length(Results), length(Failures)]),
    {length(Results) - length(Failures), length(Failures)}.

chunks([]) -> [];
chunks(Texts) ->
    {Some, Others} = lists:split(min(400, length(Texts)), Texts),
    [Some | chunks(Others)].

check_batch(Dir, Module, Texts) ->
    File = write_module(Dir, Module, Texts),
    Expected = expected(File),
    compare_results(Dir, Module, Texts, Expected, fathom_results(File, Module)).

compare_results(_, _, Texts, Expected, {ok, Got}) when length(Got) =:= length(Texts) ->
    [case E =:= G of
         true -> same;
         false -> {different, T, E, G}
     end || {T, E, G} <- lists:zip3(Texts, Expected, Got)];
compare_results(_, _, [Text], [E], Problem) ->
    [{different, Text, E, Problem}];
compare_results(Dir, Module, Texts, _, _) ->
    {Some, Others} = lists:split(length(Texts) div 2, Texts),
    check_batch(Dir, Module, Some) ++ check_batch(Dir, Module, Others).

write_module(Dir, Module, Texts) ->
    File = filename:join(Dir, Module ++ ".erl"),
    ok = file:write_file(File, unicode:characters_to_binary(module_text(Module, Texts))),
    File.

module_text(Module, Texts) ->
    Numbered = lists:zip(lists:seq(1, length(Texts)), Texts),
    ["-module(", Module, ").\n-export([all/0, each/0]).\n-compile([nowarn_unused_function, nowarn_unused_vars]).\n",
     helpers(),
     "all() -> [R() || R <- each()].\n"
     "each() -> [", lists:join(",\n", [io_lib:format("fun r~w/0", [N]) || {N, _} <- Numbered]), "].\n",
     [["r", integer_to_list(N), "() -> try {value, begin ", T, "\n end} catch C:R -> {C, R} end.\n"]
      || {N, T} <- Numbered]].

expected(File) ->
    case compile:file(File, [binary, return]) of
        {ok, Module, Beam, _} ->
            {module, Module} = code:load_binary(Module, File, Beam),
            Results = evaluated(Module),
            code:purge(Module),
            code:delete(Module),
            Results;
        Error ->
            io:format("~ts: ~tp~n", [File, Error]),
            halt(1)
    end.

-ifdef(PARALLEL).
evaluated(Module) -> in_parallel(Module:each(), [], ?PARALLEL).

%% Results in the order of the funs. Running: those under way, the latest first.
in_parallel([Fun | Funs], Running, Free) when Free > 0 ->
    in_parallel(Funs, [spawn_monitor(fun() -> exit({result, Fun()}) end) | Running], Free - 1);
in_parallel(Funs, Running, Free) ->
    case lists:reverse(Running) of
        [] -> [];
        [{Pid, Ref} | Later] ->
            receive {'DOWN', Ref, process, Pid, {result, Result}} -> [Result | in_parallel(Funs, lists:reverse(Later), Free + 1)] end
    end.

%% Among many others, on a busy machine, OTP's processes can be later than the time that a program
%% leaves them. So what differs is asked of OTP again, alone: one of its answers must be Fathom's.
asked_again(_, _, same) -> same;
asked_again(Dir, Module, {different, Text, _, Got} = Difference) ->
    IsSame = fun(_) -> expected(write_module(Dir, Module, [Text])) =:= [Got] end,
    case lists:any(IsSame, lists:seq(1, 5)) of
        true -> same;
        false -> Difference
    end.
-else.
evaluated(Module) -> Module:all().

asked_again(_, _, Result) -> Result.
-endif.

%% What its processes die of would be logged before the value.
fathom_results(File, Module) ->
    Expression = "logger:set_primary_config(level, none), " ++ Module ++ ":all()",
    fathom_value([File, "-e", Expression | ?ARGUMENTS]).
