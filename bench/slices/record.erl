-module(record).
-export([main/2]).

-record(order, {id, item, count = 1, price}).

main(Count, Price) ->
    Order = #order{id = 17, item = name(Count), count = Count, price = Price},
    Paid = pay(Order),
    Sent = send(Paid),
    {Sent#order.id, Sent#order.price}.

name(1) -> "one";
name(_) -> "many".

pay(#order{count = C, price = P} = O) -> O#order{price = C * P}.

send(#order{item = Item} = O) -> O#order{item = string:trim(Item)}.
