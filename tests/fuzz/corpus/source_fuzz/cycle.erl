-include("a.hrl").
f() -> ?X(?X(1, 2), ?Y).
%%FILE a.hrl
-include("a.hrl").
-define(X(A, B), ?Z(B, A)).
-define(Z(A, B), {A, B, ??A}).
-define(Y, ?W(?X)).
-define(W(F), F(1, 2)).
