using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Dumps;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>
/// An opened process or dump: knows how it was frozen, and owns its lifetime unless it is a debugger's. Open, analyze and dispose on one thread: the
/// kernel ties a stopped process to the thread that stopped it.
/// </summary>
public sealed class Target : IDisposable
{
    private readonly DataTarget _dataTarget;
    private bool _isDisposed;

    internal Target(DataTarget dataTarget, ClrRuntime runtime, TargetOptions options, TargetOrigin origin)
    {
        _dataTarget = dataTarget;
        Runtime = runtime;
        Options = options;
        Origin = origin;
        CapturedAt = CaptureTime.Of(origin);
        Memory = OpenMemory();
    }

    internal ClrRuntime Runtime { get; }

    internal TargetMemory Memory { get; private set; }

    internal TargetOptions Options { get; }

    internal TargetOrigin Origin { get; set; }

    internal CaptureTime CapturedAt { get; private set; }

    /// <summary>The target's operating system, <c>linux</c>.</summary>
    internal string OsName
    {
        get
        {
            OSPlatform platform = _dataTarget.DataReader.TargetPlatform;
            return platform == OSPlatform.Linux ? "linux" : platform == OSPlatform.Windows ? "windows" : platform == OSPlatform.OSX ? "macos" : "unknown";
        }
    }

    /// <summary>The target's processor.</summary>
    internal Architecture Architecture => _dataTarget.DataReader.Architecture;

    /// <summary>The same as people write it, <c>x64</c>.</summary>
    internal string ArchitectureName => Architecture.ToString().ToLowerInvariant();

    /// <summary>Why reading failed for good (the process has ended, the disk is broken); null if it did not.</summary>
    internal Exception? Failure => Reader?.Failure;

    /// <summary>The process is stopped for as long as this is open.</summary>
    public bool IsStopped => Origin.Freeze is not null;

    /// <summary>How long the process has been stopped so far; null if it was not stopped.</summary>
    internal TimeSpan? FrozenFor => Origin.Freeze is { } freeze ? freeze.StoppedFor : Origin.Copy?.StoppedFor;

    /// <summary>The process ended after it was copied, and memory that nothing else has was asked for.</summary>
    internal bool HasMissed => Reader?.HasMissed == true;

    /// <summary>Makes the data access library begin at the caller of native code; false if a debugger reads the target.</summary>
    /// <param name="thread">The system's id of the thread.</param>
    /// <param name="context">The registers of the caller, a CONTEXT of winnt.h.</param>
    internal bool TryPutCaller(uint thread, byte[] context)
    {
        Reader?.PutCaller(thread, context);
        return Reader is not null;
    }

    /// <summary>Shows the data access library another word than the memory has; false if a debugger reads the target.</summary>
    internal bool TryPutWord(ulong address, ulong word)
    {
        Reader?.PutWord(address, word);
        return Reader is not null;
    }

    /// <summary>Reads memory as the data access library is shown it; false if a part is missing.</summary>
    internal bool TryReadShown(ulong address, Span<byte> buffer) => Reader is { } reader ? reader.Read(address, buffer) == buffer.Length : Memory.TryRead(address, buffer);

    /// <summary>The registers that a thread has, whatever caller the data access library is shown.</summary>
    internal bool TryReadRegisters(uint thread, uint flags, Span<byte> context)
        => Reader?.GetOwnContext(thread, flags, context) ?? _dataTarget.DataReader.GetThreadContext(thread, flags, context);

    private GuardedReader? Reader => _dataTarget.DataReader as GuardedReader;

    /// <summary>Opens a pid, the name of a running process when only one has it, or a dump file.</summary>
    /// <exception cref="TargetException">The target cannot be opened; the message names the fix.</exception>
    public static Target Open(string target, TargetOptions options) => TargetResolver.Open(target, options);

    /// <summary>Opens a live process.</summary>
    /// <exception cref="TargetException">The process cannot be opened; the message names the fix.</exception>
    public static Target OpenProcess(int pid, TargetOptions options) => ProcessOpener.Open(pid, options);

    /// <summary>Opens a core dump or minidump.</summary>
    /// <exception cref="TargetException">The dump cannot be opened; the message names the fix.</exception>
    public static Target OpenDump(string path, TargetOptions options) => DumpOpener.Open(path, options);

