using System.Globalization;
using System.Runtime.InteropServices;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>Objects of the heap in few words: strings and boxed values themselves, the others by address.</summary>
internal sealed class ObjectText(Target target)
{
    // string: method table, 32-bit length, characters (coreclr, StringObject).
    private const int StringLength = 8;
    private const int StringCharacters = 12;
    private const string Lists = "System.Collections.Generic.";

    public static string Unreadable(ulong address) => string.Create(CultureInfo.InvariantCulture, $"<unreadable 0x{address:x}>");

    /// <summary>The type of an object; null if it cannot be read.</summary>
    public ClrType? TypeOf(ulong address)
        => MethodTables.TryRead(target.Memory, address, out ulong methodTable) ? TypeLookup.Of(target.Runtime, methodTable) : null;

    /// <summary>Everything but boxed values.</summary>
    public string Of(ulong address, ClrType type)
    {
        if (type.IsString)
            return String(address);
        string text = string.Create(CultureInfo.InvariantCulture, $"{{0x{address:x}}}");
        if (type.IsArray)
            return ArrayHead(address, type) is { } head ? $"{head} {text}" : Unreadable(address);
        return Count(address, type) is { } count ? string.Create(CultureInfo.InvariantCulture, $"Count = {count} {text}") : text;
    }

    private string String(ulong address)
    {
        if (!target.Memory.TryReadUInt32(address + StringLength, out uint length) || length > int.MaxValue)
            return Unreadable(address);
        char[] characters = new char[Math.Min(length, StringText.Shown)];
        return target.Memory.TryRead(address + StringCharacters, MemoryMarshal.AsBytes(characters.AsSpan()))
            ? StringText.Quote(characters, isCut: length > StringText.Shown)
            : Unreadable(address);
    }

    // int[3]; of several dimensions the number of all elements.
    private string? ArrayHead(ulong address, ClrType type)
    {
        if (!target.Memory.TryReadUInt32(address + 8, out uint length))
            return null;
        string name = TypeName.Short(TypeName.FromRuntimeName(type.Name ?? TypeName.Unknown));
        int bracket = name.LastIndexOf("[]", StringComparison.Ordinal);
        // Of int[][] the first brackets are the outer array's.
        while (bracket > 1 && name[bracket - 1] == ']' && name[bracket - 2] == '[')
            bracket -= 2;
        return bracket < 0 ? string.Create(CultureInfo.InvariantCulture, $"{name} /* {length} */") : name.Insert(bracket + 1, length.ToString(CultureInfo.InvariantCulture));
    }

    private int? Count(ulong address, ClrType type)
    {
        if (type.Name is not { } name || !name.StartsWith(Lists, StringComparison.Ordinal))
            return null;
        if (name.StartsWith(Lists + "List<", StringComparison.Ordinal) || name.StartsWith(Lists + "Queue<", StringComparison.Ordinal) || name.StartsWith(Lists + "Stack<", StringComparison.Ordinal))
            return Field(address, type, "_size");
        if (name.StartsWith(Lists + "Dictionary<", StringComparison.Ordinal) || name.StartsWith(Lists + "HashSet<", StringComparison.Ordinal))
            return Field(address, type, "_count") - Field(address, type, "_freeCount");
        return null;
    }

    private int? Field(ulong address, ClrType type, string name)
        => type.GetFieldByName(name) is { Offset: >= 0 } field && target.Memory.TryReadUInt32(address + 8 + (ulong)field.Offset, out uint value) ? (int)value : null;
}
