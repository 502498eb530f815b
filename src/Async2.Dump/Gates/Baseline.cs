using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Formats;
using Async2.Dump.Cli;

namespace Async2.Dump.Gates;

/// <summary>Keys of the findings that are known: lines and addresses are not part of them.</summary>
internal static class Baseline
{
    /// <param name="path">A JSON answer or a snapshot; null for none.</param>
    /// <exception cref="UsageException">It is not there, or neither.</exception>
    public static IReadOnlySet<string> Read(string? path)
    {
        if (path is null)
            return new HashSet<string>();
        if (!File.Exists(path))
            throw new UsageException($"--baseline: there is no file {path}", "write one: dotnet-async2 check TARGET --format json -o FILE");
        if (StackReport.IsSnapshot(path))
            return Keys(SnapshotFile.Read(path).Ask(new AnalysisOptions(), CancellationToken.None).Findings);
        try
        {
            using FileStream file = File.OpenRead(path);
            return Keys(JsonViewReader.Read(file).Findings);
        }
        catch (InvalidDataException exception)
        {
            throw new UsageException($"--baseline: {path} is not an answer in JSON: {exception.Message}", "write one: dotnet-async2 check TARGET --format json -o FILE");
        }
    }

    private static HashSet<string> Keys(IEnumerable<Finding> findings) => [.. findings.Select(finding => finding.Key).Where(key => key.Length > 0)];
}
