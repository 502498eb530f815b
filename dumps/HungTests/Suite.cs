using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace HungTests;

/// <summary>Tests that do not end, each for another reason, and tests that do. Each says where it will wait: <c>truth NAME LINE</c>.</summary>
public sealed partial class Suite
{
    private static readonly SemaphoreSlim Left = new(1, 1), Right = new(1, 1);
    private static readonly List<object> Kept = [];

    public async Task Deadlock()
    {
        Task other = BackwardsAsync();
        await Left.WaitAsync();
        try
        {
            await Task.Delay(100);
            Say(); await Right.WaitAsync();
            Right.Release();
        }
        finally
        {
            Left.Release();
        }
        await other;
    }

    public async Task Lost()
    {
        var never = new TaskCompletionSource();
        Kept.Add(never);
        Say(); await never.Task;
    }

    // Each of these blocks a worker of the pool, until none is left.
    public Task Blocking()
    {
        var never = new TaskCompletionSource();
        Kept.Add(never);
        Say(); never.Task.Wait();
        return Task.CompletedTask;
    }

    public async Task Fixture()
    {
        Say(); await new TaskCompletionSource().Task;
    }

    // The runtime stops all threads and waits for one that it cannot stop: nothing that is managed runs any more.
    public Task Frozen()
    {
        Say();
        new Thread(Unstoppable) { IsBackground = true }.Start();
        Thread.Sleep(300);
        GC.Collect();
        return Task.CompletedTask;
    }

    private static unsafe void Unstoppable()
    {
        int* ends = stackalloc int[2];
        byte nothing;
        _ = Pipe(ends);
        _ = Read(ends[0], &nothing, 1);
    }

    [LibraryImport("libc", EntryPoint = "pipe")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static unsafe partial int Pipe(int* ends);

    [LibraryImport("libc", EntryPoint = "read")]
    [SuppressGCTransition]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static unsafe partial nint Read(int file, byte* bytes, nint length);

    public async Task Slow()
    {
        Say(); await Task.Delay(TimeSpan.FromSeconds(12));
    }

    public async Task Child()
    {
        using var child = Process.Start(Environment.ProcessPath!, [typeof(Suite).Assembly.Location, "child"]);
        Say(); await child.WaitForExitAsync();
    }

    public async Task<int> WaitInChild()
    {
        var never = new TaskCompletionSource<int>();
        Kept.Add(never);
        Say(); return await never.Task;
    }

    public async Task Quick() => await Task.Delay(50);

    /// <summary>A test that is well and short: some milliseconds of a processor, as scripts/hangs.mjs runs thousands of.</summary>
    public async Task Work()
    {
        await Task.Yield();
        ShortWork.Do();
    }

    private static async Task BackwardsAsync()
    {
        await Right.WaitAsync();
        try
        {
            await Task.Delay(100);
            await Left.WaitAsync();
            Left.Release();
        }
        finally
        {
            Right.Release();
        }
    }

    private static void Say([CallerMemberName] string name = "", [CallerLineNumber] int line = 0) => Console.WriteLine($"truth {name} {line}");
}
