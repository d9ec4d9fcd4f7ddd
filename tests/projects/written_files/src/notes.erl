-module(notes).
-export([add/2, all/1]).
add(File, Note) -> file:write_file(File, [Note, $\n], [append]).
all(File) ->
    {ok, Text} = file:read_file(File),
    string:lexemes(Text, "\n").
