-module(saved_SUITE).
-compile([export_all, nowarn_export_all]).
%% What a case saves goes to the next one.
all() -> [none, saves, has_it, lost, skips_with_it, has_that, saves_at_end, has_end].
end_per_testcase(saves_at_end, _) -> {save_config, [{z, 26}]};
end_per_testcase(_, _) -> ok.
none(Config) -> undefined = proplists:get_value(saved_config, Config).
saves(_) -> {save_config, [{a, 1}]}.
has_it(Config) -> {saves, [{a, 1}]} = proplists:get_value(saved_config, Config).
lost(Config) -> undefined = proplists:get_value(saved_config, Config).
skips_with_it(_) -> {skip_and_save, reason, [{b, 2}]}.
has_that(Config) -> {skips_with_it, [{b, 2}]} = proplists:get_value(saved_config, Config).
saves_at_end(_) -> ok.
has_end(Config) -> {saves_at_end, [{z, 26}]} = proplists:get_value(saved_config, Config).
