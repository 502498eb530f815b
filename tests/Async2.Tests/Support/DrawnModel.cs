using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Stacks;
using Async2.Analysis.Targets.Contract;

namespace Async2.Tests.Support;

/// <summary>Models of heaps that were drawn.</summary>
internal static class DrawnModel
{
    public static TargetFacts Target { get; } = new() { Kind = TargetKind.Dump, Os = "linux", Architecture = "x64" };

    public static AsyncModel Of(StackInput input, IStackSource source, ProblemLog problems, CancellationToken stop = default)
        => ModelBuilder.Build(input, source, Target, problems, _ => { }, stop).Model;

    /// <summary>The stacks of such a model that options ask for.</summary>
    public static StackView Ask(StackInput input, IStackSource source, AnalysisOptions options, ProblemLog problems, CancellationToken stop = default)
        => StackAnswer.Of(Of(input with { AllThreads = options.ReadsAllThreads }, source, problems, stop), options.Query, (options with { PlainTasks = true, Completed = true }).ForView(null), stop);
}
