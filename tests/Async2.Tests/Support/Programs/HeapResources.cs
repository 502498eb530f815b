using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Waits.Reading;

namespace Async2.Tests.Support.Programs;

/// <summary>Semaphores, channels and the like of a real heap, for tests that read waits without the whole analysis.</summary>
internal static class HeapResources
{
    public static WaitResources Of(Target target)
        => new(new HeapWalk(target, new StateMachineLayouts(target), LayoutFacts.None, new ProblemLog()).Run((_, _) => { }, CancellationToken.None).Resources);
}
