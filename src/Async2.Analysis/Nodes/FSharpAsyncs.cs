using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Nodes;

/// <summary>Counts asyncs of F# (<c>async { }</c>): their stacks are not read, and nobody must think that there are none.</summary>
internal static class FSharpAsyncs
{
    /// <summary>Reports them as a loss, if there are any.</summary>
    /// <param name="target">The target.</param>
    /// <param name="resources">Addresses that the walk over the heap noted.</param>
    /// <param name="problems">Where to report.</param>
    public static void SayHowMany(Target target, IReadOnlyList<ulong> resources, ProblemLog problems)
    {
        var known = new Dictionary<ulong, bool>();
        int count = 0;
        foreach (ulong address in resources)
        {
            ulong methodTable = new HeapObject(target.Memory, address).MethodTable();
            if (!known.TryGetValue(methodTable, out bool isAsync))
                known[methodTable] = isAsync = TypeLookup.Of(target.Runtime, methodTable) is { } type && FSharpAsyncLayout.IsStarted(type);
            count += isAsync ? 1 : 0;
        }
        if (count == 0)
            return;
        string many = count == 1 ? "1 async computation" : FormattableString.Invariant($"{count} async computations");
        problems.AddLoss(new(ProblemCodes.AsyncsNotShown, $"{many} of F# (async {{ }}, agents) started here, waiting or done by now: their stacks are not shown"));
    }
}
