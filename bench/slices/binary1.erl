-module(binary1).
-export([main/1]).

main(Packet) ->
    <<Len, Flags, Rest/binary>> = Packet,
    <<Body:Len/binary, _/binary>> = Rest,
    Kind = kind(Flags),
    {Body, Kind, Len}.

kind(0) -> data;
kind(_) -> control.
