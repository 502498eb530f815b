using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>
/// Reads and writes of files, with the path. A thread of the pool does them, but for files that Windows has opened as asynchronous (System.Private.CoreLib 10.0.12:
/// <c>SafeFileHandle.ThreadPoolValueTaskSource</c>, <c>OverlappedValueTaskSource</c>).
/// </summary>
internal sealed class FileWaits(WaitReaderContext all) : IWaitFamily<FileWaits>
{
    private const string Handle = "Microsoft.Win32.SafeHandles.SafeFileHandle+";
    private const string OnPool = Handle + "ThreadPoolValueTaskSource", Overlapped = Handle + "OverlappedValueTaskSource";

    // ThreadPoolValueTaskSource.Operation: None, Read, Write, ReadScatter, WriteGather.
    private static readonly WaitAction[] Actions = [WaitAction.None, WaitAction.Read, WaitAction.Write, WaitAction.Read, WaitAction.Write];

    private readonly WaitFactList _facts = new();

    public static IReadOnlyList<KnownWait> Names { get; } =
    [
        new(Handle, WaitKind.Socket, null),
    ];

    public static FileWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type) => type.Name is OnPool or Overlapped ? address => new(Read(all.At(address))) : null;

    private WaitReason Read(HeapObject operation)
    {
        HeapObject handle = all.Fields.Follow(operation, "_fileHandle");
        _facts.AddText(WaitFactKey.Path, all.Fields.Text(handle, "_path"));
        WaitAction action = all.Fields.Byte(operation, "_operation") is { } code && code < Actions.Length ? Actions[code] : WaitAction.None;
        return new(WaitKind.Socket, "File", action) { Resource = handle.Address, Shared = _facts.Take() };
    }
}
