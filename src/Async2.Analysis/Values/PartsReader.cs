using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>Reads what values are made of, one level at a time: the user decides how deep.</summary>
internal sealed class PartsReader(Target target, VariableValues values)
{
    private const string Unreadable = "<unreadable>";

    /// <summary>Some of the parts, in order; those that cannot be read say so.</summary>
    public ImmutableArray<LocalValue> Read(ValueParts parts, int start, int count)
    {
        int first = Math.Clamp(start, 0, parts.Count), last = first + Math.Clamp(count, 0, parts.Count - first);
        return UntrustedBytes.Read<ImmutableArray<LocalValue>?>(target, () => parts is not UnreadParts unread ? null : unread.IsIndexed ? Elements(unread, first, last) : Fields(unread, first, last)) ?? [];
    }

    /// <summary>An object by its address; null if there is none.</summary>
    public LocalValue? Object(string name, ulong address)
        => values.Reader.TypeOf(address) is { } type
            ? values.Reader.Read(TypeResolver.Of(type) with { Element = ClrElementType.Object }, new ValueBytes(BitConverter.GetBytes(address)))?.Of(name) : null;

    private ImmutableArray<LocalValue> Fields(UnreadParts parts, int first, int last)
    {
        if (parts.Type.Type is not { } type)
            return [];
        ValueBytes bytes = parts.Address is { } address ? values.Reader.FieldsOf(address, type) : parts.Bytes;
        ImmutableArray<DeclaredField> fields = values.Types.FieldsOf(type);
        var found = ImmutableArray.CreateBuilder<LocalValue>();
        for (int i = first; i < Math.Min(last, fields.Length); i++)
        {
            DeclaredField field = fields[i];
            found.Add(ValueOf(FieldName.Readable(field.Name), field.Type, bytes.Slice(field.Offset, values.Reader.SizeOf(field.Type))));
        }
        return found.ToImmutable();
    }

    private ImmutableArray<LocalValue> Elements(UnreadParts parts, int first, int last)
    {
        byte[] bytes = new byte[parts.ElementSize];
        var found = ImmutableArray.CreateBuilder<LocalValue>();
        for (int i = first; i < last; i++)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"[{i}]");
            ulong address = parts.FirstElement + ((ulong)i * (ulong)parts.ElementSize);
            found.Add(target.Memory.TryRead(address, bytes) ? ValueOf(name, parts.Type, new ValueBytes((byte[])bytes.Clone())) : new LocalValue(name, parts.Type.Name, Unreadable));
        }
        return found.ToImmutable();
    }

    private LocalValue ValueOf(string name, DeclaredType type, ValueBytes bytes)
        => values.Reader.Read(type, bytes)?.Of(name) ?? new LocalValue(name, type.Name, Unreadable);
}
