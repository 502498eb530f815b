using System.Text.Json;

namespace Async2.Benchmarks.Processes;

/// <summary>The tool as users get it: <c>dotnet PATH/dotnet-async2.dll</c>, or one native file.</summary>
internal sealed class Tool(string path)
{
    private const int Fine = 0;
    private const int Incomplete = 4;

    public string Path { get; } = path;

    /// <summary>The native build of the same sources, if it was made.</summary>
    public static Tool? Native { get; } = Repository.PathOf("artifacts", "native", "dotnet-async2") is var file && File.Exists(file) ? new Tool(file) : null;

    /// <summary>The one that was asked for, else the published one, else what the build left.</summary>
    /// <exception cref="BenchException">There is none.</exception>
    public static Tool Find(string? chosen)
    {
        string[] places = chosen is not null ? [chosen] :
        [
            Repository.PathOf("artifacts", "tool", "dotnet-async2.dll"),
            Repository.PathOf("src", "Async2.Dump", "bin", "Release", "net10.0", "dotnet-async2.dll"),
        ];
        return places.FirstOrDefault(File.Exists) is { } found
            ? new Tool(found)
            : throw new BenchException($"there is no {string.Join(" and no ", places)}");
    }

    /// <summary>Whether a build of these sources is newer than the tool that is measured.</summary>
    public bool IsStale => Directory.GetFiles(Repository.PathOf("src", "Async2.Dump", "bin", "Release", "net10.0"), "*sync2*.dll")
        .Any(built => File.GetLastWriteTimeUtc(built) > File.GetLastWriteTimeUtc(System.IO.Path.Join(System.IO.Path.GetDirectoryName(Path), System.IO.Path.GetFileName(built))));

    /// <summary>Analyzes a target to coalesced text.</summary>
    /// <exception cref="BenchException">It gave no answer.</exception>
    public TimeSpan Analyze(string target) => Run([target]).Time;

    /// <summary>Highest private memory of the process that reads, in bytes.</summary>
    public long PeakMemory(string target)
    {
        var sampler = new MemorySampler();
        Run([target], sampler);
        return sampler.Peak;
    }

    /// <summary>How many suspended frames it finds; for the certainty that it is not fast because it looks away.</summary>
    public long CountFrames(string target)
    {
        using var answer = JsonDocument.Parse(Run([target, "--format", "json"]).Output);
        return answer.RootElement.GetProperty("totals").GetProperty("frames").GetInt64();
    }

    private ChildResult Run(string[] arguments, MemorySampler? sampler = null)
    {
        ChildResult result = Child.Run(Path, ["analyze", .. arguments], sampler is null ? null : sampler.Watch);
        return result.ExitCode is Fine or Incomplete && result.Output.Length > 0
            ? result
            : throw new BenchException($"dotnet-async2 ended with {result.ExitCode}: {result.Errors.Trim()}");
    }
}
