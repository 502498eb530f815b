using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Tests.Support;

/// <summary>
/// A target read as the tool reads it: what is short because of the moment (a collection, code that was compiled just then) is read
/// again. A test about what is found has to see a whole answer; that one reading is often whole is what HardMomentsTests are for.
/// </summary>
internal static class WholeAnswer
{
    public static StackView Of(string target, AnalysisOptions options, TargetOptions? opening = null)
    {
        Reading<StackView> reading = RepeatedReading.Read(
            now => Target.Open(target, now), opening ?? new TargetOptions(), opened => Analyzer.Analyze(opened, options), found => found, CancellationToken.None);
        using Target last = reading.Target;
        Assert.True(reading.Answer.Complete, string.Join("; ", reading.Answer.Problems.Select(p => $"{p.Code} {p.Text}")));
        return reading.Answer;
    }
}
