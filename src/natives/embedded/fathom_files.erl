%% The file server: whoever asks it does itself what it asks for (services.h). A file that
%% is opened without `raw` has a process of its own, as in OTP.
-module(fathom_files).
-export([request/2, refuse/0]).

request({'$gen_call', From, Request}, Result) ->
    gen_server:reply(From, answer(Request, From)),
    Result;
request(_, Result) -> Result.

answer({open, Name, Modes}, {Pid, _}) when is_list(Modes) ->
    file_io_server:start(Pid, Name, Modes);
answer(Request, From) ->
    {reply, Reply, none} = file_server:handle_call(Request, From, none),
    Reply.

%% What would change the disk of the user.
refuse() -> erlang:nif_error(undef).
