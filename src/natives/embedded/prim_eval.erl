%% In place of OTP's, which is written in assembly: a receive whose patterns are a fun. The
%% messages that it passes over are taken out one by one, and put back in the end.
-module(prim_eval).
-export(['receive'/2]).

'receive'(Match, Timeout) -> next(Match, until(Timeout), []).

next(Match, Until, Passed) ->
    receive
        Message ->
            try Match(Message) of
                nomatch -> next(Match, Until, [Message | Passed]);
                Result ->
                    fathom_eval:put_back(Passed),
                    Result
            catch
                Class:Reason:Stack ->
                    fathom_eval:put_back([Message | Passed]),
                    erlang:raise(Class, Reason, Stack)
            end
    after left(Until) ->
        fathom_eval:put_back(Passed),
        case Until of
            {bad, _} -> error(timeout_value);
            _ -> timeout
        end
    end.

until(Timeout) when is_integer(Timeout), Timeout > 0 ->
    {until, erlang:monotonic_time(millisecond) + Timeout};
until(Timeout) when Timeout =:= 0; Timeout =:= infinity -> Timeout;
until(Timeout) -> {bad, Timeout}.

left({until, Time}) -> max(0, Time - erlang:monotonic_time(millisecond));
left({bad, _}) -> 0;
left(Timeout) -> Timeout.
