using System.Globalization;

namespace Async2.Testing;

/// <summary>
/// The output of "dotnet test", which keeps what a test program prints until that has ended (.NET SDK 10.0): one that hangs never does. Its own output can be opened on
/// Linux, if it is a pipe, as in CI, or a terminal. A file cannot: two writers would write over each other.
/// </summary>
internal static class RunnerOutput
{
    private const int MostAncestors = 4;

    /// <summary>Opens the output of who started this process; null where that is not possible.</summary>
    public static FileStream? Open()
    {
        if (!OperatingSystem.IsLinux() || TargetOf("self") is not { } own)
            return null;
        // A controller may stand between this process and the one that captures.
        int pid = Environment.ProcessId;
        for (int i = 0; i < MostAncestors && (pid = ParentOf(pid)) > 0; i++)
        {
            string name = pid.ToString(CultureInfo.InvariantCulture);
            if (TargetOf(name) is not { } target)
                return null;
            if (target != own)
                return target.StartsWith("pipe:", StringComparison.Ordinal) || target.StartsWith("/dev/", StringComparison.Ordinal) ? OpenOf(name) : null;
        }
        return null;
    }

    private static FileStream? OpenOf(string pid)
    {
        try
        {
            return new FileStream($"/proc/{pid}/fd/1", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string? TargetOf(string pid)
    {
        try
        {
            return new FileInfo($"/proc/{pid}/fd/1").LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    // proc(5): the name, which may hold anything, is in parentheses; behind it are state and parent.
    private static int ParentOf(int pid)
    {
        try
        {
            string stat = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/stat"));
            return int.Parse(stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException or IndexOutOfRangeException)
        {
            return 0;
        }
    }
}
