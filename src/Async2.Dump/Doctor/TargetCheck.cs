using Async2.Analysis;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Cli;

namespace Async2.Dump.Doctor;

/// <summary>Opens the target and reads it once: whether that works, and which modules have source lines.</summary>
internal sealed class TargetCheck : ICheck
{
    private const string Subject = "target";

    public IEnumerable<CheckResult> Run(DoctorContext context)
    {
        if (context.Target is null)
            return [];
        try
        {
            StackView snapshot = StackReport.Read(context.Session, options => Target.Open(context.Target, options), new TargetOptions(), new AnalysisOptions());
            return [Opened(snapshot), .. Symbols(snapshot)];
        }
        catch (TargetException exception)
        {
            context.Session.Progress.Clear();
            return [CheckResult.Fail(Subject, exception.Message, exception.Fix)];
        }
    }

    /// <summary>A line for each module that has frames: with source lines or without.</summary>
    public static IEnumerable<CheckResult> Symbols(StackView snapshot)
    {
        IEnumerable<IGrouping<string, LogicalFrame>> modules = snapshot.Stacks
            .SelectMany(stack => stack.Frames)
            .Where(frame => frame.Module is not null)
            .GroupBy(frame => frame.Module!)
            .OrderBy(module => module.Key, StringComparer.Ordinal);
        foreach (IGrouping<string, LogicalFrame> module in modules)
        {
            yield return module.Any(frame => frame.File is not null)
                ? CheckResult.Ok("symbols", module.Key + " has source lines")
                : CheckResult.Warn("symbols", module.Key + " has none: its frames show no lines", "put its PDB beside the dll, or name its folder with --symbols DIR");
        }
    }

    private static CheckResult Opened(StackView snapshot) => snapshot.Complete
        ? CheckResult.Ok(Subject, $"read to the end: {DisplayText.Count(snapshot.Totals.Stacks, "stack")}, {DisplayText.Count(snapshot.Problems.Length, "problem")}")
        : CheckResult.Warn(Subject, "read partially: " + string.Join("; ", snapshot.Problems.Select(problem => problem.Text).Take(3)), "see the problems at the end of dotnet-async2 TARGET");
}
