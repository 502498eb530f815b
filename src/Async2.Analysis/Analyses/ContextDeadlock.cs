using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses;

/// <summary>A stack that can only go on in a SynchronizationContext or TaskScheduler, all of whose threads block until it is done.</summary>
internal sealed class ContextDeadlock : IAnalysis
{
    public string Rule => "context-deadlock";

    public IEnumerable<Finding> Find(AnalysisInput input) => CycleFindings.In(input, cycle => cycle.Context(input.Model) is not null).Select(found => new Finding(Rule, Severity.Error, found.Confidence, found.Text, [])
    {
        Blocked = found.Behind.Count,
        Members = [.. found.Members],
        Behind = [.. found.Behind],
        Hanging = found.Behind,
        Rests = found.Rests,
        Evidence = [.. found.Steps],
        DisprovedBy = found.Confidence == Confidence.Certain ? null : "Another thread serves the context: it was inferred which ones do.",
        Next = "Do not block there: await instead of Wait, Result or GetAwaiter().GetResult(), or start the work with Task.Run; and Post (BeginInvoke) what is to run there, instead of Send (Invoke). In runtime-async of .NET 10, ConfigureAwait(false) on the inner call does not keep it from going back to the context.",
    });
}
