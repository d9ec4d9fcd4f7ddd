-module(bom).
f() -> ok.
