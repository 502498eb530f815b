using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Async2.Benchmarks.Processes;

/// <summary>
/// A running workload program; ends when disposed. A shell starts it and ends, so that it is nobody's child: .NET takes a child
/// that a tracer stops for one that ended.
/// </summary>
internal sealed class WorkloadProcess : IDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(20);

    private readonly Process _shell;
    private readonly StringBuilder _errors = new();

    private WorkloadProcess(Process shell)
    {
        _shell = shell;
        _shell.ErrorDataReceived += (_, e) => _errors.AppendLine(e.Data);
        _shell.BeginErrorReadLine();
    }

    public int Pid { get; private set; }

    /// <summary>Suspended methods, as the program knows them.</summary>
    public long Frames { get; private set; }

    /// <summary>Memory that is present, in bytes.</summary>
    public long Size
    {
        get
        {
            using var process = Process.GetProcessById(Pid);
            return process.WorkingSet64;
        }
    }

    /// <exception cref="BenchException">It did not get ready.</exception>
    public static WorkloadProcess Start(params string[] arguments)
        => Start("Workloads", ("DOTNET_RuntimeAsync", "1"), arguments, process => long.Parse(process.Expect("frames ", StartLimit), CultureInfo.InvariantCulture));

    /// <summary>Stacks of tasklets. The program says what it made in its own way; there is one frame more in each, which is not shown.</summary>
    /// <exception cref="BenchException">It did not get ready.</exception>
    public static WorkloadProcess StartTasklets(int stacks, int depth)
    {
        string[] arguments = ["--stacks", stacks.ToString(CultureInfo.InvariantCulture), "--depth", depth.ToString(CultureInfo.InvariantCulture)];
        return Start("TaskletFixture", ("DOTNET_TieredCompilation", "0"), arguments, process =>
        {
            process.Expect("{", StartLimit);
            return (long)stacks * depth;
        });
    }

    private static WorkloadProcess Start(string name, (string Name, string Value) setting, string[] arguments, Func<WorkloadProcess, long> frames)
    {
        var start = new ProcessStartInfo("sh")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        string program = Repository.PathOf("dumps", name, "bin", "Release", "net10.0", name + ".dll");
        foreach (string word in (string[])["-c", "exec 3<&0; \"$@\" <&3 & exit 0", "sh", Child.Host, program, .. arguments])
            start.ArgumentList.Add(word);
        start.Environment[setting.Name] = setting.Value;
        var process = new WorkloadProcess(Process.Start(start)!);
        try
        {
            process.Frames = frames(process);
            process.Pid = int.Parse(process.Expect("ready ", StartLimit), CultureInfo.InvariantCulture);
            return process;
        }
        catch
        {
            process.Dispose();
            throw;
        }
    }

    /// <summary>From now on only new gaps count.</summary>
    public void ResetGap() => Ask("reset");

    /// <summary>The longest time that the heartbeat was kept from running since <see cref="ResetGap"/>.</summary>
    public TimeSpan LongestGap() => TimeSpan.FromMilliseconds(double.Parse(Ask("gap"), CultureInfo.InvariantCulture));

    public void Dispose()
    {
        // The program ends by itself when its input does.
        _shell.StandardInput.Close();
        long start = Stopwatch.GetTimestamp();
        while (Pid != 0 && Directory.Exists($"/proc/{Pid}"))
        {
            if (Stopwatch.GetElapsedTime(start) > AnswerLimit)
                Process.GetProcessById(Pid).Kill();
            Thread.Sleep(5);
        }
        _shell.Dispose();
    }

    private string Ask(string question)
    {
        _shell.StandardInput.WriteLine(question);
        _shell.StandardInput.Flush();
        return Expect("gap ", AnswerLimit);
    }

    private string Expect(string start, TimeSpan limit)
    {
        Task<string?> line = _shell.StandardOutput.ReadLineAsync();
        return line.Wait(limit) && line.Result?.StartsWith(start, StringComparison.Ordinal) == true
            ? line.Result[start.Length..]
            : throw new BenchException($"the workload did not say '{start.Trim()}': {_errors.ToString().Trim()}");
    }
}
