using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;

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

    private void Add(WaitFactList facts, HeapObject source)
    {
        if (source.Address == 0 || _sources.Of(source) is not { } layout || source.Int32(layout.State) is not { } state)
            return;
        facts.Add(WaitFactKey.TokenCancelled, state == 0 ? 0 : 1);
        if (state == 0 && source.Reference(layout.Timer) is not 0 and var timer)
            facts.AddDue(timers.Read(timer), WaitFactKey.TokenDueIn);
    }
}
