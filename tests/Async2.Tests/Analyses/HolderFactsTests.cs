using System.Diagnostics;
using Async2.Analysis.Model;

namespace Async2.Tests.Analyses;

/// <summary>Who holds a lock is found among very many.</summary>
public sealed class HolderFactsTests
{
    [Fact]
    public void Of_a_hundred_thousand_locks_each_is_found_at_once()
    {
        const int count = 100_000;
        var facts = new HolderFacts(
            [.. Enumerable.Range(1, count).Select(i => new HolderRow(i, 0, 0, (ulong)i, i % 3 == 0 ? HolderClass.Kept : HolderClass.Always, IsCertain: true))],
            [.. Enumerable.Range(1, count).Select(i => new LockRow((ulong)i, 1, 0, LockUse.GivenBack, false))], 0);
        var watch = Stopwatch.StartNew();
        for (int i = 1; i <= count; i++)
        {
            bool isKept = i % 3 == 0;
            Assert.Equal(isKept ? Confidence.Possible : Confidence.Certain, facts.ConfidenceOf((ulong)i, i));
            Assert.Equal(isKept, facts.HasOthers((ulong)i));
        }
        // Going over all rows for each took minutes.
        Assert.InRange(watch.Elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(5));
    }
}
