using System.Runtime.InteropServices;

namespace Async2.Analysis.Model;

/// <summary>
/// One fact about a wait from an object of the target: a number, or a name. Its <see cref="Key"/> defines the meaning; facts contain no
/// sentences. Numbers are as in the target, durations in milliseconds.
/// </summary>
/// <param name="Key">Meaning of the fact.</param>
/// <param name="Number">The number; 0 if the key or the text is sufficient.</param>
/// <param name="Text">A name from the target, not yet escaped; null if the number is sufficient, or the name could not be read.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct WaitFact(WaitFactKey Key, long Number = 0, string? Text = null)
{
    // One more than the number, so that the default has none.
    private readonly long _of;

    /// <summary>The total: the maximum of a semaphore, the capacity of a channel, all tasks of a WhenAll; null if there is no bound.</summary>
    public long? Of
    {
        get => _of == 0 ? null : _of - 1;
        init => _of = value is { } of ? of + 1 : 0;
    }

    /// <summary>The number is a bound: a queue that was not read completely has at least so many; in a dump a timer fires at the latest then.</summary>
    public bool IsBound { get; init; }
}
