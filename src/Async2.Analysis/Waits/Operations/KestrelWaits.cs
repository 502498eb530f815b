using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>
/// What Kestrel sends and its client does not read: a response, or a message of a WebSocket, waits for a promise of the connection's writer until the
/// pipe behind that has room again (ConcurrentPipeWriter and SocketConnection of ASP.NET Core 10.0.12).
/// </summary>
internal sealed class KestrelWaits(WaitReaderContext all) : IWaitFamily<KestrelWaits>
{
    private const string Kestrel = "Microsoft.AspNetCore.Server.Kestrel.";
    private static readonly LibraryObject Writer = new(Kestrel + "Core.Internal.Infrastructure.PipeWriterHelpers.ConcurrentPipeWriter", "_currentFlushTcs", "_task");
    private static readonly LibraryObject Connection = new(Kestrel + "Transport.Sockets.Internal.SocketConnection");

    public static IReadOnlyList<LibraryObject> Objects { get; } = [Writer, Connection];

    private readonly PipeWaits _pipes = PipeWaits.Open(all);
    private readonly SocketWaits _sockets = SocketWaits.Open(all);
    private Dictionary<ulong, HeapObject>? _byPipe;

    public static KestrelWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type) => null;

    public WaitReason? ReadOwner(HeapObject owner, LibraryObject kind)
    {
        HeapObject pipe = all.Fields.Follow(owner, "_innerPipeWriter", "_pipe");
        if (pipe.Address == 0)
            return null;
        WaitReason reason = _pipes.OfPipe(pipe, isReader: false);
        return ClientOf(pipe) is { } client ? reason with { Shared = [client, .. reason.Shared] } : reason;
    }

    private WaitFact? ClientOf(HeapObject pipe)
    {
        if (!(_byPipe ??= Build()).TryGetValue(pipe.Address, out HeapObject connection) || _sockets.Of(all.Fields.Follow(connection, "_socket")) is not { } socket)
            return null;
        WaitFact end = socket.Shared.FirstOrDefault(fact => fact.Key is WaitFactKey.RemoteSource or WaitFactKey.RemoteTarget);
        return end.Text is null ? null : end with { Key = WaitFactKey.RemoteTarget };
    }

    // The transport's end of a connection writes into the pipe that the socket sends from.
    private Dictionary<ulong, HeapObject> Build()
    {
        var found = new Dictionary<ulong, HeapObject>();
        foreach (HeapObject connection in all.Library.Of(Connection))
        {
            if (all.Fields.Follow(connection, "_originalTransport", ObjectFields.Behind("Output"), "_pipe") is { Address: not 0 } pipe)
                found.TryAdd(pipe.Address, connection);
        }
        return found;
    }
}
