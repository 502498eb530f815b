using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Says whether the CancellationToken that a wait was given is cancelled, and when it will be by itself.</summary>
internal sealed class TokenReader(Target target, TimerReader timers)
{
    private readonly LayoutCache<CallbackNodeLayout> _nodes = new(target.Runtime, CallbackNodeLayout.Of);
    private readonly LayoutCache<RegistrationsLayout> _registrations = new(target.Runtime, RegistrationsLayout.Of);
    private readonly LayoutCache<TokenSourceLayout> _sources = new(target.Runtime, TokenSourceLayout.Of);

    /// <summary>By the node of a registration; null when there is none, so no token that could be cancelled.</summary>
    public string? OfRegistration(HeapObject holder, int? node)
    {
        if (node is not { } offset || holder.At(offset) is not { Address: not 0 } found || _nodes.Of(found) is not { } layout)
            return null;
        HeapObject all = found.At(layout.Registrations);
        return _registrations.Of(all) is { } fields ? Describe(all.At(fields.Source)) : null;
    }

    /// <summary>By a field of type CancellationToken.</summary>
    public string? OfToken(HeapObject holder, int? source) => source is { } offset ? Describe(holder.At(offset)) : null;

    private string? Describe(HeapObject source)
    {
        if (source.Address == 0 || _sources.Of(source) is not { } layout || source.Int32(layout.State) is not { } state)
            return null;
        if (state != 0)
            return "token cancelled";
        ulong timer = source.Reference(layout.Timer);
        return timer != 0 && timers.Read(timer) is { When: { } when } ? $"token not cancelled, its timeout {when}" : "token not cancelled";
    }
}
