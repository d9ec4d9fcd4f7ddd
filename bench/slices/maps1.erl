-module(maps1).
-export([main/1]).

main(Options) ->
    Defaults = #{host => "localhost", port => 8080, timeout => 5000},
    Config = lists:foldl(fun set/2, Defaults, Options),
    #{port := Port, host := Host, timeout := Timeout} = Config,
    check(Host, Timeout),
    Port.

set({Key, Value}, Config) -> Config#{Key => Value}.

check(Host, Timeout) when Timeout > 0 -> {ok, Host};
check(_, _) -> bad.
