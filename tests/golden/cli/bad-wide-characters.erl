%% RUN: fathom parse --color never %s
%% The caret is below the place, however wide the characters before it are.
f() -> {"中文", "é́", 'ab' 'c'}.
g() -> 变量.
