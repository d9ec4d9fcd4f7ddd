-module(students).
-export([main/1]).

-record(student, {name, marks = [], passed = false, notes}).

main(Rows) ->
    Students = [student(R) || R <- Rows],
    Graded = lists:map(fun grade/1, Students),
    Best = best(Graded),
    Failed = [S#student.name || S <- Graded, not S#student.passed],
    Report = [{S#student.name, S#student.notes} || S <- Graded],
    {Best, Failed, Report}.

student({Name, Marks}) -> #student{name = Name, marks = Marks, notes = "new"};
student({Name, Marks, Notes}) -> #student{name = Name, marks = Marks, notes = Notes}.

grade(#student{marks = Marks} = S) ->
    Mean = mean(Marks),
    S#student{passed = Mean >= 5, notes = S#student.notes ++ "!"}.

mean([]) -> 0;
mean(Marks) -> lists:sum(Marks) div length(Marks).

best([]) -> none;
best([S | Rest]) -> best(Rest, S).

best([], #student{name = Name, marks = Marks}) -> {Name, mean(Marks)};
best([S | Rest], B) ->
    case mean(S#student.marks) > mean(B#student.marks) of
        true -> best(Rest, S);
        false -> best(Rest, B)
    end.
