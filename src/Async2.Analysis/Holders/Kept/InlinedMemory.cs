using System.Collections.Immutable;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Metadata.Signatures;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders.Kept;

/// <summary>
/// What is kept of a method that was compiled into its caller: its arguments are what the caller gave it, which the caller's object has. Its locals have no number there.
/// </summary>
/// <param name="caller">What the caller's symbols stand for.</param>
/// <param name="arguments">What it was given, as the caller knows it.</param>
/// <param name="outer">What the caller kept.</param>
internal sealed class InlinedMemory(SymbolValues caller, ImmutableArray<Symbol> arguments, FrameMemory outer) : FrameMemory
{
    // No variable of the caller has this number.
    private const int NoLocal = -1;

    public override IEnumerable<ulong> Unnamed => outer.Unnamed;

    public override ulong Reference(bool isLocal, int index) => Given(isLocal, index) is { } symbol ? caller.ObjectOf(symbol) : 0;

    public override FieldsAt? Struct(bool isLocal, int index)
        => Given(isLocal, index) is { } symbol && caller.FieldsOf(symbol) is { Type.IsValueType: true } value ? value : null;

    public override (ClrInstanceField Field, ulong Owner)? Field(bool isLocal, int index, string name)
        => Struct(isLocal, index) is { } value && value.Type.GetFieldByName(name) is { Offset: >= 0 } field ? (field, value.Address) : null;

    public override int? Number(bool isLocal, int index) => Given(isLocal, index) is { } symbol ? caller.NumberOf(symbol) : null;

    public override IEnumerable<ulong> KeptApart(int local) => outer.KeptApart(NoLocal);

    public override FieldsAt? Given(TypeSig type) => outer.Given(type);

    private Symbol? Given(bool isLocal, int index) => !isLocal && (uint)index < (uint)arguments.Length ? arguments[index] : null;
}
