using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Async2.Analysis.Code.Metadata;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Code.Locals;

/// <summary>
/// Which variables a suspension point saves, and where: the JIT's debug info says where code has a variable when the suspension
/// block begins, the block what it copies from there. Each point is decoded once.
/// </summary>
internal sealed class SavedVariableReader(Target target, ContinuationFields fields)
{
    private const int BlockLimit = 256 * 1024;

    private readonly Dictionary<(ulong Body, ulong Block, int? ILOffset), SavedVariables> _known = [];
    private readonly Dictionary<ulong, NativeVariable[]> _variables = [];

    public SavedVariables At(SuspensionPoint point)
    {
        if (point is not { Method: { IsUserBody: true } method, Body: { } body, Block: { } block } || !HasDecoder)
            return SavedVariables.None;
        var key = (body.Start, block.Address, point.Site?.ILOffset);
        if (!_known.TryGetValue(key, out SavedVariables? saved))
            _known[key] = saved = Decode(point, method, body, block);
        return saved;
    }

    private bool HasDecoder => target.Runtime.DataTarget.DataReader.Architecture == Architecture.X64;

    private SavedVariables Decode(SuspensionPoint point, AsyncMethod method, NativeBody body, SuspensionBlock block)
    {
        ulong length = Math.Min(BlockLimit, body.Start + (ulong)body.Length - block.Address);
        byte[]? code = target.Memory.TryReadBlock(block.Address, length, BlockLimit);
        if (code is null || method.Module.Metadata?.VariablesOf(method.Token) is not { } signature)
            return SavedVariables.None;
        if (!_variables.TryGetValue(body.Start, out NativeVariable[]? variables))
            _variables[body.Start] = variables = NativeDebugInfo.ReadVariables(target.Memory, body.DebugInfo);
        Dictionary<int, (string Name, TypeSig? Type)> names = Names(point, method, signature);
        ulong offset = block.Address - body.Start;
        ImmutableArray<SavedVariable> found =
        [
            .. from variable in variables
               where variable.IsAt(offset) && variable.Home is VariableHome.Register or VariableHome.FloatRegister or VariableHome.Stack
               where names.ContainsKey(variable.Number)
               orderby names[variable.Number].Name != SavedVariable.This, variable.Number
               let name = names[variable.Number]
               select new SavedVariable(name.Name, name.Type, variable.Place),
        ];
        return new SavedVariables(found, X64SaveDecoder.Decode(code, block.Address, block.Resume, fields));
    }

    // By the JIT's numbers: this, the caller's continuation, arguments, locals.
    private static Dictionary<int, (string Name, TypeSig? Type)> Names(SuspensionPoint point, AsyncMethod method, MethodVariables signature)
    {
        var names = new Dictionary<int, (string, TypeSig?)>();
        int next = 0;
        if (signature.HasThis)
            names[next++] = (SavedVariable.This, null);
        next++;
        foreach (DeclaredVariable parameter in signature.Parameters)
        {
            if (parameter.Name is { Length: > 0 } name && parameter.Type.Kind != TypeSigKind.ByRef)
                names[next] = (name, parameter.Type);
            next++;
        }
        if (method.Module.Symbols.LocalsOf(method.Token) is not { } locals)
            return names;
        ImmutableArray<TypeSig> types = method.Module.Metadata!.LocalTypesOf(locals.SignatureToken);
        bool isSure = point.Exactness is Exactness.Exact or Exactness.Order;
        if (signature is { HasThis: true, IsInValueType: true } && method.Module.CopyOfThisIn(method.Method) is { } copy && copy < types.Length)
            names[next + copy] = (SavedVariable.This, types[copy]);
        foreach (ScopedLocal local in point.Site is { } site && isSure ? locals.At(site.ILOffset) : locals.Unambiguous())
        {
            if (local.Slot >= 0 && local.Slot < types.Length && types[local.Slot].Kind != TypeSigKind.ByRef)
                names[next + local.Slot] = (local.Name, types[local.Slot]);
        }
        return names;
    }
}
