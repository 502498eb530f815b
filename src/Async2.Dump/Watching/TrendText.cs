using System.Collections.Immutable;

namespace Async2.Dump.Watching;

/// <summary>Counts of the last looks as a row of bars, the newest one last.</summary>
internal static class TrendText
{
    private const string Bars = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    private const string AsciiBars = "._-:=+*#";

    /// <summary>The bars, as many columns as asked for; looks that were not taken are spaces at the left, as is a count of 0.</summary>
    /// <param name="counts">Oldest first.</param>
    /// <param name="columns">How many of the last ones.</param>
    /// <param name="ascii">Only ASCII.</param>
    public static string Of(ImmutableArray<long> counts, int columns, bool ascii)
    {
        ReadOnlySpan<long> shown = counts.AsSpan()[^Math.Min(columns, counts.Length)..];
        long most = 0;
        foreach (long count in shown)
            most = Math.Max(most, count);
        Span<char> bars = stackalloc char[columns];
        bars.Fill(' ');
        for (int i = 0; i < shown.Length; i++)
            bars[columns - shown.Length + i] = Bar(shown[i], most, ascii ? AsciiBars : Bars);
        return new string(bars);
    }

    // The scale begins at 0: what hardly changes looks as if it did not.
    private static char Bar(long count, long most, string bars) => count == 0 ? ' ' : bars[(int)Math.Min(bars.Length - 1, (count * bars.Length - 1) / most)];
}
