using System.Runtime.InteropServices;
using Async2.Analysis.Surveys;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Tests.Surveys;

/// <summary>How often a runtime has collected garbage: what is read from outside against what the program itself is told.</summary>
public sealed class CollectionClockTests
{
    private const string Library = "/libcoreclr.so";

    [Fact]
    public void Counts_of_this_process_are_those_that_its_own_runtime_gives()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture == Architecture.X64, "Linux x64 only");
        CollectionClock clock = Find(Environment.ProcessId)!;
        for (int generation = 0; generation <= 2; generation++)
        {
            Collections before = clock.Now;
            GC.Collect(generation, GCCollectionMode.Forced, blocking: true);
            Collections now = Between(clock);
            // Other tests collect, too.
            Assert.True(now.Young > before.Young && (generation < 1 || now.Middle > before.Middle) && (generation < 2 || now.Old > before.Old), $"{before} {now}");
        }
    }

    // Of all that can be read between two equal answers of the runtime.
    private static Collections Between(CollectionClock clock)
    {
        for (; ; )
        {
            (int, int, int) before = Own();
            Collections now = clock.Now;
            if (Own() != before)
                continue;
            Assert.Equal(before, ((int)now.Young, (int)now.Middle, (int)now.Old));
            return now;
        }
    }

    private static (int Young, int Middle, int Old) Own() => (GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2));

    private static CollectionClock? Find(int pid) => CollectionClocks.Find(pid, MemoryMapping.Of(pid).First(mapping => mapping.Path.EndsWith(Library, StringComparison.Ordinal)).Start);
}
