%% What an order costs: an example of coverage (docs/coverage.md).
-module(price).
-export([total/2, discount/3]).

%% The sum of the items, less what the customer need not pay.
total(Items, Customer) ->
    Sum = lists:sum([amount(I) || I <- Items, is_wanted(I)]),
    Sum - discount(Sum, length(Items), Customer).

amount({_, Price, Count}) -> Price * Count;
amount({_, Price}) -> Price.

is_wanted({_, _, 0}) -> false;
is_wanted(_) -> true.

discount(Sum, Count, Customer) when Sum >= 100, Count > 1; Customer =:= staff ->
    Sum div 10;
discount(Sum, _, Customer) ->
    case is_member(Customer) andalso Sum > 50 of
        true -> 5;
        false -> 0
    end.

is_member({member, Since}) when is_integer(Since) -> true;
is_member(_) -> false.
