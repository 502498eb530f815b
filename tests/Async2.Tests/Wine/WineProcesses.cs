using System.Globalization;

namespace Async2.Tests.Wine;

/// <summary>Windows programs as Linux sees them.</summary>
internal static class WineProcesses
{
    // Ticks of /proc/PID/stat in a second (USER_HZ).
    private const int Ticks = 100;

    /// <summary>Processes of the tool that have each of these words on their command line.</summary>
    public static IEnumerable<int> Tools(params string[] words)
        => All().Where(process => process.Words.Any(word => word.EndsWith("dotnet-async2.exe", StringComparison.Ordinal)) && words.All(process.Words.Contains)).Select(process => process.Pid);

    /// <summary>Ends what is left of a run of the tool: a process whose threads Wine has lost would keep a processor busy for good.</summary>
    public static void EndTools(params string[] words)
    {
        foreach (int pid in Tools(words).ToList())
            Kill(pid);
    }

    /// <summary>How busy the machine is, and which Windows programs use most of it: why a run did not end.</summary>
    public static string Described()
    {
        string load = File.ReadAllText("/proc/loadavg").Split(' ')[0];
        IEnumerable<string> busy = All().Where(process => process.Words[0].EndsWith(".exe", StringComparison.Ordinal) || process.Words[0].Contains("wineserver", StringComparison.Ordinal))
            .Select(process => (process.Words, Facts: FactsOf(process.Pid))).OrderByDescending(process => process.Facts.Seconds).Take(8)
            .Select(process => string.Create(CultureInfo.InvariantCulture, $"{string.Join(' ', process.Words.Select(word => word.Split('\\', '/')[^1])).Trim()} {process.Facts.State} {process.Facts.Seconds:F0} s"));
        return $"load {load}; {string.Join("; ", busy)}";
    }

    /// <summary>Kills one, unless it has ended meanwhile.</summary>
    public static void Kill(int pid)
    {
        try
        {
            using var process = System.Diagnostics.Process.GetProcessById(pid);
            process.Kill();
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            // It was faster.
        }
    }

    private static IEnumerable<(int Pid, string[] Words)> All()
        => Directory.EnumerateDirectories("/proc").Select(folder => int.TryParse(Path.GetFileName(folder), out int pid) ? pid : 0).Where(pid => pid != 0).Select(pid => (pid, Text(pid, "cmdline").Split('\0')));

    // State and processor time: what follows the name, which is in brackets.
    private static (string State, double Seconds) FactsOf(int pid)
    {
        string[] fields = Text(pid, "stat").Split(") ")[^1].Split(' ');
        return fields.Length > 12 ? (fields[0], (double.Parse(fields[11], CultureInfo.InvariantCulture) + double.Parse(fields[12], CultureInfo.InvariantCulture)) / Ticks) : ("ended", 0);
    }

    private static string Text(int pid, string file)
    {
        try
        {
            return File.ReadAllText($"/proc/{pid}/{file}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
