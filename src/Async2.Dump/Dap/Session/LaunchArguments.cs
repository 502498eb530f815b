using System.Collections.Immutable;
using System.Globalization;
using System.Text.Json;
using Async2.Analysis;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Reporting;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Cli;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>The fields of <c>launch</c> and <c>attach</c>; docs/dap.md lists them.</summary>
internal sealed record LaunchArguments
{
    private const int DefaultMaxThreads = 2000;

    /// <summary>Dump to open; null for a process.</summary>
    public string? DumpPath { get; init; }

    /// <summary>Process to read, if there is no dump.</summary>
    public int ProcessId { get; init; }

    public ImmutableArray<string> SymbolPath { get; init; } = [];

    public SourceMap SourceMap { get; init; } = new([]);

    public bool JustMyCode { get; init; } = true;

    public bool GroupStacks { get; init; } = true;

    public int MaxThreads { get; init; } = DefaultMaxThreads;

    public bool Completed { get; init; }

    public bool Tasks { get; init; }

    public string? Layout { get; init; }

    public string? Dac { get; init; }

    public FreezeMode Freeze { get; init; } = FreezeMode.Brief;

    public string? Trace { get; init; }

    /// <summary>A dump never changes.</summary>
    public bool IsDump => DumpPath is not null;

    /// <summary>A short name of the target: <c>shop.dmp</c>, <c>process 42</c>.</summary>
    public string Name => DapText.Name(DumpPath is null ? "process " + ProcessId.ToString(CultureInfo.InvariantCulture) : Path.GetFileName(DumpPath));

    /// <summary>How to open the target.</summary>
    public TargetOptions ForTarget => new() { DacPath = Dac, SymbolDirectories = SymbolPath, Freeze = Freeze };

    /// <summary>What to read of it.</summary>
    public AnalysisOptions ForAnalysis => new()
    {
        Coalesce = GroupStacks,
        // A process is looked at again, and somebody wants to know what has changed.
        Comparable = !IsDump,
        IncludeFramework = !JustMyCode,
        Completed = Completed,
        PlainTasks = Tasks,
        LayoutFile = Layout,
    };

    /// <summary>Reads the fields of a request.</summary>
    /// <exception cref="UsageException">A field is not valid, or names a file that does not exist.</exception>
    /// <exception cref="LayoutException">The layout cannot be used.</exception>
    public static LaunchArguments Read(DapRequest request)
    {
        bool isLaunch = request.Command == "launch";
        LaunchArguments arguments = new()
        {
            DumpPath = isLaunch ? Dump(request) : null,
            ProcessId = isLaunch ? 0 : Process(request),
            SymbolPath = Texts(request, "symbolPath"),
            SourceMap = SourceMap.Read(request, "sourceFileMap"),
            JustMyCode = request.Switch("justMyCode", true),
            GroupStacks = request.Switch("groupStacks", true),
            MaxThreads = request.Number("maxThreads") is { } most ? most > 0 ? most : throw request.Wrong("maxThreads", "a number above 0") : DefaultMaxThreads,
            Completed = request.Switch("completed", false),
            Tasks = request.Switch("tasks", false),
            Layout = request.Text("layout"),
            Dac = request.Text("dac"),
            Freeze = Mode(request),
            Trace = request.Text("trace"),
        };
        arguments.Check();
        return arguments;
    }

    /// <summary>The target of a request, for messages: a path or a process id; null if the request has none.</summary>
    public static string? TargetOf(DapRequest request)
    {
        try
        {
            return request.Find(request.Command == "launch" ? "dumpPath" : "processId") is { ValueKind: JsonValueKind.String or JsonValueKind.Number } value ? value.ToString() : null;
        }
        catch (InvalidOperationException)
        {
            // Invalid strings: the worker reports them.
            return null;
        }
    }

    private static string Dump(DapRequest request) => request.Text("dumpPath") is { Length: > 0 } path ? path
        : throw new UsageException("no dumpPath is given", "set dumpPath to the path of a core dump");

    // An editor's picker returns a string.
    private static int Process(DapRequest request) => request.Find("processId") switch
    {
        { ValueKind: JsonValueKind.String or JsonValueKind.Number } value
            when int.TryParse(value.ToString(), NumberStyles.None, CultureInfo.InvariantCulture, out int pid) && pid > 0 => pid,
        null => throw new UsageException("no processId is given", "set processId to the id of a .NET process"),
        { } other => throw new UsageException($"'{DapText.Name(other.ToString())}' is not a process id", "set processId to the id of a .NET process, a number"),
    };

    private static ImmutableArray<string> Texts(DapRequest request, string name) => request.Find(name) switch
    {
        null => [],
        { ValueKind: JsonValueKind.String } one => [.. new[] { one.GetString()! }.Where(text => text.Length > 0)],
        { ValueKind: JsonValueKind.Array } list when list.EnumerateArray().All(item => item.ValueKind == JsonValueKind.String)
            => [.. list.EnumerateArray().Select(item => item.GetString()!)],
        _ => throw request.Wrong(name, "a string or a list of strings"),
    };

    private static FreezeMode Mode(DapRequest request) => request.Text("freeze") is not { } word ? FreezeMode.Brief
        : Enum.GetValues<FreezeMode>().Where(mode => mode.ToString().Equals(word, StringComparison.OrdinalIgnoreCase)) is var modes && modes.Any() ? modes.First()
        : throw request.Wrong("freeze", "brief, full, none, copy or parts");

    // Checked before any target is opened.
    private void Check()
    {
        if (SymbolPath.FirstOrDefault(folder => !Directory.Exists(folder)) is { } missing)
            throw new UsageException($"there is no folder '{missing}' (given as symbolPath)", "set symbolPath to the folder that holds the PDB files");
        if (Dac is not null && !File.Exists(Dac))
            throw new UsageException($"there is no file '{Dac}' (given as dac)", $"set dac to the path of the target's own {TargetOptions.DacFileName}");
        if (Layout is not null && !File.Exists(Layout))
            throw new UsageException($"there is no file '{Layout}' (given as layout)", "set layout to the path of a description, as in docs/layouts.md");
        if (Layout is not null)
            LayoutVerification.Of(Layout);
    }
}
