%% RUN: fathom parse --color never %s
%% The caret is below the place, however wide the characters before it are.
f() -> {"中文", "é́", 'ab' 'c'}.
g() -> 变量.
%% OUT: attribute 1:1-1:1 file
%% OUT:   string 1:1-1:1 "bad-wide-characters.erl"
%% OUT:   integer 1:1-1:1 1
%% OUT: error 3:26-3:29 syntax error before `c`: expected `,` or `}`
%% OUT: error 4:8-4:9 the character U+53D8 is not allowed here
%% OUT: eof 18:1-18:1
%% ERR: bad-wide-characters.erl:3:26: error: syntax error before `c`: expected `,` or `}`
%% ERR:   f() -> {"中文", "é́", 'ab' 'c'}.
%% ERR:                             ^~~
%% ERR: bad-wide-characters.erl:4:8: error: the character U+53D8 is not allowed here
%% ERR:   g() -> 变量.
%% ERR:          ^~
%% EXIT: 1
