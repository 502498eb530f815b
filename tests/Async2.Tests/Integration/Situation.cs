using System.Collections.Immutable;
using System.Text;
using Async2.Analysis;
using Async2.Analysis.Rendering;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;
using Async2.Analysis.Targets;
using Async2.Tests.Support;

namespace Async2.Tests.Integration;

/// <summary>What the tool says about a situation that a program brought about.</summary>
internal sealed class Situation
{
    private readonly Dictionary<int, string> _marks;

    private Situation(AsyncSnapshot snapshot, IReadOnlyDictionary<string, int> marks)
    {
        _marks = marks.GroupBy(m => m.Value, m => m.Key).ToDictionary(g => g.Key, g => g.Order(StringComparer.Ordinal).First());
        Stacks = snapshot.Stacks;
        Families = snapshot.Target.Families;
        Problems = snapshot.Problems;
        using var text = new MemoryStream();
        new TextRenderer().Render(snapshot, new RenderOptions(), text);
        Text = Encoding.UTF8.GetString(text.ToArray());
    }

    /// <summary>Each on its own.</summary>
    public ImmutableArray<LogicalStack> Stacks { get; }

    public ImmutableArray<string> Families { get; }

    public ImmutableArray<Problem> Problems { get; }

    /// <summary>Line of a mark.</summary>
    public int LineOf(string mark) => _marks.Single(m => m.Value == mark).Key;

    /// <summary>The answer for people.</summary>
    public string Text { get; }

    /// <summary>Starts the program, looks at it live, and ends it.</summary>
    public static Situation Look(string build, string name, params (string Name, string Value)[] environment)
    {
        using ScenarioProcess process = ScenarioProcess.Start(build == "Situations" ? ScenarioBuild.Situations : ScenarioBuild.SituationsClassic, [name], environment);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        AsyncSnapshot snapshot = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false });
        Assert.True(snapshot.Complete, string.Join("; ", snapshot.Problems.Select(p => p.Text)));
        return new Situation(snapshot, process.Truth.Marks!);
    }

    /// <summary><c>Name@mark &lt; Name@mark</c>; a question mark where the program marked no line.</summary>
    public string OutermostFirst(LogicalStack stack)
        => string.Join(" < ", stack.Frames.Reverse().Select(f => $"{f.Name}@{(f.Line is { } line ? _marks.GetValueOrDefault(line, "?") : "none")}"));
}
