%% only
% comments	
%%% here
