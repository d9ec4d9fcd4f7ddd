#!/usr/bin/env escript
%%! +S 2 +pc unicode
%% The modules of eunit/, whose tests are of every form that EUnit knows, under OTP's eunit
%% and under `fathom test`: the same tests, with the same titles, lines and output, and the
%% same results. What EUnit gives up (the rest of a module behind a generator that fails),
%% Fathom runs: where OTP's list of results ends so, it need only be how Fathom's begins.
%%
%% And under `fathom check --eunit`, function by function: what fails is a bug, what passes is none.
%% There, tests in parallel are one test, and those after one that hangs are not given up.
%%
%%   eunit_test.escript [MODULE...]
-mode(compile).
-include("json.hrl").

main(Wanted) ->
    logger:set_primary_config(level, none),
    Dir = filename:join(filename:dirname(escript:script_name()), "eunit"),
    Files = [F || F <- filelib:wildcard(filename:join(Dir, "*.erl")),
                  Wanted =:= [] orelse lists:member(filename:basename(F, ".erl"), Wanted)],
    Build = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_eunit." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Build, "x")),
    code:add_patha(Build),
    [{ok, _} = compile:file(F, [{d, 'TEST'}, {d, 'EUNIT'}, {outdir, Build}, report_errors])
     || F <- filelib:wildcard(filename:join(Dir, "*.erl"))],
    Counts = [check(F) || F <- Files] ++ [check_interleavings(F) || F <- Files],
    [file:delete(F) || F <- filelib:wildcard(filename:join(Build, "*"))],
    file:del_dir(Build),
    {Passed, Failed} = lists:unzip(Counts),
    io:format("~b passed, ~b failed~n", [lists:sum(Passed), lists:sum(Failed)]),
    halt(min(1, lists:sum(Failed))).

check(File) ->
    Module = list_to_atom(filename:basename(File, ".erl")),
    Ours = [ours(T) || T <- maps:get(<<"tests">>, fathom(Module, filename:dirname(File)))],
    {Theirs, How} = otp(Module, File),
    compare(Module, Theirs, Ours, How).

compare(_, [], [], _) -> {0, 0};
compare(_, [], _, cut_short) -> {0, 0};
compare(Module, [Same | Theirs], [Same | Ours], How) ->
    {Passed, Failed} = compare(Module, Theirs, Ours, How),
    {Passed + 1, Failed};
compare(Module, Theirs, Ours, _) ->
    First = fun([]) -> nothing; ([T | _]) -> T end,
    io:format("~p:~n  OTP     ~tp~n  Fathom  ~tp~n", [Module, First(Theirs), First(Ours)]),
    {0, 1}.

%% ---- check --eunit

check_interleavings(File) ->
    Module = list_to_atom(filename:basename(File, ".erl")),
    Dir = filename:dirname(File),
    Run = by_function([{maps:get(<<"function">>, T), maps:get(<<"status">>, T)}
                       || T <- maps:get(<<"tests">>, fathom(Module, Dir))]),
    Checked = by_function([{function(maps:get(<<"test">>, T)), maps:get(<<"verdict">>, T)}
                           || T <- maps:get(<<"tests">>, fathom("check", ["--eunit"], Module, Dir))]),
    Wrong = [F || F <- maps:keys(Run) -- uncaptured(), not agree(maps:get(F, Run), maps:get(F, Checked, []))],
    [io:format("~p: ~ts~n  run      ~tp~n  checked  ~tp~n",
               [Module, F, maps:get(F, Run), maps:get(F, Checked, [])]) || F <- Wrong],
    {map_size(Run) - length(Wrong), length(Wrong)}.

%% A check captures no output.
uncaptured() -> [<<"captured_test">>].

