%% The file server: whoever asks it does itself what it asks for (services.h). A file that
%% is opened without `raw` has a process of its own, as in OTP. The server of OTP does one thing
%% after another, so what takes several steps there is one step here.
-module(fathom_files).
-export([request/2]).

-record(file_info, {size, type, access, atime, mtime, ctime, mode, links, major_device,
                    minor_device, inode, uid, gid}).

request({'$gen_call', From, Request}, Result) ->
    gen_server:reply(From, answer(Request, From)),
    Result;
request(_, Result) -> Result.

answer({open, Name, Modes}, {Pid, _}) when is_list(Modes) ->
    file_io_server:start(Pid, Name, Modes);
answer({write_file, Name, Bytes}, _) ->
    try fathom_disk:write_file(prim_file:internal_name2native(Name), Bytes)
    catch error:badarg -> {error, badarg}
    end;
answer({write_file_info, Name, Info}, _) -> write_info(Name, Info, local);
answer({write_file_info, Name, Info, Options}, _) ->
    write_info(Name, Info, proplists:get_value(time, Options, local));
answer(Request, From) ->
    {reply, Reply, none} = file_server:handle_call(Request, From, none),
    Reply.

%% A time that is not given is the one before it; the first of them is now.
write_info(Name, #file_info{mode = Mode, uid = Uid, gid = Gid} = Info, Type) ->
    try
        Accessed = seconds(Info#file_info.atime, Type, now),
        Modified = seconds(Info#file_info.mtime, Type, Accessed),
        Changed = seconds(Info#file_info.ctime, Type, Modified),
        fathom_disk:write_info(prim_file:internal_name2native(Name), owner(Uid), owner(Gid), Mode,
                               Accessed, Modified, Changed)
    catch
        error:_ -> {error, badarg}
    end.

owner(undefined) -> -1;
owner(Id) -> Id.

seconds(undefined, local, now) -> seconds(erlang:localtime(), local, now);
seconds(undefined, _, now) -> erlang:universaltime_to_posixtime(erlang:universaltime());
seconds(undefined, _, Before) -> Before;
seconds(Time, posix, _) when is_integer(Time) -> Time;
seconds({_, _} = Time, universal, _) -> erlang:universaltime_to_posixtime(Time);
seconds({_, _} = Time, local, _) ->
    erlang:universaltime_to_posixtime(erlang:localtime_to_universaltime(Time)).
