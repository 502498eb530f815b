using System.Runtime.InteropServices;

namespace Async2.Analysis.Model;

/// <summary>
/// One thing that an object of the target says about a wait: a number, or a name. What it means is its <see cref="Key"/>; there are no
/// sentences in it. Numbers are as they stand in the target, durations in milliseconds.
/// </summary>
/// <param name="Key">What it says.</param>
/// <param name="Number">The number; 0 where the key or the text says all.</param>
/// <param name="Text">A name from the target, not yet escaped; null where the number says all, or the name could not be read.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct WaitFact(WaitFactKey Key, long Number = 0, string? Text = null)
{
    // One more than the number, so that a default has none.
    private readonly long _of;

    /// <summary>Of how many: the maximum of a semaphore, the capacity of a channel, all tasks of a WhenAll; null when there is no bound.</summary>
    public long? Of
    {
        get => _of == 0 ? null : _of - 1;
        init => _of = value is { } of ? of + 1 : 0;
    }

    /// <summary>The number is a bound: a queue that was not read to its end has at least so many; in a dump a timer fires at the latest then.</summary>
    public bool IsBound { get; init; }
}
