using System.Collections.Immutable;
using Async2.Analysis.Model;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Facts of one wait while they are read; used again for the next one.</summary>
internal sealed class WaitFactList
{
    private readonly List<WaitFact> _facts = [];

    public void Add(WaitFact fact) => _facts.Add(fact);

    public void Add(WaitFactKey key, long number = 0, string? text = null, long? of = null, bool isBound = false)
        => _facts.Add(new WaitFact(key, number, text) { Of = of, IsBound = isBound });

    /// <summary>Adds one that has a name; null is not a fact.</summary>
    public void AddText(WaitFactKey key, string? text)
    {
        if (text is not null)
            Add(key, text: text);
    }

    /// <summary>A place in a queue, where it is one.</summary>
    public void AddPlace(int? place)
    {
        if (place is { } number)
            Add(WaitFactKey.PlaceInQueue, number);
    }

    /// <summary>When a timer fires, where that is known.</summary>
    public void AddDue(TimerFacts? timer, WaitFactKey key = WaitFactKey.DueIn)
    {
        if (timer?.Left is { } left)
            Add(key, left, isBound: timer.IsBound);
    }

    /// <summary>All of them; the list is empty then.</summary>
    public ImmutableArray<WaitFact> Take()
    {
        if (_facts.Count == 0)
            return [];
        ImmutableArray<WaitFact> taken = [.. _facts];
        _facts.Clear();
        return taken;
    }
}