    /// <summary>Path of the data access library with which a process would be read. Nothing is loaded, and the process is not stopped.</summary>
    /// <exception cref="TargetException">It would not be read; the message says why.</exception>
    public static string FindDac(int pid, TargetOptions options) => ProcessOpener.FindDac(pid, options);

    /// <summary>
    /// Looks at a target that a debugger has open, through the debugger's own reader. It stays the debugger's: disposing this
    /// closes nothing of the debugger's. The debugger must hold it still, and read with one thread at a time.
    /// </summary>
    /// <param name="runtime">The debugger's.</param>
    /// <param name="isDump">It is a dump, not a stopped process.</param>
    /// <param name="dumpPath">The dump's file, to see whether it is whole, and to read in place what the debugger would copy; null where nobody knows.</param>
    public static Target FromRuntime(ClrRuntime runtime, bool isDump, string? dumpPath = null) => new(runtime.DataTarget, runtime, new TargetOptions(), new TargetOrigin
    {
        IsHosted = true,
        IsHostedDump = isDump,
        Mapped = isDump && dumpPath is not null ? HostedMapping.TryMap(runtime, dumpPath) : null,
        Pid = runtime.DataTarget.DataReader.ProcessId is > 0 and var pid ? pid : null,
        RuntimeVersion = RuntimeOpener.RuntimeVersion(runtime.ClrInfo),
        Problems = dumpPath is not null && DamageOf(dumpPath) is { } damage ? [damage] : [],
    });

    /// <summary>What can be seen of a dump's damage without reading it: that it was truncated. Null if it looks whole.</summary>
    public static Problem? DamageOf(string dumpPath) => DumpOpener.Damage(dumpPath);

    /// <summary>Whether a copied process was collecting garbage, while it was stopped or between the two looks at it.</summary>
    internal bool IsCopiedInCollection => Origin.Copy is { } copy && Reader is { } reader && HeapMoves.In(copy, Runtime, reader);

    /// <summary>From now on the process is read in another way: what was read of it before is forgotten, as it is of another moment.</summary>
    /// <param name="access">How.</param>
    /// <param name="problems">What is said about the target besides what the access says.</param>
    internal void Use(ProcessAccess access, ImmutableArray<Problem> problems)
    {
        ProcessCopy source = access.Copy ?? ProcessCopy.OfNothing(Origin.Pid!.Value, access.Freeze);
        if (!ReferenceEquals(Origin.View, source.View))
            Origin.View?.Dispose();
        Origin.Freeze?.Dispose();
        Reader!.Switch(CopiedProcessReader.Of(source, access.Freeze), access.Copy?.Image);
        Origin = Origin with { Freeze = access.Freeze, Copy = access.Copy, View = source.View, IsToBeCopied = access.IsToBeCopied, Problems = problems.AddRange(access.Problems) };
        CapturedAt = CaptureTime.Of(Origin);
        Memory = OpenMemory();
        Runtime.FlushCachedData();
    }

    // Reads of a debugger, and of what was not copied, cost by the byte.
    private TargetMemory OpenMemory() => Origin.IsHosted || Origin.Copy?.Old is not null
        ? new TargetMemory(_dataTarget.DataReader, Origin.Mapped ?? Reader?.Image, TargetMemory.SmallPageBits)
        : new TargetMemory(_dataTarget.DataReader, Reader?.Image);

    /// <summary>Describes that the target could not be read to the end.</summary>
    internal TargetException Explain(Exception e)
        => Origin.IsHosted ? new($"The target could not be read: {e.Message.Split('\n')[0].TrimEnd('\r', '.')}.", $"check it with the debugger's own commands, for example eeheap -gc; {HostCommands.Current.Name} reads dumps and processes without a debugger.", e)
            : Origin.DumpPath is { } path ? DumpOpener.Unreadable(path, Origin.Problems, e) : ProcessOpener.Explain(Origin.Pid ?? 0, e, Reader?.HasEnded == true);

    /// <summary>Code that never returns uses it: nothing of it can be let go.</summary>
    internal void GiveUp() => _isDisposed = true;

    /// <summary>Lets go of the target; a stopped process continues.</summary>
    public void Dispose()
    {
        // A second time it would be native code that is gone.
        if (_isDisposed)
            return;
        _isDisposed = true;
        Origin.Mapped?.Dispose();
        if (Origin.IsHosted)
            return;
        Runtime.Dispose();
        _dataTarget.Dispose();
        Origin.Freeze?.Dispose();
        Origin.View?.Dispose();
    }
}
