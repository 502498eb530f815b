using Async2.Analysis.Code.Modules;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Waits;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Integration.Situations;

/// <summary>Threads that block in each kind of lock of the framework say in which, and who holds it.</summary>
[Trait("Category", "Integration")]
public sealed class ThreadWaitTests(ITestOutputHelper output)
{
    private static readonly string[] Expected =
    [
        "Lock, held by thread {owner}, 1 waiting",
        "ReaderWriterLockSlim, held for writing by thread {owner}, 0 writers and 1 reader waiting",
        "SemaphoreSlim, 0 free, 1 waiting",
        "ManualResetEventSlim, not set, 1 waiting",
        "CountdownEvent, 3 of 3 missing",
        "Barrier, 1 of 2 arrived, phase 0",
        "BlockingCollection, 0 of 5 items",
        "AutoResetEvent",
        "Thread.Join, for thread {owner}",
        "Monitor.Enter, object 0x{address} (object), held by thread {owner}",
        "Monitor.Wait, object 0x{address} (System.Threading.CountdownEvent), waiting for a pulse",
    ];

    [Fact]
    public void Blocked_threads_show_what_they_wait_for()
    {
        ScenarioBuild program = OlderRuntime.Classic;
        using var process = ScenarioProcess.Start(program, ["--only", "BlockedThreads"]);
        // Without a class Lock the scenario locks an object.
        string[] expected = [.. Expected.Where(e => OlderRuntime.HasLock || !e.StartsWith("Lock,", StringComparison.Ordinal))];
        Compare(process.Pid.ToString(), new TargetOptions(), expected);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("threads.dmp");
        ProgramDump.Write(process.Pid, dump);
        Compare(dump, program.ForDump, expected);
    }

    private void Compare(string name, TargetOptions options, string[] expected)
    {
        using var target = Target.Open(name, options);
        var modules = new LoadedModules(target, new ProblemLog());
        var reader = new ThreadWaitReader(target, modules, HeapResources.Of(target));
        List<(int Thread, WaitReason? Reason)> said = [.. target.Runtime.Threads.Where(t => t.IsAlive).Select(t => (t.ManagedThreadId, Read(t, modules, reader)))];
        foreach ((int thread, WaitReason? reason) in said)
            output.WriteLine($"{thread}: {Words(reason)}, owner {reason?.Owner}");
        int owner = said.Select(s => s.Reason?.Owner).OfType<int>().GroupBy(o => o).MaxBy(g => g.Count())?.Key ?? -1;
        string[] missing = [.. expected.Select(e => e.Replace("{owner}", $"{owner}", StringComparison.Ordinal)).Where(e => !said.Any(s => WaitPattern.Fits(e, Words(s.Reason))))];
        Assert.Empty(missing);
    }

    private static string Words(WaitReason? reason) => reason is null ? "" : WaitFormatter.Full(reason);

    // The user's call is the outermost of the framework's frames.
    private static WaitReason? Read(ClrThread thread, LoadedModules modules, ThreadWaitReader reader)
    {
        (string Type, string Method)? blocking = null;
        ulong lowest = 0;
        foreach (ClrStackFrame frame in thread.EnumerateStackTrace(includeContext: false, maxFrames: 64))
        {
            if (modules.Describe(frame.Method)?.Facts is not { } facts)
                continue;
            if (!facts.DeclaringType.FullName.StartsWith("System.", StringComparison.Ordinal))
                break;
            if (ThreadWaitReader.IsBlocking(facts.DeclaringType.FullName, facts.RawName))
                (blocking, lowest) = ((facts.DeclaringType.FullName, facts.RawName), frame.StackPointer);
        }
        if (blocking is not { } call)
            return null;
        ulong[] roots = [.. thread.EnumerateStackRoots().Where(r => r.StackFrame is { } f && f.StackPointer <= lowest).OrderBy(r => r.StackFrame!.StackPointer).Select(r => r.Object.Address)];
        return reader.Read(call.Type, call.Method, roots, thread.ManagedThreadId);
    }
}
