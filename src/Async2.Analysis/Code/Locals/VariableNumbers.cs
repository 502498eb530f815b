using System.Collections.Immutable;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Metadata.Symbols;

namespace Async2.Analysis.Code.Locals;

/// <summary>
/// What the JIT's numbers stand for in one method: <c>this</c>, the caller's continuation (runtime-async; IL does not know it), arguments,
/// locals.
/// </summary>
internal sealed class VariableNumbers
{
    private readonly int _firstLocal;
    private readonly int _continuation = -1;

    /// <param name="method">The method.</param>
    /// <param name="signature">Its parameters.</param>
    /// <param name="countsContinuation">The caller's continuation has a number; null: as .NET 10 counts.</param>
    public VariableNumbers(AsyncMethod method, MethodVariables signature, bool? countsContinuation = null)
    {
        Dictionary<int, TypeSig?> types = [];
        int next = 0;
        if (signature.HasThis)
        {
            // Of a struct it is a reference, which does not outlive a suspension.
            if (!signature.IsInValueType)
                Names[next] = SavedVariable.This;
            types[next++] = null;
        }
        if (countsContinuation ?? method.IsUserBody)
            _continuation = next++;
        foreach (DeclaredVariable parameter in signature.Parameters)
        {
            if (parameter.Name is { Length: > 0 } name && parameter.Type.Kind != TypeSigKind.ByRef)
                Names[next] = name;
            types[next++] = parameter.Type;
        }
        _firstLocal = next;
        Locals = method.Module.Symbols.LocalsOf(method.Token);
        ImmutableArray<TypeSig> locals = Locals is null ? [] : method.Module.Metadata?.LocalTypesOf(Locals.SignatureToken) ?? [];
        foreach (TypeSig type in locals)
            types[next++] = type;
        Types = types;
        // A method of a struct works on a copy of it.
        if (signature is { HasThis: true, IsInValueType: true } && method.Module.CopyOfThisIn(method.Method) is { } copy && copy < locals.Length)
            Names[_firstLocal + copy] = SavedVariable.This;
    }

    /// <summary>Names of arguments, and of the locals that were added.</summary>
    public SortedDictionary<int, string> Names { get; } = [];

    /// <summary>Declared types by number; null for <c>this</c>.</summary>
    public IReadOnlyDictionary<int, TypeSig?> Types { get; }

    public MethodLocals? Locals { get; }

    /// <summary>What a number is in IL: a local, or an argument counted with <c>this</c>; -1 for what IL does not know.</summary>
    public (bool IsLocal, int Index) SlotOf(int number)
        => number >= _firstLocal ? (true, number - _firstLocal)
            : number == _continuation ? (false, -1)
            : (false, _continuation >= 0 && number > _continuation ? number - 1 : number);

    public void Add(IEnumerable<ScopedLocal> locals)
    {
        foreach (ScopedLocal local in locals)
        {
            if (local.Slot >= 0 && Types.GetValueOrDefault(_firstLocal + local.Slot) is { Kind: not TypeSigKind.ByRef })
                Names[_firstLocal + local.Slot] = local.Name;
        }
    }

    /// <summary>Whether IL still reads the variable behind an await.</summary>
    public bool IsNeeded(int number, ILLiveness liveness, int await)
        => number >= _firstLocal ? liveness.IsLocalNeeded(number - _firstLocal, await) : liveness.IsArgumentNeeded(number - 1, await);
}
