// Prints what the async methods of a process or a core dump wait for:
//   dotnet run --project samples/WhatItWaitsFor -- PID|NAME|DUMP
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

if (args is not [var name])
{
    Console.Error.WriteLine("usage: WhatItWaitsFor PID|NAME|DUMP");
    return 2;
}
try
{
    using Target target = Target.Open(name, new TargetOptions());
    StackView view = Analyzer.Analyze(target, new AnalysisOptions());
    foreach (LogicalStack stack in view.Stacks)
    {
        string wait = stack.WaitingOn?.FullText ?? "nothing that is known";
        Console.WriteLine($"{stack.Count} x {stack.State.ToString().ToLowerInvariant()}, waits for {SafeText.Escape(wait)}");
        foreach (LogicalFrame frame in stack.Frames)
            Console.WriteLine($"    {SafeText.Escape(frame.Method)} {SafeText.Escape(PlaceOf(frame))}");
    }
    foreach (Problem problem in view.Problems)
        Console.Error.WriteLine($"{problem.Code}: {SafeText.Escape(problem.Text)}");
    return view.Complete ? 0 : 1;
}
catch (TargetException unreadable)
{
    Console.Error.WriteLine(SafeText.Escape(unreadable.Message));
    Console.Error.WriteLine(SafeText.Escape(unreadable.Fix));
    return 3;
}

static string PlaceOf(LogicalFrame frame) => frame.File is null ? "" : $"{Path.GetFileName(frame.File)}:{frame.Line}";
