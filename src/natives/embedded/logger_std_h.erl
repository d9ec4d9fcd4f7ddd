%% In place of OTP's handler of the same name: formats an event in the process that logs
%% it and writes it there. So logging starts no process and waits for none. There is
%% nothing that could be overloaded, hence the limits in the configuration have no effect.
-module(logger_std_h).
-export([log/2, adding_handler/1, changing_config/3, removing_handler/1, filter_config/1,
         filesync/1]).

log(Event, #{config := #{type := file, file := File}, formatter := {Module, Config}}) ->
    Text = unicode:characters_to_binary(Module:format(Event, Config)),
    file:write_file(File, Text, [append, raw]);
log(Event, #{config := #{type := Type}, formatter := {Module, Config}}) ->
    io:put_chars(device(Type), Module:format(Event, Config)).

device({device, Device}) -> Device;
device(standard_io) -> user;
device(Type) -> Type.

adding_handler(#{config := #{file := _} = Config} = Handler) when not is_map_key(type, Config) ->
    adding_handler(Handler#{config := Config#{type => file}});
adding_handler(#{config := Config} = Handler) -> checked(Handler, maps:merge(defaults(), Config));
adding_handler(Handler) -> checked(Handler, defaults()).

changing_config(set, #{config := #{type := Type}}, New) ->
    changed(Type, New, maps:merge((defaults())#{type := Type}, maps:get(config, New, #{})));
changing_config(update, #{config := #{type := Type} = Old}, New) ->
    changed(Type, New, maps:merge(Old, maps:get(config, New, #{}))).

changed(Type, Handler, #{type := Type} = Config) when Type =:= file -> {ok, Handler#{config => Config}};
changed(Type, Handler, #{type := Type} = Config) -> checked(Handler, Config);
changed(Type, _, #{type := Other}) ->
    {error, {illegal_config_change, ?MODULE, #{type => Type}, #{type => Other}}}.

checked(Handler, #{type := Type} = Config) ->
    case Type of
        _ when Type =:= standard_io; Type =:= standard_error -> {ok, Handler#{config => Config}};
        {device, _} -> {ok, Handler#{config => Config}};
        {file, File} -> in_file(Handler, Config#{file => File});
        {file, File, Modes} -> in_file(Handler, Config#{file => File, modes => Modes});
        file -> in_file(Handler, Config);
        _ -> {error, {invalid_config, ?MODULE, #{type => Type}}}
    end.

%% What is logged goes to the file at once, whatever its modes say; files are not rotated.
in_file(#{id := Id} = Handler, Config) ->
    File = filename:absname(maps:get(file, Config, atom_to_list(Id))),
    case filelib:ensure_dir(File) of
        ok -> opened(Handler, Config, File, file:write_file(File, <<>>, [append, raw]));
        Error -> opened(Handler, Config, File, Error)
    end.

opened(Handler, Config, File, ok) ->
    {ok, Handler#{config => maps:merge(file_defaults(), Config#{type => file, file => File})}};
opened(_, _, File, {error, Reason}) ->
    {error, {open_failed, File, Reason}}.

file_defaults() ->
    #{modes => [delayed_write, raw, append], max_no_bytes => infinity, max_no_files => 0,
      compress_on_rotate => false, file_check => 0}.

removing_handler(_) -> ok.
filter_config(Handler) -> Handler.
filesync(_) -> ok.

defaults() ->
    #{type => standard_io, burst_limit_enable => true, burst_limit_max_count => 500,
      burst_limit_window_time => 1000, drop_mode_qlen => 200,
      filesync_repeat_interval => no_repeat, flush_qlen => 1000, overload_kill_enable => false,
      overload_kill_mem_size => 3000000, overload_kill_qlen => 20000,
      overload_kill_restart_after => 5000, sync_mode_qlen => 10}.
