using System.Net;
using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Spells end points of sockets: <c>127.0.0.1:5000</c>, <c>[::1]:5000</c>, <c>shop.example:443</c>, a path.</summary>
internal sealed class EndPointReader(WaitReaderContext all)
{
    private const int NameLimit = 256;
    private const int NumberCount = 8;

    private readonly LayoutCache<EndPointLayout> _points = all.Layouts(EndPointLayout.Of);
    private readonly LayoutCache<AddressLayout> _addresses = all.Layouts(AddressLayout.Of);

    /// <summary>Null for none, for one of another kind, and for the model of an end point that has no port yet.</summary>
    public string? Read(HeapObject point)
    {
        if (point.Address == 0 || _points.Of(point) is not { } layout)
            return null;
        string? host = layout.Address is { } address ? AddressAt(point.At(address)) : layout.Name is { } name ? NameAt(point.Reference(name)) : null;
        if (host is null || layout.Port is not { } port)
            return host;
        return point.Int32(port) is > 0 and <= IPEndPoint.MaxPort and var number ? FormattableString.Invariant($"{host}:{number}") : null;
    }

    /// <summary>IPv4 in network order, IPv6 as eight numbers.</summary>
    public static string? TextOf(HeapObject address, AddressLayout layout)
    {
        HeapObject numbers = address.At(layout.Numbers);
        if (numbers.Address == 0)
            return address.UInt32(layout.AddressOrScope) is { } four ? new IPAddress(four).ToString() : null;
        if (numbers.Length() != NumberCount)
            return null;
        byte[] bytes = new byte[2 * NumberCount];
        if (!address.Memory.TryRead(numbers.Address + (ulong)(2 * address.Memory.PointerSize), bytes))
            return null;
        for (int i = 0; i < bytes.Length; i += 2)
            (bytes[i], bytes[i + 1]) = (bytes[i + 1], bytes[i]);
        return $"[{new IPAddress(bytes)}]";
    }

    private string? AddressAt(HeapObject address) => _addresses.Of(address) is { } layout ? TextOf(address, layout) : null;

    private string? NameAt(ulong text) => text == 0 ? null : StringLayout.Read(all.Target.Memory, text, NameLimit);
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
