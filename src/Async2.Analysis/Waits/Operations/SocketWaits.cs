using System.Collections.Immutable;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Libraries;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Operations of sockets, with both ends where the socket knows them.</summary>
internal sealed class SocketWaits(WaitReaderContext all) : IWaitFamily<SocketWaits>
{
    public static IReadOnlyList<KnownWait> Names { get; } =
    [
        new("System.Net.Sockets.", WaitKind.Socket, null),
    ];

    private readonly LayoutCache<SocketLayout> _sockets = all.Layouts(SocketLayout.Of);
    private readonly EndPointReader _points = new(all);
    private readonly NpgsqlWaits _npgsql = new(all);
    private readonly WaitFactList _facts = new();

    public static SocketWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
        => SocketOperationLayout.Of(type, all.PointerSize) is { } layout ? address => new(Read(all.At(address), layout)) : null;

    /// <inheritdoc/>
    public BlockingReader? ReaderOf(BlockingKind kind) => kind == BlockingKind.Socket ? (item, _) => Of(item) : null;

    /// <summary>Both ends of a socket that a thread waits for; null for what is not a socket.</summary>
    public WaitReason? Of(HeapObject socket)
    {
        // A stream of a socket has it.
        if (_sockets.Of(socket) is null && all.Fields.Follow(socket, "_streamSocket") is { Address: not 0 } inner)
            socket = inner;
        if (_sockets.Of(socket) is not { } fields)
            return null;
        AddEnds(socket, fields, isIncoming: true);
        _facts.AddText(WaitFactKey.Sql, _npgsql.SqlOf(socket));
        return new(WaitKind.Socket) { Resource = socket.Address, Shared = _facts.Take() };
    }

    private WaitReason Read(HeapObject arguments, SocketOperationLayout layout)
    {
        int? operation = arguments.Int32(layout.Operation);
        HeapObject socket = arguments.At(layout.Socket);
        if (_sockets.Of(socket) is { } fields)
            AddEnds(socket, fields, SocketOperationLayout.IsIncoming(operation));
        _facts.AddText(WaitFactKey.Sql, _npgsql.SqlOf(socket));
        ImmutableArray<WaitFact> shared = _facts.Take();
        all.Tokens.AddToken(_facts, arguments, layout.Token);
        return new(WaitKind.Socket, "Socket", SocketOperationLayout.ActionOf(operation)) { Resource = socket.Address, Shared = shared, Own = _facts.Take() };
    }

    private void AddEnds(HeapObject socket, SocketLayout layout, bool isIncoming)
    {
        string? local = _points.Read(socket.At(layout.Local));
        string? remote = _points.Read(socket.At(layout.Remote));
        string? bound = _points.Read(socket.At(layout.Bound)), opened = bound;
        if (socket.Byte(layout.Connected) is > 0)
        {
            // The socket has not cached its end points. The operation that connected it may still have the remote one. Otherwise the end point
            // that the socket has is the remote one, unless the socket was bound before, which clients rarely do.
            // Port 0 cannot be remote: it requests any local port.
            if (bound?.EndsWith(":0", StringComparison.Ordinal) == true)
                bound = null;
            if (local is null && remote is null)
                remote = _points.Read(all.Fields.Follow(socket, "_singleBufferSendEventArgs", "_remoteEndPoint")) ?? bound;
            local ??= bound != remote ? bound : null;
            remote ??= bound != local ? bound : null;
        }
        else
        {
            local ??= bound;
            // For a pending connect this is the remote end point, even if the socket was bound.
            remote ??= layout.Pending is { } pending ? _points.Read(socket.At(pending)) : null;
            isIncoming &= remote is null;
        }
        if (local is null && remote is null)
            all.Streams.AddOwner(_facts, socket);
        _facts.AddText(WaitFactKey.LocalEnd, local);
        if (remote is not null)
            _facts.Add(isIncoming ? WaitFactKey.RemoteSource : WaitFactKey.RemoteTarget, (long)SideOf(opened, remote), remote);
    }

    // A socket that was bound to nothing has what it was connected to, an accepted one what its listener was bound to: not the port of its client.
    private static SocketSide SideOf(string? opened, string remote)
        => opened is null ? SocketSide.Unknown : PortOf(opened).SequenceEqual(PortOf(remote)) ? SocketSide.Connected : SocketSide.Accepted;

    private static ReadOnlySpan<char> PortOf(string end) => end.AsSpan(end.LastIndexOf(':') + 1);
}

/// <summary>
/// An operation of a socket, <c>SocketAsyncEventArgs</c> and what derives from it (System.Net.Sockets 10.0.12).
/// </summary>
/// <param name="Operation">int, SocketAsyncOperation; set when the operation starts.</param>
/// <param name="Socket">The socket.</param>
/// <param name="Token">CancellationTokenSource of the token that was given.</param>
internal sealed record SocketOperationLayout(int Operation, int Socket, int? Token)
{
    private const string TypeName = "System.Net.Sockets.SocketAsyncEventArgs";

    // System.Net.Sockets.SocketAsyncOperation.
    private static readonly WaitAction[] Actions =
    [
        WaitAction.None, WaitAction.Accept, WaitAction.Connect, WaitAction.Disconnect, WaitAction.Receive, WaitAction.ReceiveFrom,
        WaitAction.ReceiveMessageFrom, WaitAction.Send, WaitAction.SendPackets, WaitAction.SendTo,
    ];

    public static SocketOperationLayout? Of(ClrType type, int pointerSize)
    {
        if (BaseTypes.Find(type, TypeName) is null || FieldPath.Find(type, pointerSize, "_completedOperation") is not { } operation)
            return null;
        // The awaitable type has the socket that owns it; the other types have only the current socket.
        int? socket = FieldPath.Find(type, pointerSize, "_owner") ?? FieldPath.Find(type, pointerSize, "_currentSocket");
        return socket is { } found ? new(operation, found, TokenLayouts.TokenIn(type, pointerSize, "_cancellationToken")) : null;
    }

    /// <summary>None for a number that is not an operation.</summary>
    public static WaitAction ActionOf(int? operation) => operation is > 0 and < 10 ? Actions[operation.Value] : WaitAction.None;

    public static bool IsIncoming(int? operation) => operation is 1 or 4 or 5 or 6;
}

/// <summary><c>System.Net.Sockets.Socket</c>.</summary>
/// <param name="Local">Its own end point, where it has been asked for.</param>
/// <param name="Bound">What it was bound to; if to nothing, what it was connected to; of an accepted one, what the listener was bound to.</param>
/// <param name="Remote">The other side, where it was accepted from or has been asked for.</param>
/// <param name="Connected">bool.</param>
/// <param name="Pending">Where it is being connected to; null where the runtime does not note that.</param>
internal sealed record SocketLayout(int Local, int Bound, int Remote, int Connected, int? Pending)
{
    public static SocketLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, "System.Net.Sockets.Socket") is { } socket
            && FieldOffsets.Find(socket, pointerSize, "_localEndPoint", "_rightEndPoint", "_remoteEndPoint", "_isConnected") is { } fields
            ? new(
                fields["_localEndPoint"], fields["_rightEndPoint"], fields["_remoteEndPoint"], fields["_isConnected"],
                FieldPath.Find(socket, pointerSize, "_pendingConnectRightEndPoint"))
            : null;
}
