using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

/// <summary>The way from who registered with a CancellationToken to the token's source (System.Private.CoreLib 10.0.12).</summary>
internal static class TokenLayouts
{
    /// <summary>Offset of the node in a field of type CancellationTokenRegistration; null when there is no such field.</summary>
    public static int? RegistrationIn(ClrType type, int pointerSize, string field) => FieldPath.Find(type, pointerSize, field, "_node");

    /// <summary>Offset of the source in a field of type CancellationToken.</summary>
    public static int? TokenIn(ClrType type, int pointerSize, params ReadOnlySpan<string> path) => FieldPath.Find(type, pointerSize, [.. path, "_source"]);
}

/// <summary><c>CancellationTokenSource+CallbackNode</c>: one registration.</summary>
/// <param name="Registrations">All those of the source.</param>
/// <param name="Id">long; 0 when it was taken back.</param>
internal sealed record CallbackNodeLayout(int Registrations, int Id)
{
    public static CallbackNodeLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "Registrations", "Id") is { } fields ? new(fields["Registrations"], fields["Id"]) : null;
}

/// <summary><c>CancellationTokenSource+Registrations</c>.</summary>
/// <param name="Source">The CancellationTokenSource.</param>
internal sealed record RegistrationsLayout(int Source)
{
    public static RegistrationsLayout? Of(ClrType type, int pointerSize)
        => FieldPath.Find(type, pointerSize, "Source") is { } source ? new(source) : null;
}

/// <summary><c>CancellationTokenSource</c> and the linked kinds.</summary>
/// <param name="State">int: 0 not cancelled, then notifying, then done.</param>
/// <param name="Timer">ITimer of CancelAfter.</param>
internal sealed record TokenSourceLayout(int State, int Timer)
{
    private const string TypeName = "System.Threading.CancellationTokenSource";

    public static TokenSourceLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, TypeName) is { } source && FieldOffsets.Find(source, pointerSize, "_state", "_timer") is { } fields
            ? new(fields["_state"], fields["_timer"])
            : null;
}
