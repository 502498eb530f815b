using System.Collections.Immutable;
using System.Text;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>What the tool says about a situation that a program brought about.</summary>
internal sealed class Situation
{
    private readonly Dictionary<int, string> _marks;

    private Situation(StackView snapshot, Truth truth)
    {
        Truth = truth;
        _marks = (truth.Marks ?? new Dictionary<string, int>()).GroupBy(m => m.Value, m => m.Key).ToDictionary(g => g.Key, g => g.Order(StringComparer.Ordinal).First());
        Stacks = snapshot.Stacks;
        Families = snapshot.Target.Families;
        Runtime = snapshot.Target.Runtime;
        Problems = snapshot.Problems;
        Pool = snapshot.Target.Pool;
        Findings = snapshot.Findings;
        using var text = new MemoryStream();
        new TextRenderer().Render(snapshot, new RenderOptions(), text);
        Text = Encoding.UTF8.GetString(text.ToArray());
    }

    /// <summary>What the program says.</summary>
    public Truth Truth { get; }

    /// <summary>Each on its own.</summary>
    public ImmutableArray<LogicalStack> Stacks { get; }

    public ImmutableArray<string> Families { get; }

    public ImmutableArray<Problem> Problems { get; }

    public PoolFacts? Pool { get; }

    public ImmutableArray<Finding> Findings { get; }

    /// <summary>Line of a mark.</summary>
    public int LineOf(string mark) => _marks.Single(m => m.Value == mark).Key;

    /// <summary>The answer for people.</summary>
    public string Text { get; }

    /// <summary>Version of the runtime.</summary>
    public string? Runtime { get; }

    /// <summary>Starts the program, looks at it live, and ends it.</summary>
    /// <param name="build">Situations, Situations.Classic, a program of another language, or the framework of another runtime that Situations.Classic runs on.</param>
    /// <param name="name">Of the situation.</param>
    /// <param name="environment">Variables of the program.</param>
    public static Situation Look(string build, string name, params (string Name, string Value)[] environment)
    {
        using ScenarioProcess process = Start(build, name, environment);
        return LookAt(process.Pid.ToString(), process.Truth, isOther: build.StartsWith("Languages.", StringComparison.Ordinal));
    }

    /// <summary>The same live, and then in a dump of the same process.</summary>
    public static Situation[] LookTwice(string build, string name)
    {
        using ScenarioProcess process = Start(build, name);
        Situation live = LookAt(process.Pid.ToString(), process.Truth);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("situation.dmp");
        ProgramDump.Write(process.Pid, dump);
        return [live, LookAt(dump, process.Truth, options: BuildOf(build).ForDump)];
    }

    /// <summary>Starts the program, to be looked at.</summary>
    public static ScenarioProcess Start(string build, string name, params (string Name, string Value)[] environment)
        => ScenarioProcess.Start(BuildOf(build), [name], environment);

    /// <summary>Looks at a process or a dump, whose program said what is true of it.</summary>
    public static Situation LookAt(string name, Truth truth, TargetOptions? options = null, bool isOther = false)
    {
        StackView snapshot = WholeAnswer.Of(name, new AnalysisOptions { Coalesce = false, Locals = isOther }, options);
        return new Situation(snapshot, truth);
    }

    private static ScenarioBuild BuildOf(string build) => build switch
    {
        "Situations" => ScenarioBuild.Situations,
        "Situations.Classic" => ScenarioBuild.SituationsClassic,
        "Languages.VisualBasic" => ScenarioBuild.VisualBasic,
        "Languages.FSharp" => ScenarioBuild.FSharp,
        _ => ScenarioBuild.SituationsClassicOn(build),
    };

    /// <summary><c>Name@mark &lt; Name@mark</c>; a question mark where the program marked no line.</summary>
    public string OutermostFirst(LogicalStack stack)
        => string.Join(" < ", stack.Frames.Reverse().Select(f => $"{f.Name}@{(f.Line is { } line ? _marks.GetValueOrDefault(line, "?") : "none")}"));
}
