using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Resources;

/// <summary>Where an object leads, for somebody who looks for the way to another one.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Fields">References by their offset, with the name that a program writes for the field; empty for arrays.</param>
internal sealed record TypeShape(TypeShapeKind Kind, IReadOnlyList<(int Offset, string Name)> Fields)
{
    public static TypeShape Opaque { get; } = new(TypeShapeKind.Opaque, []);

    private const string BackingField = ">k__BackingField";

    // The collections in which programs keep semaphores, channels and promises. Other framework objects are not searched: a task leads to everything.
    private static readonly string[] Containers = ["System.Collections.", "System.Threading.Channels.", "System.Threading.Tasks.TaskCompletionSource", "System.Lazy<"];

    /// <param name="target">Has the type.</param>
    /// <param name="type">The type.</param>
    /// <param name="isOfUser">Whether a module is not a framework's.</param>
    public static TypeShape Of(Target target, ClrType type, Predicate<ClrModule> isOfUser)
    {
        // ClrMD does not know the elements' type without an object; the collector does.
        if (type.IsArray)
            return ReferenceMap.AreElementsReferences(target.Memory, type.MethodTable) is { } areReferences ? new(areReferences ? TypeShapeKind.Array : TypeShapeKind.StructArray, []) : Opaque;
        bool isContainer = type.Name is { } name && Array.Exists(Containers, space => name.StartsWith(space, StringComparison.Ordinal));
        if (!isContainer && (type.IsString || type.Module is not { } module || !isOfUser(module)))
            return Opaque;
        TypeShapeKind kind = !isContainer ? TypeShapeKind.Object : type.Name!.StartsWith("System.Collections.Generic.List<", StringComparison.Ordinal) ? TypeShapeKind.List : TypeShapeKind.Container;
        int start = target.Memory.PointerSize;
        return new(kind, [.. type.Fields.SelectMany(field => ReferencesIn(field, start, isContainer ? "" : null))]);
    }

    /// <summary>The name of a field as the source has it: a property for its backing field; null for what the compiler made.</summary>
    public static string? NameOf(string? field)
        => field is null ? null : field[0] != '<' ? field : field.EndsWith(BackingField, StringComparison.Ordinal) ? field[1..^BackingField.Length] : null;

    // A struct in an object: one step deep, as a ValueTask or a pair is.
    private static IEnumerable<(int Offset, string Name)> ReferencesIn(ClrInstanceField field, int start, string? name)
    {
        if (field.Offset < 0 || (name ?? NameOf(field.Name)) is not { } shown)
            yield break;
        if (field.IsObjectReference)
            yield return (start + field.Offset, shown);
        else if (field is { IsValueType: true, IsPrimitive: false, Type: { } inner })
        {
            foreach (ClrInstanceField part in inner.Fields.Where(part => part is { IsObjectReference: true, Offset: >= 0 }))
                yield return (start + field.Offset + part.Offset, name is not null ? "" : NameOf(part.Name) is { } last ? $"{shown}.{last}" : shown);
        }
    }
}

/// <summary>What an object is to somebody who looks for the way to another one.</summary>
internal enum TypeShapeKind
{
    /// <summary>Nothing is looked for in it.</summary>
    Opaque,

    /// <summary>An object of the program's: its fields have names.</summary>
    Object,

    /// <summary>A List: what is in its array is known by its index.</summary>
    List,

    /// <summary>A collection, a channel or the like: its own fields are not a name.</summary>
    Container,

    /// <summary>References, by their index.</summary>
    Array,

    /// <summary>Structs, some of which may hold references.</summary>
    StructArray,
}
