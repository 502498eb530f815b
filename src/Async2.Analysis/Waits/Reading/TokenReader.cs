using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Reads whether the CancellationToken that a wait was given is cancelled, and when it will be by itself.</summary>
internal sealed class TokenReader(Target target, TimerReader timers)
{
    private readonly LayoutCache<CallbackNodeLayout> _nodes = new(target.Runtime, CallbackNodeLayout.Of);
    private readonly LayoutCache<RegistrationsLayout> _registrations = new(target.Runtime, RegistrationsLayout.Of);
    private readonly LayoutCache<TokenSourceLayout> _sources = new(target.Runtime, TokenSourceLayout.Of);

    /// <summary>By the node of a registration; nothing when there is none, so no token that could be cancelled.</summary>
    public void AddRegistration(WaitFactList facts, HeapObject holder, int? node)
    {
        if (node is not { } offset || holder.At(offset) is not { Address: not 0 } found || _nodes.Of(found) is not { } layout)
            return;
        HeapObject all = found.At(layout.Registrations);
        if (_registrations.Of(all) is { } fields)
            Add(facts, all.At(fields.Source));
    }

    /// <summary>By a field of type CancellationToken.</summary>
    public void AddToken(WaitFactList facts, HeapObject holder, int? source)
    {
        if (source is { } offset)
            Add(facts, holder.At(offset));
    }

    /// <summary>An object is a CancellationTokenSource that will cancel itself.</summary>
    public bool IsTimed(HeapObject source) => _sources.Of(source) is { } layout && source.Reference(layout.Timer) != 0;

    private void Add(WaitFactList facts, HeapObject source)
    {
        if (source.Address == 0 || _sources.Of(source) is not { } layout || source.Int32(layout.State) is not { } state)
            return;
        facts.Add(WaitFactKey.TokenCancelled, state == 0 ? 0 : 1);
        if (state == 0 && source.Reference(layout.Timer) is not 0 and var timer)
            facts.AddDue(timers.Read(timer), WaitFactKey.TokenDueIn);
    }
}

/// <summary>The way from who registered with a CancellationToken to the token's source (System.Private.CoreLib 10.0.12).</summary>
internal static class TokenLayouts
{
    /// <summary>Offset of the node in a field of type CancellationTokenRegistration; null if there is no such field.</summary>
    public static int? RegistrationIn(ClrType type, int pointerSize, string field) => FieldPath.Find(type, pointerSize, field, "_node");

    /// <summary>Offset of the source in a field of type CancellationToken.</summary>
    public static int? TokenIn(ClrType type, int pointerSize, params ReadOnlySpan<string> path) => FieldPath.Find(type, pointerSize, [.. path, "_source"]);
}

/// <summary><c>CancellationTokenSource+CallbackNode</c>: one registration.</summary>
/// <param name="Registrations">All those of the source.</param>
/// <param name="Id">long; 0 if it was taken back.</param>
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
