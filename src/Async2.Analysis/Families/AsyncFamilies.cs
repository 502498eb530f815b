using System.Collections.Immutable;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Families.FSharp;
using Async2.Analysis.Families.JitVariant;
using Async2.Analysis.Families.Tasklets;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Families;

/// <summary>All families of async operations, in the order in which they are named and asked. A new one is its room and its line here.</summary>
internal static class AsyncFamilies
{
    public static ImmutableArray<IAsyncFamily> All { get; } =
    [
        new RuntimeAsyncFamily(),
        new JitVariantFamily(),
        new TaskletFamily(),
        StateMachineFamily.Boxed,
        StateMachineFamily.Pooled,
        new FSharpFamily(),
    ];

    private static readonly IAsyncFamily[] ByKind = [.. All.OrderBy(family => family.Kind)];

    /// <summary>The family of an operation.</summary>
    public static IAsyncFamily Of(in NodeRow row) => ByKind[(int)row.Kind];

    /// <summary>Names of those that a target uses.</summary>
    public static ImmutableArray<string> In(HeapIndex index)
    {
        // Continuations lie around that no task leads to.
        uint met = index.Layout.Continuation is null ? 0 : 1u << (int)NodeKind.Chain;
        uint counted = ~(1u << (int)NodeKind.Chain);
        foreach (ref readonly NodeRow row in index.Nodes)
            met |= (1u << (int)row.Kind) & counted;
        return [.. All.Where(family => (met & (1u << (int)family.Kind)) != 0).Select(family => family.Name).OfType<string>()];
    }
}