by_function(Pairs) ->
    lists:foldr(fun({F, X}, Map) -> maps:update_with(F, fun(Xs) -> [X | Xs] end, [X], Map) end, #{}, Pairs).

function(Test) ->
    {match, [F]} = re:run(Test, ":([^(]*)\\(", [{capture, all_but_first, binary}]),
    F.

%% What EUnit skips since there is no such function is an error for the check.
agree([<<"skipped">>], [_]) -> true;
agree(_, []) -> false;
agree(Run, [One]) when length(Run) > 1 -> lists:member(<<"failed">>, Run) =:= (One =:= <<"bug">>);
agree([_ | _] = Run, Checked) when length(Run) < length(Checked) ->
    agree(Run, lists:sublist(Checked, length(Run)));
agree(Run, Checked) ->
    [S =:= <<"failed">> || S <- Run] =:= [V =:= <<"bug">> || V <- Checked].

%% ---- Fathom

fathom(Module, Dir) -> fathom("test", [], Module, Dir).

fathom(Command, Options, Module, Dir) ->
    Arguments = [Command, "--format", "json", "--filter", atom_to_list(Module) ++ ":*" | Options],
    Port = open_port({spawn_executable, os:getenv("FATHOM", "build/fathom")},
                     [binary, exit_status, {args, Arguments ++ [Dir]}]),
    json(iolist_to_binary(output(Port))).

output(Port) ->
    receive
        {Port, {data, Bytes}} -> [Bytes | output(Port)];
        {Port, {exit_status, _}} -> []
    end.

ours(T) ->
    Get = fun(Key) -> maps:get(Key, T, <<>>) end,
    Kind = case Get(<<"kind">>) of <<"deadlock">> -> <<"timeout">>; K -> K end,
    Line = case maps:is_key(<<"expected">>, T) of
               true -> maps:get(<<"end_line">>, Get(<<"location">>));
               false -> none
           end,
    #{group => Get(<<"group">>), titles => Get(<<"titles">>), line => maps:get(<<"line">>, T, 0),
      status => Get(<<"status">>), kind => Kind, assert_line => Line,
      message => message(Kind, Get(<<"message">>)), comment => Get(<<"comment">>),
      expected => Get(<<"expected">>), got => Get(<<"got">>), output => Get(<<"output">>)}.

%% Only where it is about an exception.
message(<<"timeout">>, _) -> <<>>;
message(_, Message) -> Message.

%% ---- OTP

%% In the order of the source, which is Fathom's.
functions(Module, File) ->
    {ok, Forms} = epp:parse_file(File, [{macros, ['TEST', 'EUNIT']}]),
    Exports = Module:module_info(exports),
    [case lists:suffix("_test", atom_to_list(F)) of
         true -> {test, Module, F};
         false -> {generator, Module, F}
     end || {function, _, F, 0, _} <- Forms, lists:member({F, 0}, Exports),
            re:run(atom_to_list(F), "_test_?$") =/= nomatch].

otp(Module, File) ->
    Tests = functions(Module, File),
    Described = case erlang:function_exported(Module, eunit_wrapper_, 1) of
                    true -> {generator, fun() -> Module:eunit_wrapper_(Tests) end};
                    false -> Tests
                end,
    Self = self(),
    Super = spawn(fun() -> collect(Self, []) end),
    {ok, Reference} = eunit_server:start_test(eunit_server, Super, Described, []),
    receive {done, Reference} -> Super ! stop end,
    receive {events, Events} -> results(Events, #{}, [], whole) end.

%% The events as they happen. EUnit's listeners get them in the order of the tests, but
%% whether they are told that a group has begun whose end is near is a matter of luck.
collect(To, Events) ->
    receive
        {status, Id, Info} -> collect(To, [{Id, Info} | Events]);
        stop -> To ! {events, lists:reverse(Events)}
    end.

%% Open: what has begun and not ended, by its id. Done: {Id, Result}.
results([{Id, {progress, 'begin', {Type, Data}}} | Events], Open, Done, How) ->
    Own = case proplists:get_value(desc, Data) of
              undefined -> [];
              Title -> [unicode:characters_to_binary(Title)]
          end,
    Line = proplists:get_value(line, Data, 0),
    Item = (result())#{group := Type =:= group, titles := titles(Id, Open) ++ Own, line := Line},
    results(Events, Open#{Id => Item}, Done, How);
results([{Id, {progress, 'end', {Status, Data}}} | Events], Open, Done, How) ->
    case maps:take(Id, Open) of
        {#{group := true}, Rest} -> results(Events, Rest, Done, How);
        {Item, Rest} ->
            Output = unicode:characters_to_binary(proplists:get_value(output, Data)),
            Result = maps:merge(Item#{output := Output}, status(Status)),
            results(Events, Rest, [{Id, Result} | Done], How)
    end;
results([{Id, {cancel, Reason}} | Events], Open, Done, How) ->
    Below = [I || I <- maps:keys(Open), lists:prefix(Id, I)],
    Cut = if Id =:= [] -> cut_short; true -> How end,
    results(Events, maps:without(Below, Open), cancel(Reason, blamed(Below, Open), Open) ++ Done, Cut);
results([], _, Done, How) ->
    {[Result || {_, Result} <- lists:sort(Done)], How}.

titles([], _) -> [];
titles(Id, Open) ->
    #{titles := Titles} = maps:get(lists:droplast(Id), Open, result()),
    Titles.

%% The tests that have been running or, where there are none, the innermost group.
blamed(Ids, Open) ->
    case [I || I <- Ids, not maps:get(group, maps:get(I, Open))] of
        [] -> [lists:last(lists:sort([[] | Ids]))];
        Tests -> Tests
    end.

cancel({blame, _}, _, _) -> [];
cancel(Reason, [[]], _) -> [{[behind_all], maps:merge(result(), cancelled(Reason))}];
cancel(Reason, Ids, Open) -> [cancel_item(Reason, I, maps:get(I, Open)) || I <- Ids].

cancel_item(Reason, Id, #{group := IsGroup} = Item) ->
    {if IsGroup -> Id ++ [behind_all]; true -> Id end, maps:merge(Item, cancelled(Reason))}.

result() ->
    #{group => true, titles => [], line => 0, status => <<"passed">>, kind => <<>>,
      assert_line => none, message => <<>>, comment => <<>>, expected => <<>>, got => <<>>,
      output => <<>>}.

cancelled({abort, Cause}) -> (aborted(Cause))#{status => <<"failed">>};
cancelled({exit, Reason}) ->
    #{status => <<"failed">>, kind => <<"killed">>,
      message => text("the test's process was terminated by an exit signal: ~0tp", [Reason])};
cancelled(_) -> #{status => <<"failed">>, kind => <<"timeout">>}.

aborted({setup_failed, E}) -> in(<<"fixture">>, "the setup", E);
aborted({cleanup_failed, E}) -> in(<<"fixture">>, "the cleanup", E);
aborted({instantiation_failed, E}) -> in(<<"fixture">>, "the instantiator", E);
aborted({generator_failed, {_, E}}) -> in(<<"generator">>, "the generator", E);
aborted({bad_generator, {{M, F, A}, Term}}) ->
    #{kind => <<"generator">>,
      message => text("the generator (~w:~w/~w) did not return tests but ~0tp", [M, F, A, Term])};
aborted({{bad_instantiator, {{M, F, _}, Term}}, _}) ->
    [_, In | _] = string:split(atom_to_list(F), "-", all),
    #{kind => <<"fixture">>,
      message => text("the instantiator (a fun in ~w:~ts) did not return tests but ~0tp", [M, In, Term])};
aborted({bad_test, Term}) ->
    #{kind => <<"description">>, message => text("this is not a test: ~0tp", [Term])};
aborted({no_such_function, {M, F, A}}) ->
    #{kind => <<"description">>, message => text("there is no function ~w:~w/~w", [M, F, A])}.

in(Kind, What, {Class, Reason, _}) ->
    #{kind => Kind, message => text("~s failed: exception ~w: ~0tp", [What, Class, Reason])}.

status(ok) -> #{};
status({skipped, Cause}) -> (aborted(Cause))#{status => <<"skipped">>};
status({error, {error, {Macro, Info}, _}}) when is_list(Info), Info =/= [], element(1, hd(Info)) =:= module ->
    {Expected, Got} = sides(Macro, Info),
    #{status => <<"failed">>, kind => atom_to_binary(Macro),
      assert_line => proplists:get_value(line, Info), expected => Expected, got => Got,
      comment => comment(proplists:get_value(comment, Info, "")),
      message => text("~w: expected ~ts, got ~ts", [Macro, Expected, Got])};
