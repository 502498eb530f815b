using System.Diagnostics;

namespace Async2.Testing;

/// <summary>
/// Runs <c>dotnet-async2 hang</c> on a process. It writes to the same outputs as this process: a test host whose thread pool is stuck could pass nothing on.
/// </summary>
/// <param name="chosen">The tool's file, given by the user; null to look for it.</param>
internal sealed class HangTool(string? chosen)
{
    private const string Name = "dotnet-async2";
    private const string Variable = "ASYNC2_TOOL";

    // The tool has limits of its own; this one is for what nobody foresaw.
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5), ReadLimit = TimeSpan.FromSeconds(10);

    /// <summary>Gets what the tool prints, line by line, from any thread; null where it prints to the outputs of this process.</summary>
    public Action<string>? Lines { get; init; }

    /// <summary>Reads a process and prints.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="hung">Its tests.</param>
    /// <param name="folder">Where files go.</param>
    /// <returns>Files that it saved; null if it could not run, which was said.</returns>
    public string[]? Run(int pid, HungTests hung, string folder)
    {
        if (Find() is not { } tool)
        {
            Say($"async2: {(hung.Names.Count == 0 ? "nothing has happened" : string.Join(", ", hung.Names) + " runs")} for {HangTime.TextOf(hung.For)}; its stacks cannot be shown, because {Name} was not found");
            Say($"fix: dotnet tool install -g {Name}, or --async2-tool FILE, or the variable {Variable}");
            return null;
        }
        HashSet<string> before = Files(folder, pid);
        try
        {
            using Process process = Process.Start(Command(tool, pid, hung, folder))!;
            process.StandardInput.Close();
            Thread[] readers = Lines is null ? [] : [Reader(process.StandardOutput), Reader(process.StandardError)];
            if (!process.WaitForExit((int)Limit.TotalMilliseconds))
            {
                process.Kill();
                Say($"async2: {Name} was ended, because it took more than {HangTime.TextOf(Limit)}");
            }
            foreach (Thread reader in readers)
                reader.Join(ReadLimit);
            return [.. Files(folder, pid).Except(before)];
        }
        catch (Exception e) when (e is System.ComponentModel.Win32Exception or InvalidOperationException or IOException)
        {
            Say($"async2: {tool} could not be started: {e.Message}");
            return null;
        }
    }

    // Not by events, which need the pool.
    private Thread Reader(StreamReader reader)
    {
        var thread = new Thread(() =>
        {
            try
            {
                while (reader.ReadLine() is { } line)
                    Take(line);
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
            {
                // It has ended.
            }
        })
        { IsBackground = true, Name = "async2 hang output" };
        thread.Start();
        return thread;
    }

    private ProcessStartInfo Command(string tool, int pid, HungTests hung, string folder)
    {
        // Not the test's own input, which somebody may read.
        var start = new ProcessStartInfo(tool.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) ? "dotnet" : tool) { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = Lines is not null, RedirectStandardError = Lines is not null };
        if (start.FileName != tool)
            start.ArgumentList.Add(tool);
        foreach (string word in (string[])["hang", FormattableString.Invariant($"{pid}"), "--running", HangTime.TextOf(hung.For), "--output", folder])
            start.ArgumentList.Add(word);
        foreach (string name in hung.Names)
        {
            start.ArgumentList.Add("--test");
            start.ArgumentList.Add(name);
        }
        // What runs tests may have these set for them.
        foreach (string name in (string[])["DOTNET_STARTUP_HOOKS", "DOTNET_DiagnosticPorts", "CORECLR_ENABLE_PROFILING"])
            start.Environment.Remove(name);
        return start;
    }

    // Other runs may use the same folder at the same time.
    private static HashSet<string> Files(string folder, int pid) => Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, FormattableString.Invariant($"async2-hang-{pid}-*"))] : [];

    // Standard error is not buffered, and needs no thread of the pool.
    private void Say(string line)
    {
        if (Lines is null)
            Console.Error.WriteLine(line);
        else
            Take(line);
    }

    private void Take(string? line)
    {
        if (line is null || Lines is null)
            return;
        lock (Lines)
            Lines(line);
    }

    private string? Find()
    {
        foreach (string? candidate in (string?[])[chosen, Environment.GetEnvironmentVariable(Variable)])
        {
            if (!string.IsNullOrEmpty(candidate))
                return File.Exists(candidate) ? candidate : null;
        }
        string file = OperatingSystem.IsWindows() ? Name + ".exe" : Name;
        string home = Path.Join(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".dotnet", "tools");
        return (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Where(Path.IsPathFullyQualified).Append(home).Select(folder => Path.Join(folder, file)).FirstOrDefault(File.Exists);
    }
}
