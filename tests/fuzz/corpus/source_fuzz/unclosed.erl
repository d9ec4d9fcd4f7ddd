f() -> ok.
g() -> "unclosed.
h() -> ok.
