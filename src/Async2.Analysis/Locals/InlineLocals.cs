using System.Collections.Immutable;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Values;

namespace Async2.Analysis.Locals;

/// <summary>
/// Arguments and locals of suspended methods of .NET 11, by name: the JIT wrote down for each suspension point which variables it
/// saves and where in the continuation. What is not written down is not needed any more, or has no name.
/// </summary>
internal sealed class InlineLocals(Target target, GenericContext contexts, VariableValues values) : IFrameLocals
{
    private readonly PlacedVariables _variables = new(target, values);

    /// <inheritdoc/>
    public SiteKind Kind => SiteKind.ResumeInfo;

    /// <inheritdoc/>
    public ImmutableArray<LocalValue> Read(SuspensionPoint point, ContinuationRow frame)
        => UntrustedBytes.Read<ImmutableArray<LocalValue>?>(target, () => ReadAll(point, frame.Address)) ?? [];

    private ImmutableArray<LocalValue> ReadAll(SuspensionPoint point, ulong continuation)
    {
        if (point is not { AsyncPoint: { } saved, Method: { } method } || method.Module.Metadata?.VariablesOf(method.Token) is not { } signature)
            return [];
        // The hidden argument has a number of its own, -4, and IL's numbers have no gap.
        var numbers = new VariableNumbers(method, signature, countsContinuation: false);
        if (numbers.Locals is { } locals)
            numbers.Add(point is { ILOffset: { } offset, Exactness: Exactness.Exact } ? locals.At(offset) : locals.Unambiguous());
        FullTypeText text = contexts.TextOf(method, contexts.Find(method, continuation, continuation));
        List<LocalValue> own = [], captured = [];
        foreach (AsyncVariable variable in saved.Variables.OrderBy(v => v.Number))
        {
            if (numbers.Names.TryGetValue(variable.Number, out string? name)
                && _variables.Read(name, numbers.Types[variable.Number], text, method, continuation + (ulong)variable.Offset, captured) is { } value)
                own.Add(value);
        }
        return CapturedVariables.Merge(own, captured);
    }
}
