%% coding: latin-1
-module(latin).
f() -> {"éÿ", 'Ä', $ö, été, ÉTÉ}.
