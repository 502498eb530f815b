using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Types;

/// <summary>Walks up a type's base classes; bounded, because the chain is read from the target.</summary>
internal static class BaseTypes
{
    private const int Limit = 32;

    /// <summary>The type and its base classes, most derived first.</summary>
    public static IEnumerable<ClrType> Of(ClrType type)
    {
        ClrType? current = type;
        for (int i = 0; i < Limit && current is not null; i++, current = current.BaseType)
            yield return current;
    }

    /// <summary>The type itself or the base class with this name; null if there is none.</summary>
    public static ClrType? Find(ClrType type, string name) => Of(type).FirstOrDefault(t => t.Name == name);
}
