using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// Where the fields of the heap object are that owns a chain of tasklets: <c>RuntimeHelpers.RuntimeAsyncMaintainedData</c> of the
/// async2 experiment (dotnet/runtimelab, feature/async2-experiment, RuntimeHelpers.CoreCLR.cs). A description may name other fields.
/// </summary>
/// <param name="Chain">Offset of the pointer to the innermost tasklet.</param>
/// <param name="Awaiter">Offset of the reference to what the chain awaits, often a boxed awaiter.</param>
/// <param name="SuspendActive">Offset of an int: frames captured by the last suspension, 0 while the chain runs; -1 if there is none.</param>
internal sealed record ChainOwnerLayout(int Chain, int Awaiter, int SuspendActive)
{
    public const string TypeName = "System.Runtime.CompilerServices.RuntimeHelpers+RuntimeAsyncMaintainedData";

    /// <summary>Bytes from the object's address that cover these fields.</summary>
    public int Size { get; private init; }

    /// <summary>Null if the type lacks a field.</summary>
    /// <param name="type">An owner, or a class derived from it.</param>
    /// <param name="facts">May name the fields.</param>
    /// <param name="pointerSize">Of the target.</param>
    public static ChainOwnerLayout? Of(ClrType type, LayoutFacts facts, int pointerSize)
    {
        string chain = Name(facts, "TaskletOwnerChainField");
        string awaiter = Name(facts, "TaskletOwnerAwaiterField");
        string active = Name(facts, "TaskletOwnerActiveField");
        if (FieldOffsets.Find(type, pointerSize, chain, awaiter) is not { } needed)
            return null;
        FieldOffsets? optional = FieldOffsets.Find(type, pointerSize, active);
        return new(needed[chain], needed[awaiter], optional?[active] ?? -1) { Size = Math.Max(needed.End, optional?.End ?? 0) };
    }

    private static string Name(LayoutFacts facts, string global) => facts.Global(global)?.Value.Text ?? Baselines.Find(Baselines.UnwinderV4)!.Globals[global].Text!;
}
