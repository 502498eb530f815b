using System.Globalization;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>Enums by the names of their members: <c>DayOfWeek.Monday</c>, <c>Rights.Read | Rights.Write</c>, <c>(DayOfWeek)9</c>.</summary>
internal sealed class EnumText
{
    private const int MemberLimit = 4096;
    private const int ShownLimit = 16;

    private readonly Dictionary<ulong, (ClrElementType Element, List<(string Name, ulong Bits)> Members)> _known = [];

    /// <summary>Bytes of the enum's integer type.</summary>
    public int SizeOf(ClrType type) => PrimitiveText.SizeOf(Members(type).Element);

    /// <summary>Null if there are too few bytes.</summary>
    public string? Of(ClrType type, ValueBytes bytes)
    {
        (ClrElementType element, List<(string Name, ulong Bits)> members) = Members(type);
        ReadOnlySpan<byte> integer = bytes.First(PrimitiveText.SizeOf(element));
        if (integer.IsEmpty)
            return null;
        ulong bits = (ulong)PrimitiveText.Integer(element, integer);
        string name = TypeName.Short(TypeName.FromRuntimeName(type.Name ?? TypeName.Unknown));
        if (members.Find(m => m.Bits == bits) is { Name: { } exact })
            return $"{name}.{exact}";
        return Combined(name, bits, members) ?? $"({name}){PrimitiveText.Of(element, integer)}";
    }

    // Whether an enum has the Flags attribute is not asked: a sum of members of one bit each is read as flags anyway.
    private static string? Combined(string type, ulong bits, List<(string Name, ulong Bits)> members)
    {
        var parts = new List<string>();
        ulong rest = bits;
        foreach ((string name, ulong value) in members.Where(m => m.Bits != 0 && ulong.PopCount(m.Bits) == 1))
        {
            if ((rest & value) == 0)
                continue;
            rest &= ~value;
            parts.Add($"{type}.{name}");
        }
        return rest == 0 && parts.Count is > 1 and <= ShownLimit ? string.Join(" | ", parts) : null;
    }

    private (ClrElementType Element, List<(string Name, ulong Bits)> Members) Members(ClrType type)
    {
        if (!_known.TryGetValue(type.MethodTable, out var known))
            _known[type.MethodTable] = known = Read(type);
        return known;
    }

    private static (ClrElementType Element, List<(string Name, ulong Bits)> Members) Read(ClrType type)
    {
        ClrElementType element = type.Fields.FirstOrDefault(f => f.Name == "value__")?.ElementType ?? ClrElementType.Int32;
        List<(string, ulong)> members = UntrustedBytes.Read(type, () => type.AsEnum().EnumerateValues().Take(MemberLimit)
            .Select(m => (CappedText.Cap(m.Name), Bits(m.Value))).ToList()) ?? [];
        return (element, members);
    }

    private static ulong Bits(object? value) => value switch
    {
        ulong large => large,
        char character => character,
        bool truth => truth ? 1ul : 0,
        IConvertible number => (ulong)number.ToInt64(CultureInfo.InvariantCulture),
        _ => 0,
    };
}
