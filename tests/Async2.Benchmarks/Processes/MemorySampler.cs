using System.Diagnostics;
using System.Globalization;

namespace Async2.Benchmarks.Processes;

/// <summary>
/// Looks every few milliseconds at the private memory (RssAnon: present, not backed by a file) of a process and all below it, and
/// keeps the highest value that any one of them had: of the tool that is the process that reads. Mapped files, so also the
/// pages of a mapped dump, are not counted: the system can drop them whenever it needs the room.
/// </summary>
internal sealed class MemorySampler
{
    private const string Field = "RssAnon:";
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(2);

    /// <summary>Bytes.</summary>
    public long Peak { get; private set; }

    /// <summary>Samples until the process ends.</summary>
    public void Watch(Process process)
    {
        while (!process.WaitForExit(Pause))
        {
            foreach (int pid in Tree(process.Id))
                Peak = Math.Max(Peak, PrivateBytes(pid));
        }
    }

    private static IEnumerable<int> Tree(int root)
    {
        var open = new Stack<int>([root]);
        while (open.TryPop(out int pid))
        {
            yield return pid;
            foreach (int child in Children(pid))
                open.Push(child);
        }
    }

    private static int[] Children(int pid)
    {
        try
        {
            return [.. Directory.EnumerateDirectories($"/proc/{pid}/task")
                .SelectMany(task => File.ReadAllText($"{task}/children").Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Select(child => int.Parse(child, CultureInfo.InvariantCulture))];
        }
        catch (IOException)
        {
            return []; // A thread or the process ended while it was looked at.
        }
    }

    private static long PrivateBytes(int pid)
    {
        try
        {
            string? line = File.ReadLines($"/proc/{pid}/status").FirstOrDefault(line => line.StartsWith(Field, StringComparison.Ordinal));
            return line is null ? 0 : 1024 * long.Parse(line[Field.Length..].Replace("kB", "", StringComparison.Ordinal), CultureInfo.InvariantCulture);
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
