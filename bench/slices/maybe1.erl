-module(maybe1).
-export([main/1]).

main(Id) ->
    User = case find(Id, users()) of
        {ok, #{name := Name, mail := Mail}} -> {Name, check(Mail)};
        error -> none
    end,
    Count = length(users()),
    {Count, User}.

users() ->
    [#{id => 1, name => "ann", mail => "a@x", age => 30},
     #{id => 2, name => "bob", mail => "b", age => 40}].

find(_, []) -> error;
find(Id, [#{id := Id} = U | _]) -> {ok, U};
find(Id, [_ | Us]) -> find(Id, Us).

check(Mail) -> lists:member($@, Mail).
