%% What OTP and Fathom both run for random_modules_test.escript: calls of functions of
%% random modules, each with its outcome. What cannot be the same becomes what is: pids,
%% funs, and of stack traces what depends on how OTP compiles a function:
%%   - the names of lifted functions: OTP copies the body of a small `after` instead of
%%     lifting it, which changes the numbers, and calls some funs inlined; and their
%%     arities: a variable that only dead code needs is not captured;
%%   - the frame of an `after`: its line goes to the frame around it;
%%   - the names of functions of OTP's libraries, where some are inlined;
%%   - the frames of operators: with some literals there is none, or the operands change
%%     places;
%%   - error_info: in a frame of the module itself it would explain why a binary could not
%%     be built, which Fathom does not say;
%%   - frames of one function in a row: OTP takes some that have the same address for one.
%% A trace has at most eight frames before that, so four are compared.
-module(fathom_driver).
-export([all/1, run/2, frames/1, compiled/3]).
all(Modules) -> binary:encode_hex(term_to_binary([run(M, Calls) || {M, Calls} <- Modules])).
run(Module, Calls) -> [call(Module, F, A) || {F, A} <- Calls].

call(Module, F, A) ->
    erase(),
    Outcome = try apply(Module, F, A) of Value -> {value, plain(Value)}
              catch Class:Reason:Trace -> {Class, plain(Reason), plain(frames(Trace))}
              end,
    flush(),
    {Outcome, plain(lists:sort(erase()))}.

flush() -> receive _ -> flush() after 0 -> ok end.

frames(Trace) ->
    Own = lists:takewhile(fun(Frame) -> element(1, Frame) =/= ?MODULE end, Trace),
    lists:sublist(without_equal(without_after([frame(F) || F <- Own, not is_operation(F)])), 4).

is_operation({erlang, Name, [_ | _] = A, _}) -> erl_internal:arith_op(Name, length(A)) orelse erl_internal:bool_op(Name, length(A));
is_operation(_) -> false.

without_equal([{M, Name, A, _} = Frame, {M, Name, B, _} | Frames]) when A =:= B; length(A) =:= B ->
    without_equal([Frame | Frames]);
without_equal([Frame | Frames]) -> [Frame | without_equal(Frames)];
without_equal([]) -> [].

without_after([{M, lifted_after, _, Info}, {M, Name, Arity, _} | Frames]) ->
    without_after([{M, Name, Arity, Info} | Frames]);
without_after([Frame | Frames]) -> [Frame | without_after(Frames)];
without_after([]) -> [].

frame({M, Name, Arity, Info}) ->
    Shown = frame_name(atom_to_list(M), atom_to_list(Name)),
    {M, Shown, case is_atom(Shown) andalso is_integer(Arity) of true -> any; false -> Arity end,
     lists:keydelete(error_info, 1, Info)};
frame(Other) -> Other.

frame_name("random_" ++ _, "-" ++ Lifted) ->
    case string:find(Lifted, "-after$") of
        nomatch -> case string:find(Lifted, "c$^") of nomatch -> lifted_fun; _ -> lifted_loop end;
        _ -> lifted_after
    end;
frame_name("random_" ++ _, Name) -> Name;
frame_name(_, _) -> library.

plain(V) when is_pid(V) -> '$pid';
plain(V) when is_function(V) -> {'$fun', [element(2, erlang:fun_info(V, Item)) || Item <- [module, arity, type]]};
plain([H | T]) -> [plain(H) | plain(T)];
plain(V) when is_tuple(V) -> list_to_tuple(plain(tuple_to_list(V)));
plain(V) when is_map(V) -> maps:from_list(plain(maps:to_list(V)));
plain(V) -> V.

%% --- for OTP only

-define(MAX_REDUCTIONS, 2000000).
-define(MAX_WORDS, 200000).

%% {done, Outcomes} of the module in the file, or why there are none.
compiled(File, Calls, Options) ->
    case compile:file(File, [binary, return | Options]) of
        {ok, Module, Code, _} ->
            {module, Module} = code:load_binary(Module, filename:basename(File), Code),
            Outcome = limited(fun() -> run(Module, Calls) end),
            code:delete(Module),
            code:purge(Module),
            Outcome;
        {error, Errors, _} -> {not_compiled, Errors}
    end.

limited(Fun) ->
    Body = fun() ->
               Value = Fun(),
               {reductions, Used} = process_info(self(), reductions),
               exit(case erts_debug:flat_size(Value) of
                        Size when Size < ?MAX_WORDS, Used < ?MAX_REDUCTIONS -> {done, Value};
                        Size -> {large, Size, Used}
                    end)
           end,
    {Pid, Ref} = spawn_opt(Body, [monitor, {max_heap_size, #{size => 20000000, kill => true, error_logger => false}}]),
    receive {'DOWN', Ref, process, Pid, Outcome} -> Outcome
    after 1000 ->
        exit(Pid, kill),
        receive {'DOWN', Ref, process, Pid, _} -> timeout end
    end.
