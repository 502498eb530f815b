using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Types;

/// <summary>A delegate's fields (System.Private.CoreLib 10.0.12, System.Delegate).</summary>
internal static class DelegateLayout
{
    private const string TypeName = "System.Delegate";
    private const string Target = "_target";

    /// <summary>Offset of the object on which it calls its method; 0 for a type that is not a delegate's.</summary>
    public static int TargetOf(ClrType? type, int pointerSize)
        => type is not null && BaseTypes.Find(type, TypeName) is not null && FieldOffsets.Find(type, pointerSize, Target) is { } offsets ? offsets[Target] : 0;
}
