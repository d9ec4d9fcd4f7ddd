%% Running Fathom from the differential tests: `fathom parse --format etf` writes
%% {Path, Forms} packets, which a port with {packet, 4} reads.

-compile(nowarn_unused_function).

%% Calls Fun(Path, Forms, Acc) for each module, in the order of Fathom's output.
fold_fathom(Args, Fun, Acc) -> fold_fathom(".", Args, Fun, Acc).

%% The same, started in a directory.
fold_fathom(Dir, Args, Fun, Acc) ->
    Fathom = case os:getenv("FATHOM") of
                 false -> filename:absname("build/fathom");
                 F -> F
             end,
    Port = open_port({spawn_executable, Fathom},
                     [{packet, 4}, binary, exit_status, {cd, Dir},
                      {args, ["parse", "--quiet", "--format", "etf" | Args]}]),
    fold_port(Port, Fun, Acc).

fold_port(Port, Fun, Acc) ->
    receive
        {Port, {data, Packet}} ->
            {Path, Forms} = binary_to_term(Packet),
            fold_port(Port, Fun, Fun(Path, Forms, Acc));
        {Port, {exit_status, _}} ->
            Acc
    end.

%% The value that `fathom run` prints, or {exit, Status, Output}.
fathom_value(Arguments) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Port = open_port({spawn_executable, "/bin/sh"},
                     [binary, exit_status, stderr_to_stdout,
                      {args, ["-c", "exec timeout 600 \"$0\" run \"$@\"", Fathom | Arguments]}]),
    case port_output(Port, []) of
        {0, Output} ->
            {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(Output) ++ "."),
            erl_parse:parse_term(Tokens);
        {Status, Output} ->
            {exit, Status, unicode:characters_to_list(string:slice(Output, 0, 200))}
    end.

port_output(Port, Acc) ->
    receive
        {Port, {data, Data}} -> port_output(Port, [Acc, Data]);
        {Port, {exit_status, Status}} -> {Status, iolist_to_binary(Acc)}
    end.

%% The first place where two terms differ, cut to a readable size.
print_difference(Title, Expected, Got) ->
    {E, G} = narrow(Expected, Got),
    io:format("DIFFERENT ~ts~n  expected ~ts~n  got      ~ts~n", [Title, shown(E), shown(G)]).

narrow([Same | Es], [Same | Gs]) -> narrow(Es, Gs);
narrow([E | _], [G | _]) -> narrow(E, G);
narrow(E, G) when is_tuple(E), tuple_size(E) =:= tuple_size(G) ->
    case [{A, B} || {A, B} <- lists:zip(tuple_to_list(E), tuple_to_list(G)), A =/= B] of
        [{A, B}] when is_tuple(A); is_list(A) ->
            case narrow(A, B) of
                {A1, _} when is_integer(A1); is_atom(A1) -> {E, G};
                Deeper -> Deeper
            end;
        _ -> {E, G}
    end;
narrow(E, G) -> {E, G}.

shown(Term) -> string:slice(io_lib:format("~0tp", [Term]), 0, 300).

otp_sources() ->
    lists:sort(filelib:wildcard(filename:join([code:root_dir(), "lib", "*", "**", "*.erl"]))).

otp_beams() ->
    lists:sort(filelib:wildcard(filename:join([code:root_dir(), "lib", "*", "ebin", "*.beam"]))).

%% Directories with headers, so that most of OTP's modules find all of theirs.
otp_include_dirs() ->
    Lib = filename:join(code:root_dir(), "lib"),
    [Lib | lists:usort([filename:dirname(H) || H <- filelib:wildcard(filename:join([Lib, "*", "**", "*.hrl"]))])].

include_args(Dirs) -> lists:append([["-I", D] || D <- Dirs]).

summary(Passed, Failed) ->
    io:format("~w passed, ~w failed~n", [Passed, Failed]),
    halt(case Failed of 0 -> 0; _ -> 1 end).
