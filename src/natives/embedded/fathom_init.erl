%% What messages to init and code_server do. Neither is a process (services.h): who sends one of
%% them a message does itself what is asked for. Other messages have no effect, as in OTP.
-module(fathom_init).
-export([request/2]).

request({stop, stop}, _) -> init:stop();
request({stop, {stop, Status}}, _) -> init:stop(Status);
request({stop, Restart}, _) -> fathom_code:refuse({stop, Restart});
request({From, get_arguments}, Result) -> reply(From, init:get_arguments(), Result);
request({From, get_plain_arguments}, Result) -> reply(From, init:get_plain_arguments(), Result);
request({From, {get_argument, Flag}}, Result) -> reply(From, init:get_argument(Flag), Result);
request({From, get_status}, Result) -> reply(From, init:get_status(), Result);
request({From, script_id}, Result) -> reply(From, init:script_id(), Result);
request({From, {notify_when_started, _}}, Result) -> reply(From, started, Result);
request({code_call, From, Request}, Result) ->
    From ! {code_server, code_server:call(Request)},
    Result;
request(Request, Result) when element(1, Request) =:= io_request ->
    user ! Request,
    Result;
request(_, Result) -> Result.

reply(From, Reply, Result) ->
    From ! {init, Reply},
    Result.
