using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Libraries;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Operations of sockets, with both ends where the socket knows them.</summary>
internal sealed class SocketWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly LayoutCache<SocketLayout> _sockets = all.Layouts(SocketLayout.Of);
    private readonly EndPointReader _points = new(all);
    private readonly NpgsqlWaits _npgsql = new(all);
    private readonly WaitFactList _facts = new();

    public WaitStepReader? ReaderOf(ClrType type)
        => SocketOperationLayout.Of(type, all.PointerSize) is { } layout ? address => new(Read(all.At(address), layout)) : null;

    /// <summary>Both ends of a socket that a thread waits for; null for what is not a socket.</summary>
    public WaitReason? Of(HeapObject socket)
    {
        if (_sockets.Of(socket) is not { } fields)
            return null;
        AddEnds(socket, fields, isIncoming: true);
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
        string? bound = _points.Read(socket.At(layout.Bound));
        if (socket.Byte(layout.Connected) is > 0)
        {
            // Nobody asked this socket for its ends. The operation that connected it may still know where to; else the end that
            // it knows is the other one, unless it had been bound to an address of its own before, which hardly any client is.
            // Nobody listens at port 0: that asked for any port of its own.
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
            // A connection that is being made leads there, whatever the socket was bound to.
            remote ??= layout.Pending is { } pending ? _points.Read(socket.At(pending)) : null;
            isIncoming &= remote is null;
        }
        _facts.AddText(WaitFactKey.LocalEnd, local);
        _facts.AddText(isIncoming ? WaitFactKey.RemoteSource : WaitFactKey.RemoteTarget, remote);
    }
}
