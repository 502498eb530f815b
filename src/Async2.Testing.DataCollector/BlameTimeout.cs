using System.Globalization;
using System.Text;

namespace Async2.Testing;

/// <summary>After what time VSTest's own hang dump comes, so that stacks come before it. A collector is told its own settings only; the command line of the console runner says it, on Linux.</summary>
internal static class BlameTimeout
{
    private const string Parent = "--parentprocessid", Timeout = "TestTimeout=";

    // Blame takes a bare number for milliseconds.
    private const string BareUnit = "ms";

    /// <summary>Of this run; null if there is none, or nobody says.</summary>
    public static TimeSpan? OfRun()
    {
        string[] own = Environment.GetCommandLineArgs();
        int at = Array.IndexOf(own, Parent);
        if (!OperatingSystem.IsLinux() || at < 0 || at + 1 >= own.Length || !int.TryParse(own[at + 1], NumberStyles.None, CultureInfo.InvariantCulture, out int runner))
            return null;
        try
        {
            return Of(Encoding.UTF8.GetString(File.ReadAllBytes(string.Create(CultureInfo.InvariantCulture, $"/proc/{runner}/cmdline"))).Split('\0'));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Of a command line: <c>--Blame:CollectHangDump;TestTimeout=20m</c>.</summary>
    public static TimeSpan? Of(IEnumerable<string> words)
    {
        string? blame = words.LastOrDefault(word => word.TrimStart('-', '/').StartsWith("Blame:", StringComparison.OrdinalIgnoreCase));
        string? timeout = blame?.Split(';', ':').LastOrDefault(part => part.StartsWith(Timeout, StringComparison.OrdinalIgnoreCase));
        return timeout is null ? null : HangTime.Parse(timeout[Timeout.Length..], BareUnit);
    }
}
