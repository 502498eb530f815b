using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Code.Locals;

/// <summary>
/// Which variables a suspension point saves, and where: the JIT's debug info says where code has a variable when the suspension
/// block begins, the block what it copies from there. Each point is decoded once.
/// </summary>
internal sealed class SavedVariableReader(Target target, NativeBodies bodies, ContinuationFields fields)
{
    private const int BlockLimit = 256 * 1024;

    private readonly Dictionary<(ulong Body, ulong Block, int? ILOffset), SavedVariables> _known = [];
    private readonly Dictionary<ulong, NativeVariable[]> _variables = [];

    public SavedVariables At(SuspensionPoint point)
    {
        if (point is not { Method: { IsUserBody: true } method, Body: { } body, Block: { } block } || !SuspensionDecoders.Know(target))
            return SavedVariables.None;
        var key = (body.Start, block.Address, point.Site?.ILOffset);
        if (!_known.TryGetValue(key, out SavedVariables? saved))
            _known[key] = saved = Decode(point, method, body, block);
        return saved;
    }

    private SavedVariables Decode(SuspensionPoint point, AsyncMethod method, NativeBody body, SuspensionBlock block)
    {
        ulong length = Math.Min(BlockLimit, body.Start + (ulong)body.Length - block.Address);
        byte[]? code = target.Memory.TryReadBlock(block.Address, length, BlockLimit);
        if (code is null || method.Module.Metadata?.VariablesOf(method.Token) is not { } signature)
            return SavedVariables.None;
        if (!_variables.TryGetValue(body.Start, out NativeVariable[]? variables))
            _variables[body.Start] = variables = bodies.VariablesOf(body);
        var numbers = new VariableNumbers(method, signature);
        bool isSure = point.Exactness is Exactness.Exact or Exactness.Order;
        if (numbers.Locals is { } locals)
            numbers.Add(point.Site is { } site && isSure ? locals.At(site.ILOffset) : locals.Unambiguous());
        ulong offset = block.Address - body.Start;
        List<NativeVariable> here = [.. variables.Where(v => v.IsAt(offset) && v.Home is VariableHome.Register or VariableHome.FloatRegister or VariableHome.Stack or VariableHome.RegisterByRef or VariableHome.StackByRef)];
        X64Convention convention = ConventionOf(block);
        bool IsReferred(NativeVariable variable) => convention.IsWindows && variable.Number >= 0 && !numbers.SlotOf(variable.Number).IsLocal && variable.Place.Slot is null;
        return new SavedVariables(Named(here, numbers, IsReferred), X64SaveDecoder.Decode(code, block, fields, convention))
        {
            Places = [.. here.Select(v => new KnownPlace(v.Place, numbers.Types.GetValueOrDefault(v.Number), IsReferred(v)))],
            Slots = [.. here.Where(v => v.Number >= 0).Select(v => SlotOf(v, numbers) with { MayBeReferred = IsReferred(v) }).Where(slot => slot.Index >= 0)],
            Lost = isSure ? Lost(point, method, here, numbers) : [],
        };
    }

    private X64Convention ConventionOf(SuspensionBlock block)
        => new(target.Runtime.DataTarget.DataReader.TargetPlatform == OSPlatform.Windows, block.HasFramePointer);

    private static SavedSlot SlotOf(NativeVariable variable, VariableNumbers numbers)
    {
        (bool isLocal, int index) = numbers.SlotOf(variable.Number);
        return new(isLocal, index, numbers.Types.GetValueOrDefault(variable.Number), variable.Place);
    }

    private static ImmutableArray<SavedVariable> Named(List<NativeVariable> here, VariableNumbers numbers, Func<NativeVariable, bool> isReferred) =>
    [
        .. from variable in here
           where numbers.Names.ContainsKey(variable.Number)
           orderby numbers.Names[variable.Number] != SavedVariable.This, variable.Number
           select new SavedVariable(numbers.Names[variable.Number], numbers.Types[variable.Number], variable.Place, isReferred(variable)),
    ];

    private static ImmutableArray<SavedVariable> Lost(SuspensionPoint point, AsyncMethod method, List<NativeVariable> here, VariableNumbers numbers)
    {
        List<int> unknown = [.. numbers.Names.Keys.Except(here.Select(v => v.Number)).Where(n => numbers.Types[n] is not null)];
        if (unknown.Count == 0 || point.Site is not { } site)
            return [];
        ILLiveness liveness = method.Module.LivenessOf(method.Method);
        return [.. unknown.Where(n => numbers.IsNeeded(n, liveness, site.ILOffset)).Select(n => new SavedVariable(numbers.Names[n], numbers.Types[n], default))];
    }
}
