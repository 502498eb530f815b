using Async2.Analysis.Layouts.Checks;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Reporting;

/// <summary>What the target's own metadata says of the types that descriptions describe, asked by name: slower than the types of objects.</summary>
internal static class MetadataFacts
{
    /// <summary>Fields of the Continuation class by the names of descriptions; empty if there is no such class.</summary>
    /// <param name="target">The target.</param>
    /// <param name="facts">May name the class.</param>
    public static IReadOnlyDictionary<string, int> OfContinuation(Target target, LayoutFacts facts)
    {
        var offsets = new SortedDictionary<string, int>(StringComparer.Ordinal);
        foreach (string name in (string[])[.. facts.Names("ContinuationTypes"), ContinuationLayout.TypeName])
        {
            if (Find(target.Runtime, name) is not { } type)
                continue;
            foreach (ClrInstanceField field in type.Fields)
            {
                if (field.Name is { } known && ContractRequirements.Reads(AsyncLayoutParts.Continuation, known))
                    offsets[known] = field.Offset + target.Memory.PointerSize;
            }
            break;
        }
        return offsets;
    }

    /// <summary>The built-in layouts of the families that a target's CoreLib has the classes of; none where there is no such class.</summary>
    /// <param name="target">The target.</param>
    /// <param name="continuation">Fields of its Continuation.</param>
    public static IEnumerable<LayoutDescription> Matching(Target target, IReadOnlyDictionary<string, int> continuation)
    {
        if (continuation.ContainsKey("ResumeInfo"))
            yield return Baselines.Find(Baselines.Net11)!;
        else if (continuation.ContainsKey("GCData"))
            yield return Baselines.Find(Find(target.Runtime, AsyncTypes.ThunkTask) is null ? Baselines.Jit : Baselines.Net10)!;
        if (Find(target.Runtime, ChainOwnerLayout.TypeName) is not null)
            yield return Baselines.Find(Baselines.UnwinderV4)!;
    }

    private static ClrType? Find(ClrRuntime runtime, string name) => runtime.BaseClassLibrary.GetTypeByName(name);
}
