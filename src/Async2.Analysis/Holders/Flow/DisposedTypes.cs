using System.Reflection.Metadata;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Holders.Flow;

/// <summary>
/// What code disposes of that is not there yet: of which type it will be, by the call that gives it. An object of a class of the framework (<c>HttpResponseMessage</c>), and a
/// stream that the framework opens, give back nothing that the program has taken.
/// </summary>
/// <param name="code">The code.</param>
/// <param name="summaries">Know which types are a framework's.</param>
internal sealed class DisposedTypes(MethodCode code, MethodSummaries summaries)
{
    private const string Stream = "System.IO.Stream";

    /// <summary>It is such an object. False if that is not known.</summary>
    public bool IsPlain(Symbol disposed)
    {
        if (CalleeOf(disposed) is not { } callee)
            return false;
        TypeId? type = disposed.Kind switch
        {
            // It disposes of what it was made from.
            SymbolKind.New => callee.Parameter is { Type.FullName: Stream } ? null : callee.Type,
            SymbolKind.Awaited => TypeOf(callee.TypeArguments is [var result] ? result : null),
            _ => TypeOf(callee.Return),
        };
        return type is not null && (summaries.IsFrameworkClass(type) || (type.FullName == Stream && (disposed.Kind == SymbolKind.Awaited ? CalleeOf(disposed.Parts[0]) : callee) is { } opens && summaries.IsFrameworkClass(opens.Type)));
    }

    // What a callee returns may stand for a call of its own, which is not in this code.
    private CalleeRef? CalleeOf(Symbol made)
        => made.Kind is SymbolKind.New or SymbolKind.Call or SymbolKind.Awaited && code.TryGet(made.Number, out ILInstruction instruction) && (instruction.IsCall || instruction.OpCode == ILOpCode.Newobj)
            && code.Method.Module.Metadata?.CalleeOf(instruction.Token, instruction.OpCode) is { } callee
            && (made.Kind == SymbolKind.Awaited ? LockCalls.IsAwait(callee) : made.Text == (made.Kind == SymbolKind.New ? callee.Type.FullName : callee.Name)) ? callee : null;

    private static TypeId? TypeOf(TypeSig? type) => type is { Kind: TypeSigKind.Named, Parts.IsEmpty: true } ? type.Type : null;
}
