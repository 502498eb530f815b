using System.Collections.Immutable;
using System.Text;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>A situation of dumps/Server that is looked at as often as a test likes.</summary>
internal sealed class ServerSituation : IDisposable
{
    private readonly ScenarioProcess _process;
    private readonly Dictionary<int, string> _marks;

    private ServerSituation(ScenarioProcess process)
    {
        _process = process;
        _marks = Truth.GroupBy(m => m.Value, m => m.Key).ToDictionary(g => g.Key, g => g.Order(StringComparer.Ordinal).First());
    }

    public static TheoryData<string> Builds => ["Server", "Server.Classic"];

    /// <summary>Lines, and counts of what was opened, by name.</summary>
    public IReadOnlyDictionary<string, int> Truth => _process.Truth.Marks!;

    public int Pid => _process.Pid;

    public static ServerSituation Start(string build, params string[] arguments)
        => new(ScenarioProcess.Start(build == "Server" ? ScenarioBuild.Server : ScenarioBuild.ServerClassic, arguments));

    public StackView Look(AnalysisOptions? options = null) => WholeAnswer.Of(_process.Pid.ToString(), options ?? new AnalysisOptions { Coalesce = false });

    /// <summary>Looks at it while it runs, and at a dump of it.</summary>
    public IEnumerable<StackView> LookTwice()
    {
        yield return Look();
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("server.dmp");
        ProgramDump.Write(Pid, dump);
        yield return WholeAnswer.Of(dump, new AnalysisOptions { Coalesce = false });
    }

    /// <summary>The one stack that stopped at a line of the program's.</summary>
    public LogicalStack At(StackView snapshot, string mark) => Assert.Single(AllAt(snapshot, mark));

    public ImmutableArray<LogicalStack> AllAt(StackView snapshot, string mark)
        => [.. snapshot.Stacks.Where(s => s.Frames.FirstOrDefault(f => f.Module is "Server.dll" or "Server.Classic.dll")?.Line is { } line && _marks.GetValueOrDefault(line) == mark)];

    public static string Text(StackView snapshot, RenderOptions? options = null, string format = "text")
    {
        using var text = new MemoryStream();
        Renderers.Find(format)!.Render(snapshot, options ?? new RenderOptions(), text);
        return Encoding.UTF8.GetString(text.ToArray());
    }

    public void Dispose() => _process.Dispose();
}
