using System.Globalization;
using System.IO.Enumeration;
using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Fleets;

/// <summary>Which of the machine's .NET processes are meant: ids, names, and names with * in them. It is asked again and again: processes come and go.</summary>
/// <param name="words">As typed.</param>
internal sealed class ProcessChoice(IReadOnlyList<string> words)
{
    private const string Tool = "dotnet-async2";

    /// <summary>Only ids: others than those that run now will never be meant.</summary>
    public bool IsOfIds => words.All(word => IdOf(word) is not null);

    /// <summary>As typed.</summary>
    public IReadOnlyList<string> Words => words;

    /// <summary>Several are meant, or there may be several.</summary>
    public static bool IsOfSeveral(IReadOnlyList<string> words) => words.Count != 1 || words[0].Contains('*', StringComparison.Ordinal);

    /// <summary>Those that run now; without those of this tool, which others may have started, too.</summary>
    public IEnumerable<RunningProcess> Find() => ProcessList.All().Where(process => process.Name != Tool && words.Any(word => IsMeant(word, process)));

    /// <summary>A word means a process.</summary>
    public static bool IsMeant(string word, RunningProcess process) => IdOf(word) is { } pid ? process.Pid == pid : FileSystemName.MatchesSimpleExpression(word, process.Name, ignoreCase: false);

    private static int? IdOf(string word) => int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out int pid) ? pid : null;
}
