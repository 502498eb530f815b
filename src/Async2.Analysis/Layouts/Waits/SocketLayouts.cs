using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

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
        // The awaitable kind keeps the socket that owns it; the others only the one that they work on.
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

/// <summary>An end point: <c>IPEndPoint</c>, <c>DnsEndPoint</c>, <c>UnixDomainSocketEndPoint</c>.</summary>
/// <param name="Address">IPAddress; null for the others.</param>
/// <param name="Port">int; null for a Unix socket.</param>
/// <param name="Name">string: the host, or the path.</param>
internal sealed record EndPointLayout(int? Address, int? Port, int? Name)
{
    public static EndPointLayout? Of(ClrType type, int pointerSize) => type.Name switch
    {
        "System.Net.IPEndPoint" => new(FieldPath.Find(type, pointerSize, "_address"), FieldPath.Find(type, pointerSize, "_port"), null),
        "System.Net.DnsEndPoint" => new(null, FieldPath.Find(type, pointerSize, "_port"), FieldPath.Find(type, pointerSize, "_host")),
        "System.Net.Sockets.UnixDomainSocketEndPoint" => new(null, null, FieldPath.Find(type, pointerSize, "_path")),
        _ => null,
    };
}

/// <summary><c>System.Net.IPAddress</c>, or the read-only kind that derives from it.</summary>
/// <param name="AddressOrScope">uint: an IPv4 address in network order, else the scope.</param>
/// <param name="Numbers">ushort[8] of an IPv6 address, each in the processor's order; null for IPv4.</param>
internal sealed record AddressLayout(int AddressOrScope, int Numbers)
{
    public static AddressLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, "System.Net.IPAddress") is { } address
            && FieldOffsets.Find(address, pointerSize, "_addressOrScopeId", "_numbers") is { } fields
            ? new(fields["_addressOrScopeId"], fields["_numbers"])
            : null;
}
