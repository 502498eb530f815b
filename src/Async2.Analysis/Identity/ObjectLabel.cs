using System.Globalization;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Values;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>
/// An object of the program in few words, by what names it: <c>TenantContext{Tenant=t42, Id=7}</c>. Fields that are called so (Id, Name, Key, Tenant, ...), or all that are one value if they are few;
/// never one that sounds like a secret. No code of the program is executed for it.
/// </summary>
/// <param name="objects">The target's objects.</param>
internal sealed class ObjectLabel(LabelObjects objects)
{
    private const int ShownLimit = 3;
    private const int FieldLimit = 64;
    private const int TextLimit = 64;

    private static readonly string[] Framework = ["System.", "Microsoft."];
    private static readonly string[] Naming = ["id", "name", "key", "tenant", "user", "number", "code"];
    private static readonly string[] Secrets = ["password", "secret", "token", "credential", "apikey", "cookie", "pin"];

    private readonly EnumText _enums = new();
    private readonly Dictionary<ulong, (string Name, ClrInstanceField Field)[]> _shown = [];

    /// <summary>Its type, and what names it if anything does.</summary>
    /// <param name="item">The object.</param>
    /// <param name="type">Its type.</param>
    public string Of(HeapObject item, ClrType type)
    {
        string name = TypeName.Short(TypeName.FromRuntimeName(type.Name ?? TypeName.Unknown));
        if (!_shown.TryGetValue(type.MethodTable, out (string Name, ClrInstanceField Field)[]? fields))
            _shown[type.MethodTable] = fields = ShownOf(type);
        string[] parts = [.. fields.Select(field => (field.Name, Text: Text(item, field.Field))).Where(part => part.Text is not null).Select(part => $"{part.Name}={part.Text}")];
        return parts.Length == 0 ? name : $"{name}{{{string.Join(", ", parts)}}}";
    }

    private static (string, ClrInstanceField)[] ShownOf(ClrType type)
    {
        if (type.IsArray || Array.Exists(Framework, prefix => type.Name?.StartsWith(prefix, StringComparison.Ordinal) != false))
            return [];
        (string Name, ClrInstanceField Field)[] simple = [.. type.Fields.Take(FieldLimit).Where(IsSimple).Select(field => (Name: NameOf(field), field)).Where(pair => pair.Name.Length > 0 && !IsSecret(pair.Name)).DistinctBy(pair => pair.Name)];
        return simple.Length <= ShownLimit ? simple : [.. simple.Where(pair => Names(pair.Name)).Take(ShownLimit)];
    }

    // tenantId, TenantName: the last word says what it is.
    private static bool Names(string name) => Array.Exists(Naming, word => name.Equals(word, StringComparison.OrdinalIgnoreCase) || name.EndsWith(char.ToUpperInvariant(word[0]) + word[1..], StringComparison.Ordinal));

    private static bool IsSecret(string name) => Array.Exists(Secrets, word => name.Contains(word, StringComparison.OrdinalIgnoreCase));

    private static string NameOf(ClrInstanceField field) => CappedText.Cap(FieldName.Readable(field.Name ?? "").TrimStart('_'));

    private static bool IsSimple(ClrInstanceField field) => field.Offset >= 0 && (field.Type is { IsString: true } || field.IsPrimitive || field.Type is { IsEnum: true } or { Name: "System.Guid" or "System.DateTime" or "System.DateTimeOffset" or "System.Decimal" or "System.TimeSpan" });

    private string? Text(HeapObject item, ClrInstanceField field)
    {
        ulong at = item.Address + (ulong)objects.Target.Memory.PointerSize + (ulong)field.Offset;
        if (field.IsObjectReference)
            return objects.Target.Memory.TryReadPointer(at, out ulong text) && objects.Text(objects.At(text)) is { } characters ? Cut(characters) : null;
        byte[] bytes = new byte[16];
        var read = new ValueBytes(bytes.AsMemory(0, objects.Target.Memory.ReadUpTo(at, bytes)));
        return field.Type switch
        {
            { IsEnum: true } type => _enums.Of(type, read),
            { IsPrimitive: true } type => PrimitiveText.Of(type.ElementType, read.First(PrimitiveText.SizeOf(type.ElementType))),
            { } type => KnownStructText.Of(type, read),
            null => PrimitiveText.Of(field.ElementType, read.First(PrimitiveText.SizeOf(field.ElementType))),
        };
    }

    private static string Cut(string text) => text.Length <= TextLimit ? text : string.Create(CultureInfo.InvariantCulture, $"{text.AsSpan(0, TextLimit)}...");
}
