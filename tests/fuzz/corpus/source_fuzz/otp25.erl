%%OTP25
-module(otp25).
-feature(maybe_expr, enable).
f('else') -> maybe X ?= 'maybe', X else 'else' -> 1 end.
-if(?FEATURE_AVAILABLE(maybe_expr) andalso ?FEATURE_ENABLED(maybe_expr)).
-endif.