status({error, {Class, Reason, _}}) ->
    #{status => <<"failed">>, kind => atom_to_binary(Class),
      message => text("exception ~w: ~0tp", [Class, Reason])}.

sides(Macro, Info) ->
    Value = fun(Key) -> proplists:get_value(Key, Info) end,
    Term = fun(Key) -> text("~0tp", [Value(Key)]) end,
    Expected = case Value(pattern) of
                   undefined when Macro =:= assertNotEqual -> Term(value);
                   undefined -> Term(expected);
                   Pattern -> tidy(Pattern)
               end,
    Got = case {Value(unexpected_exception), proplists:is_defined(unexpected_success, Info),
                proplists:is_defined(not_boolean, Info)} of
              {{C, R, _}, _, _} -> text("~w:~0tp", [C, R]);
              {_, true, _} -> text("no exception, but the value ~0tp", [Value(unexpected_success)]);
              {_, _, true} -> Term(not_boolean);
              _ -> Term(value)
          end,
    case lists:prefix("assertNot", atom_to_list(Macro)) of
        true -> {<<"anything but ", Expected/binary>>, Got};
        false -> {Expected, Got}
    end.

%% Patterns are told as tokens with blanks between them; here by rules enough for the
%% patterns of eunit/.
tidy(Tokens) ->
    Exception = re:replace(Tokens, "^{ (\\S+) , (.*) , \\[\\.\\.\\.\\] }$", "\\1:\\2", [unicode]),
    lists:foldl(fun({From, To}, Text) -> re:replace(Text, From, To, [global, unicode, {return, binary}]) end,
                Exception,
                [{"([\\[{(#]) ", "\\1"}, {" ([\\]}),;])", "\\1"}, {"([a-z]) \\(", "\\1("}]).

comment(Chars) ->
    try unicode:characters_to_binary(Chars) of
        Bytes when is_binary(Bytes) -> Bytes
    catch _:_ -> text("~0tp", [Chars])
    end.

text(Format, Arguments) -> unicode:characters_to_binary(io_lib:format(Format, Arguments)).
