%% The group leader: where output goes. It has a pid, but is not a process (services.h): so
%% output does not add to what can happen in which order, and stands where it was
%% written. There is no input: reading gives eof.
-module(fathom_io).
-export([request/2]).

%% What sending a message to the leader does; Result is the value of the sending.
request({io_request, From, ReplyAs, Request}, Result) when is_pid(From) ->
    answer(From, {io_reply, ReplyAs, reply(Request)}),
    Result;
request(_, Result) -> Result.

%% Who asks for itself has the answer at once, which nobody else can tell from output
%% without a message.
answer(From, Reply) when From =:= self() -> answer(Reply);
answer(From, Reply) -> From ! Reply.

reply({put_chars, Encoding, Chars}) -> put_chars(Encoding, Chars);
reply({put_chars, Encoding, Module, Function, Arguments}) ->
    try apply(Module, Function, Arguments) of
        Chars -> put_chars(Encoding, Chars)
    catch _:_ -> {error, Function}
    end;
reply({put_chars, Chars}) -> put_chars(latin1, Chars);
reply({put_chars, Module, Function, Arguments}) ->
    reply({put_chars, latin1, Module, Function, Arguments});
reply({requests, Requests}) -> replies(Requests, ok);
reply({setopts, _}) -> ok;
reply(getopts) -> [{encoding, unicode}];
reply({get_geometry, _}) -> {error, enotsup};
reply(Request) when element(1, Request) =:= get_until; element(1, Request) =:= get_chars;
                    element(1, Request) =:= get_line; element(1, Request) =:= get_password ->
    eof;
reply(_) -> {error, request}.

replies([], Reply) -> Reply;
replies([Request | Requests], ok) -> replies(Requests, reply(Request));
replies(_, Reply) -> Reply.

put_chars(Encoding, Chars) ->
    case catch unicode:characters_to_binary(Chars, Encoding, unicode) of
        Bytes when is_binary(Bytes) -> write(Bytes);
        _ -> {error, put_chars}
    end.

write(_) -> erlang:nif_error(undef).
answer(_) -> erlang:nif_error(undef).
