-module(way_external_format).
-compile([export_all,nowarn_export_all]).
test() -> B = term_to_binary({fun way_external_format:ext/1, self()}), {F,
    P} = binary_to_term(B), P ! F(1), receive {e, X} -> X end.
ext(X) -> {e, X}.
