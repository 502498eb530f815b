using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Waits.Reading;

/// <summary>
/// Operations whose sockets are the two ends of one connection, and that wait for each other: both receive, and nothing is under way; or both send, and both have got what nobody takes. Of a live
/// process on Linux only. The system is asked after the process was copied, so an operation counts only if the process is still in the same one then.
/// </summary>
internal sealed class SocketPairs(WaitReaderContext all)
{
    // More are a crowd in which somebody goes on.
    private const int Limit = 1_000;

    private readonly int? _pid = all.Target.Origin is { IsHosted: false, SystemPid: var pid } ? pid : null;

    /// <summary>Address of the other end, a Socket, for each operation of such a pair.</summary>
    /// <param name="waiting">Operations (AwaitableSocketAsyncEventArgs), and their sockets.</param>
    /// <param name="areSending">They send; otherwise they receive.</param>
    public IReadOnlyDictionary<ulong, ulong> Of(IReadOnlyCollection<(ulong Operation, ulong Socket)> waiting, bool areSending)
    {
        if (_pid is not { } pid || waiting.Count is < 2 or > Limit)
            return new Dictionary<ulong, ulong>();
        var byFile = new Dictionary<int, (ulong Operation, ulong Socket)>();
        foreach ((ulong operation, ulong socket) in waiting)
        {
            if (all.Fields.Int32(all.Fields.Follow(all.At(socket), "_handle"), "handle") is >= 0 and var file)
                byFile.TryAdd(file, (operation, socket));
        }
        IReadOnlyDictionary<int, int> pairs = new TcpConnections(pid).Between(byFile.Keys, areFull: areSending);
        return pairs.Count == 0 ? new Dictionary<ulong, ulong>() : Still(pid, [.. pairs.Select(pair => (byFile[pair.Key].Operation, byFile[pair.Value]))]);
    }

    private Dictionary<ulong, ulong> Still(int pid, (ulong Operation, (ulong Operation, ulong Socket) Other)[] pairs)
    {
        try
        {
            using var live = new LiveMemory(pid);
            return pairs.Where(pair => IsStill(live, pair.Operation) && IsStill(live, pair.Other.Operation)).ToDictionary(pair => pair.Operation, pair => pair.Other.Socket);
        }
        catch (Exception e) when (e is InvalidOperationException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    // Counts each use of the operation (ManualResetValueTaskSourceCore, System.Private.CoreLib 10.0.12), which a socket has one of.
    private bool IsStill(LiveMemory live, ulong operation)
    {
        Span<byte> then = stackalloc byte[sizeof(short)], now = stackalloc byte[sizeof(short)];
        return all.Fields.OffsetOf(all.At(operation), "_mrvtsc/_version") is { } offset && all.Target.Memory.TryRead(operation + (ulong)offset, then)
            && live.Read(operation + (ulong)offset, now) == now.Length && then.SequenceEqual(now);
    }
}
