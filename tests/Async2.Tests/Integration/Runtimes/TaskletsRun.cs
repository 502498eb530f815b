using System.Globalization;
using System.Text.RegularExpressions;
using Async2.Analysis;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>A running dumps/TaskletFixture, and ways to look at it.</summary>
internal sealed partial class TaskletsRun(params string[] options) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    // Frames are those of optimised code, the same each time.
    private readonly ScenarioProcess _process = ScenarioProcess.Start(ScenarioBuild.Tasklets, options, ("DOTNET_TieredCompilation", "0"));

    public Truth Truth => _process.Truth;

    public string Target => _process.Pid.ToString(CultureInfo.InvariantCulture);

    public StackView LookLive(bool coalesce = false) => Look(Target, coalesce);

    /// <summary>Looks with a layout that the user gives.</summary>
    public StackView LookWith(string layoutFile) => Look(Target, coalesce: false, layoutFile);

    /// <summary>Makes a dump and looks at that.</summary>
    public StackView LookAtDump(DumpType kind = DumpType.Full)
    {
        string dump = _folder.PathOf("tasklets.dmp");
        new DiagnosticsClient(_process.Pid).WriteDump(kind, dump);
        return Look(dump, coalesce: false);
    }

    public void Dispose()
    {
        _process.Dispose();
        _folder.Dispose();
    }

    /// <summary>Everything that a user sees, without what differs from run to run: addresses and the order that comes from them.</summary>
    public static string Text(StackView snapshot)
    {
        IEnumerable<string> stacks = snapshot.Stacks.Select(s => $"{s.Count} {s.State} {s.WaitingOn?.Kind} {s.WaitingOn?.FullText}{(s.AwaitedBy.IsEmpty ? "" : $" awaited by {s.AwaitedBy.Length}")}: {string.Join(" < ", s.Frames.Select(Frame))}");
        IEnumerable<string> problems = snapshot.Problems.Select(p => $"! {p.Code} {p.Text}");
        string all = string.Join('\n', [.. stacks.Order(StringComparer.Ordinal), .. problems.Order(StringComparer.Ordinal), $"complete: {snapshot.Complete}"]);
        return Address().Replace(all, "0x...");
    }

    // Places in the frame belong to the structure of the frame, not to addresses: they stay.
    private static string Frame(LogicalFrame frame)
        => $"{frame.Kind} {frame.Method}:{frame.Line} {frame.ILOffset} {frame.Exactness} ({string.Join(", ", frame.Locals.Select(l => $"{l.Type} {l.Name} = {l.Value}"))})";

    private static StackView Look(string target, bool coalesce, string? layoutFile = null)
    {
        using var opened = Analysis.Targets.Target.Open(target, new TargetOptions());
        return Analyzer.Analyze(opened, new AnalysisOptions { Coalesce = coalesce, Locals = true, LayoutFile = layoutFile });
    }

    [GeneratedRegex(@"(?<!\+)0x[0-9a-f]+")]
    private static partial Regex Address();
}
