using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Analyses;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Hangs;

/// <summary>What a test run that does not end waits for: the stacks of the tests in question first, then what is wrong, then the rest.</summary>
/// <param name="read">The test host.</param>
/// <param name="tests">The tests that run longer than expected; none if none is in progress.</param>
/// <param name="since">For how long, as the runner says it.</param>
internal sealed class HangReport(AnalyzedTarget read, IReadOnlyList<HungTest> tests, string since)
{
    private const int MostStacks = 20;
    private const int MostTests = 10;

    // Of what watches over the tests, and waits for this process.
    private const string Watcher = "Async2.Testing.";

    private readonly StackView _all = WithoutWatcher(read.Ask(new AnalysisOptions()));

    /// <summary>All that was read.</summary>
    public StackView View => _all;

    /// <summary>Stacks of the tests are in it, or no test is looked for.</summary>
    public bool HasTests => tests.Count == 0 || Own().Any();

    /// <summary>Writes it as text.</summary>
    public void Write(StyledText text)
    {
        WriteHead(text);
        var groups = new GroupText(text, new FrameLines(text, leafFirst: false), leafFirst: false);
        LogicalStack[] own = [.. Own()];
        if (tests.Count > 0 && own.Length == 0)
            text.Line("No stack has a frame of these tests: what they wait for was started elsewhere, or they run on a thread that cannot be read.");
        foreach (LogicalStack stack in own.Take(MostStacks))
            groups.Write(stack);
        if (own.Length > MostStacks)
            text.Line(FormattableString.Invariant($"... and {own.Length - MostStacks} more groups of these tests"));
        text.Line();
        FindingText.Write(text, _all.Findings);
        text.Write(TextRole.Heading, "all other stacks");
        text.Line();
        TextRenderer.Render(Only(_all, [.. _all.Stacks.Except(own)]) with { Findings = [] }, new RenderOptions { Limit = MostStacks }, text);
    }

    /// <summary>Lines for a CI system, one for each place where a test stands; an error only where something is wrong for sure.</summary>
    public IEnumerable<string> Annotations(Func<string, string?> variable)
    {
        foreach (HungTest test in tests)
        {
            foreach (LogicalStack stack in OfTests([test]).Take(MostStacks))
            {
                if (CiAnnotation.PlaceIn(stack.Frames, variable) is not { } frame)
                    continue;
                Finding? finding = _all.Findings.FirstOrDefault(finding => FindingRules.IsAlarm(finding) && finding.Stacks.Contains(stack.Id));
                string why = finding is null ? $"still waits{(stack.WaitingOn is { } wait ? " for " + wait.FullText : "")}" : $"{finding.Rule}: {finding.Text}";
                if (CiAnnotation.Of(finding is not null, frame.File!, frame.Line!.Value, $"{test.Name}, running for {since}: {why}", variable) is { } line)
                    yield return SafeText.Escape(line);
            }
        }
    }

    // Nor what is only of interest where a program is looked at: the platform's own pipes wait for somebody all the time.
    private static StackView WithoutWatcher(StackView view)
    {
        HashSet<string> users = [.. view.Stacks.Where(stack => stack.Frames.Any(frame => !frame.IsFramework)).Select(stack => stack.Id)];
        HashSet<string> watching = [.. view.Stacks.Where(stack => stack.Frames.Any(frame => frame.Method.StartsWith(Watcher, StringComparison.Ordinal))).Select(stack => stack.Id)];
        return Only(view, [.. view.Stacks.Where(stack => !watching.Contains(stack.Id))]) with
        {
            Findings = [.. view.Findings.Where(finding => finding.Stacks.IsEmpty || (!finding.Stacks.All(watching.Contains) && (finding.Severity > Severity.Info || finding.Stacks.Any(users.Contains))))],
        };
    }

    private static StackView Only(StackView view, LogicalStack[] stacks) => view with
    {
        Stacks = [.. stacks],
        Totals = view.Totals with
        {
            Stacks = stacks.Sum(stack => stack.Count),
            Groups = stacks.Length,
            Frames = stacks.Sum(stack => stack.Count * stack.Frames.Count),
            Idle = stacks.Where(stack => stack.Idle is not null).Sum(stack => stack.Count),
        },
    };

    private IEnumerable<LogicalStack> Own() => tests.Count == 0 ? [] : OfTests(tests);

    // Groups of the whole answer, so that ids are those that findings name.
    private IEnumerable<LogicalStack> OfTests(IEnumerable<HungTest> some)
    {
        HashSet<int> members = [.. read.Ask(new AnalysisOptions { Query = new() { Method = HungTest.Frames(some) } }).Stacks.SelectMany(stack => stack.Members)];
        return _all.Stacks.Where(stack => stack.Members.Any(members.Contains));
    }

    private void WriteHead(StyledText text)
    {
        string count = tests.Count == 0 ? "no test is in progress, and nothing has happened" : DisplayText.Count(tests.Count, "test runs", "tests run");
        text.Write(TextRole.Heading, string.Create(CultureInfo.InvariantCulture, $"async2: {count} for {since} (process {_all.Target.Pid})"));
        text.Line();
        foreach (HungTest test in tests.Take(MostTests))
            text.Line("  " + text.Safe(test.Name));
        if (tests.Count > MostTests)
            text.Line(FormattableString.Invariant($"  ... and {tests.Count - MostTests} more"));
    }
}
