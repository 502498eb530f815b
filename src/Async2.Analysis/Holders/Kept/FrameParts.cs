using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Values;
using SymbolKind = Async2.Analysis.Holders.Flow.SymbolKind;

namespace Async2.Analysis.Holders.Kept;

/// <summary>Takes frames of chains apart: each method that is on the stack in one, with its own code and what is kept of it (decision 71).</summary>
/// <param name="target">The target.</param>
/// <param name="types">Finds the types of structs.</param>
/// <param name="saved">Knows what was saved where; null if continuations do not say so.</param>
/// <param name="flows">Runs methods around their awaits.</param>
/// <param name="entries">Reads dictionaries.</param>
internal sealed class FrameParts(Target target, TypeResolver types, SavedVariableReader? saved, AwaitFlows flows, DictionaryEntries entries)
{
    /// <summary>The method of the frame, then what was compiled into it, outermost first.</summary>
    public IEnumerable<FramePart> Of(SuspendedFrame frame)
    {
        FramePart part = Outermost(frame);
        yield return part;
        foreach (InlinedMethod inner in frame.Inlined)
            yield return part = Within(part, inner);
    }

    private FramePart Outermost(SuspendedFrame frame)
    {
        ModuleMethod? method = frame.Point.Method is { Facts: { } facts } known ? new(known.Module, facts) : null;
        return saved is null || method is null || frame.Point is not { Site.ILOffset: var await, Exactness: Exactness.Exact or Exactness.Order }
            ? new(frame.Place, method)
            : new(frame.Place, method) { Await = await, Flow = flows.At(method, await), Memory = () => new ContinuationMemory(target, types, saved.At(frame.Point), frame.Row) };
    }

    // The caller's code says what it gave to the method that it awaits.
    private FramePart Within(FramePart caller, InlinedMethod inner)
    {
        var method = new ModuleMethod(inner.Frame.Module, inner.Frame.Facts);
        return caller.Flow is not { After.Awaited: { Kind: SymbolKind.Call, Method: { } called } awaited } flow || called.Module != method.Module || called.Facts.Token != method.Facts.Token
            || inner.Frame is not { Site.ILOffset: var await, Exactness: Exactness.Exact or Exactness.Order }
            ? new(inner.Place, method)
            : new(inner.Place, method)
            {
                Await = await,
                Flow = flows.At(method, await),
                Memory = () => MemoryIn(caller.Memory(), flow, awaited),
            };
    }

    private InlinedMemory MemoryIn(FrameMemory caller, AwaitFlow flow, Symbol awaited) => new(new SymbolValues(target, entries, caller, flow.Before), awaited.Parts, caller);
}

/// <summary>A method that is on the stack in a frame.</summary>
/// <param name="Place">Number of its place.</param>
/// <param name="Method">The method; null if it is not known.</param>
internal sealed record FramePart(int Place, ModuleMethod? Method)
{
    /// <summary>IL offset of the await where it stands.</summary>
    public int Await { get; init; }

    /// <summary>What its code does around that await; null if that cannot be told.</summary>
    public AwaitFlow? Flow { get; init; }

    /// <summary>What is kept of it; only with <see cref="Flow"/>.</summary>
    public Func<FrameMemory> Memory { get; init; } = () => new ThreadMemory(0);
}
