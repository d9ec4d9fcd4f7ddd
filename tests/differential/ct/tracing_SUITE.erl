-module(tracing_SUITE).
-compile([export_all, nowarn_export_all]).
%% Tracing, as far as it is modelled.
all() -> [nobody, seq, no_pattern].
nobody(_) -> {tracer, []} = erlang:trace_info(self(), tracer).
seq(_) -> [] = seq_trace:get_token().
no_pattern(_) -> {traced, false} = erlang:trace_info({?MODULE, seq, 1}, traced).
