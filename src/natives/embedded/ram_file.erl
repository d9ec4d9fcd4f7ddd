%% In place of OTP's: a file in memory is one of the files that a program sees (overlay.h) which has
%% lost its name at once. Data of the descriptor: {The file, How its contents are given, Modes}.
-module(ram_file).
-export([open/2, close/1, write/2, read/2, copy/3, pread/2, pread/3, pwrite/2, pwrite/3, position/2,
         truncate/1, datasync/1, sync/1, advise/4, allocate/3, get_file/1, get_size/1,
         ipread_s32bu_p32bu/3]).

-record(file_descriptor, {module, data}).
-define(is_file(Handle), is_record(Handle, file_descriptor), Handle#file_descriptor.module =:= ?MODULE).
-define(is_range(Number), Number >= -(1 bsl 31), Number < 1 bsl 31).

open(Data, Modes) when is_list(Modes) ->
    case lists:all(fun(Mode) -> lists:member(Mode, [ram, read, write, binary]) end, Modes) of
        true -> opened(Data, Modes);
        false -> {error, badarg}
    end.

opened(Data, Modes) ->
    try iolist_to_binary(Data) of
        Bytes ->
            Name = filename:join(["/", "tmp", ".ram_file." ++ erlang:ref_to_list(make_ref())]),
            ok = prim_file:write_file(Name, Bytes),
            {ok, File} = prim_file:open(Name, [read | [write || lists:member(write, Modes)]]),
            ok = prim_file:delete(Name),
            {ok, #file_descriptor{module = ?MODULE, data = {File, lists:member(binary, Modes), Modes}}}
    catch
        error:_ -> {error, badarg}
    end.

close(Handle) when ?is_file(Handle) -> prim_file:close(file(Handle)).

read(Handle, Size) when ?is_file(Handle), is_integer(Size), Size >= 0, ?is_range(Size) ->
    reading(Handle, fun(File) -> given(Handle, prim_file:read(File, Size)) end);
read(Handle, Size) when ?is_file(Handle), is_integer(Size), Size >= 0 -> {error, einval}.

write(Handle, Bytes) when ?is_file(Handle) ->
    with_bytes(Bytes, fun(Binary) -> writing(Handle, prim_file:write(file(Handle), Binary)) end).

copy(Source, To, Length) when ?is_file(Source), ?is_file(To) -> file:copy_opened(Source, To, Length).

pread(Handle, At, Size) when ?is_file(Handle), is_integer(At), is_integer(Size), Size >= 0 ->
    if
        ?is_range(At), ?is_range(Size) ->
            reading(Handle, fun(File) -> given(Handle, prim_file:pread(File, At, Size)) end);
        true -> {error, einval}
    end;
pread(Handle, _, _) when ?is_file(Handle) -> {error, badarg}.

pread(Handle, Places) when ?is_file(Handle), is_list(Places) -> pread_all(Handle, Places, []).

pread_all(_, [], Read) -> {ok, lists:reverse(Read)};
pread_all(Handle, [{At, Size} | Places], Read) when is_integer(At), is_integer(Size), Size >= 0 ->
    case pread(Handle, At, Size) of
        {ok, Data} -> pread_all(Handle, Places, [Data | Read]);
        eof -> pread_all(Handle, Places, [eof | Read]);
        Error -> Error
    end;
pread_all(_, _, _) -> {error, badarg}.

pwrite(Handle, At, Bytes) when ?is_file(Handle), is_integer(At) ->
    if
        ?is_range(At) ->
            with_bytes(Bytes, fun(Binary) -> writing(Handle, prim_file:pwrite(file(Handle), At, Binary)) end);
        true -> {error, einval}
    end;
pwrite(Handle, _, _) when ?is_file(Handle) -> {error, badarg}.

pwrite(Handle, Pairs) when ?is_file(Handle), is_list(Pairs) -> pwrite_all(Handle, Pairs, 0).

pwrite_all(_, [], _) -> ok;
pwrite_all(Handle, [{At, Bytes} | Pairs], Written) when is_integer(At) ->
    case pwrite(Handle, At, Bytes) of
        ok -> pwrite_all(Handle, Pairs, Written + 1);
        {error, badarg} -> {error, badarg};
        {error, Reason} -> {error, {Written, Reason}}
    end;
pwrite_all(_, _, _) -> {error, badarg}.

position(Handle, Place) when ?is_file(Handle) ->
    case offset(Place) of
        {_, Offset} = Where when ?is_range(Offset) -> prim_file:position(file(Handle), Where);
        {_, _} -> {error, einval};
        bad -> {error, badarg}
    end.

offset(Place) when Place =:= bof; Place =:= cur; Place =:= eof -> {Place, 0};
offset({From, Offset} = Place) when is_integer(Offset), (From =:= bof orelse From =:= cur orelse From =:= eof) -> Place;
offset(Offset) when is_integer(Offset) -> {bof, Offset};
offset(_) -> bad.

truncate(Handle) when ?is_file(Handle) -> writing(Handle, prim_file:truncate(file(Handle))).
datasync(Handle) when ?is_file(Handle) -> ok.
sync(Handle) when ?is_file(Handle) -> ok.

advise(Handle, Offset, Length, Advice) when ?is_file(Handle), is_integer(Offset), is_integer(Length) ->
    case lists:member(Advice, [normal, random, sequential, will_need, dont_need, no_reuse]) of
        true -> ok;
        false -> {error, einval}
    end;
advise(_, _, _, _) -> {error, enotsup}.

allocate(Handle, _, _) when ?is_file(Handle) -> ok;
allocate(_, _, _) -> {error, enotsup}.

get_file(Handle) when ?is_file(Handle) ->
    {ok, Size} = get_size(Handle),
    case prim_file:pread(file(Handle), 0, Size) of
        eof -> given(Handle, {ok, <<>>});
        Read -> given(Handle, Read)
    end;
get_file(#file_descriptor{}) -> {error, enotsup}.

get_size(Handle) when ?is_file(Handle) ->
    {ok, At} = prim_file:position(file(Handle), {cur, 0}),
    Size = prim_file:position(file(Handle), {eof, 0}),
    {ok, At} = prim_file:position(file(Handle), {bof, At}),
    Size;
get_size(#file_descriptor{}) -> {error, enotsup}.

ipread_s32bu_p32bu(Handle, At, Most) when ?is_file(Handle) -> file:ipread_s32bu_p32bu_int(Handle, At, Most).

%% ---- The file

file(#file_descriptor{data = {File, _, _}}) -> File.

given(#file_descriptor{data = {_, IsBinary, _}}, {ok, Bytes}) when not IsBinary ->
    {ok, binary_to_list(iolist_to_binary(Bytes))};
given(_, {ok, Bytes}) -> {ok, iolist_to_binary(Bytes)};
given(_, Other) -> Other.

%% Whoever has opened a file only to write cannot read it.
reading(#file_descriptor{data = {File, _, Modes}}, Read) ->
    case lists:member(write, Modes) andalso not lists:member(read, Modes) of
        true -> {error, ebadf};
        false -> Read(File)
    end.

writing(#file_descriptor{data = {_, _, Modes}}, Result) ->
    case lists:member(write, Modes) of
        true -> Result;
        false -> {error, ebadf}
    end.

with_bytes(Bytes, Then) ->
    try iolist_to_binary(Bytes) of
        Binary -> Then(Binary)
    catch
        error:Reason -> {error, Reason}
    end.
