using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders.Kept;

/// <summary>Which objects the symbols of a method stand for in one of its frames.</summary>
/// <param name="target">The target.</param>
/// <param name="entries">Reads dictionaries.</param>
/// <param name="frame">What the frame kept.</param>
/// <param name="state">What is known where it stopped; null for a method that has not begun.</param>
internal sealed class SymbolValues(Target target, DictionaryEntries entries, FrameMemory frame, FlowState? state = null)
{
    // Fields may have been given each other's values.
    private const int DepthLimit = 16;

    private int _depth;

    /// <summary>Address of the object; 0 if it cannot be told.</summary>
    public ulong ObjectOf(Symbol symbol)
    {
        if (_depth >= DepthLimit)
            return 0;
        _depth++;
        ulong direct = Direct(symbol);
        ulong found = direct != 0 ? direct : Alike(symbol);
        _depth--;
        return found;
    }

    /// <summary>The same of what is used: of a channel that is being enumerated, the enumerator, which a variable has.</summary>
    public ulong UsedOf(Symbol used)
        => ObjectOf(used) is not 0 and var item ? item
            : state is null ? 0 : state.Locals.Values.Concat(state.Fields.Values).Where(value => QueueCalls.Enumerates(value, used)).Select(ObjectOf).FirstOrDefault(found => found != 0);

    /// <summary>A static field that has no object, mostly because its class was never used: it cannot be that of a lock that somebody waits for.</summary>
    public bool IsEmpty(Symbol symbol)
        => symbol.Kind == SymbolKind.Static && StaticField(symbol) is var (field, domain)
            && (field.GetAddress(domain) is not 0 and var slot ? target.Memory.TryReadPointer(slot, out ulong value) && value == 0 : !field.IsInitialized(domain));

    /// <summary>It is a field, or what is behind one, that has no object now.</summary>
    public bool IsNull(Symbol symbol) => symbol.Kind switch
    {
        SymbolKind.Static => IsEmpty(symbol),
        SymbolKind.Field => FieldOf(symbol) is { Field: { IsObjectReference: true } field, Owner: var owner } ? target.Memory.TryReadPointer(owner + (ulong)field.Offset, out ulong value) && value == 0 : IsNull(symbol.Parts[0]),
        _ => false,
    };

    /// <summary>Where the fields of a value are, be it an object or a struct in a field; null if that cannot be told.</summary>
    public FieldsAt? FieldsOf(Symbol symbol)
    {
        if (symbol is { Kind: SymbolKind.Argument, Number: 0 } && frame.Machine is { } machine)
            return machine;
        if (symbol.Kind == SymbolKind.Static && StaticField(symbol) is ({ IsValueType: true } kept, var domain))
            return Boxed(kept, domain);
        if (FieldOf(symbol) is { Field: { IsValueType: true, Type: { } type } field, Owner: var owner })
            return new(owner + (ulong)field.Offset, type);
        if (IsVariable(symbol) && frame.Struct(symbol.Kind == SymbolKind.Local, symbol.Number) is { } value)
            return value;
        return ObjectOf(symbol) is not 0 and var found ? FieldsAt.Of(target, found) : StructAlike(symbol) ?? Given(symbol);
    }

    // The compiler leaves what is used once on the stack, and the optimiser knows variables by no number.
    private FieldsAt? Given(Symbol symbol)
        => symbol is { Kind: SymbolKind.Awaited, Parts: [{ Kind: SymbolKind.Call, Method: { } method }] } && method.Module.Metadata?.ResultTypeOf(method.Facts.Token) is { } type ? frame.Given(type) : null;

    // The field of a struct refers to a box with it.
    private FieldsAt? Boxed(ClrStaticField field, ClrAppDomain domain)
        => field.GetAddress(domain) is not 0 and var slot && Read(slot) is not 0 and var box && FieldsAt.Of(target, box) is { } fields && fields.Type.MetadataToken == field.Type?.MetadataToken ? fields : null;

    private ulong Direct(Symbol symbol) => symbol.Kind switch
    {
        // The object whose method it is, unless that is a struct.
        SymbolKind.Argument when symbol.Number == 0 && frame.Machine is { Type.IsValueType: false } self => self.Address - (ulong)target.Memory.PointerSize,
        SymbolKind.Argument => frame.Machine is null ? frame.Reference(isLocal: false, symbol.Number) : 0,
        SymbolKind.Local => frame.Machine is null ? frame.Reference(isLocal: true, symbol.Number) : 0,
        SymbolKind.Static => Static(symbol),
        SymbolKind.Element => Element(symbol),
        SymbolKind.Lent => ObjectOf(symbol.Parts[0]),
        SymbolKind.Entry => Entry(symbol.Parts[0], symbol.Parts[1]),
        SymbolKind.Field => FieldOf(symbol) is { Field: { IsObjectReference: true } field, Owner: var owner } ? Read(owner + (ulong)field.Offset) : 0,
        _ => 0,
    };

    private (ClrInstanceField Field, ulong Owner)? FieldOf(Symbol symbol)
        => symbol.Kind != SymbolKind.Field ? null
            : IsVariable(symbol.Parts[0]) && frame.Field(symbol.Parts[0].Kind == SymbolKind.Local, symbol.Parts[0].Number, symbol.Text) is { } kept ? kept
            : FieldsOf(symbol.Parts[0]) is { } owner && owner.Type.GetFieldByName(symbol.Text) is { Offset: >= 0 } field ? (field, owner.Address) : null;

    private static bool IsVariable(Symbol symbol) => symbol.Kind is SymbolKind.Local or SymbolKind.Argument;

    // What optimised code does not keep, another variable with the same value may.
    private ulong Alike(Symbol symbol)
    {
        if (state is null)
            return 0;
        if (frame.Machine is null)
            return state.Locals.Where(local => local.Value.Key == symbol.Key).Select(local => frame.Reference(isLocal: true, local.Key)).Concat(FieldsAlike(symbol)).Append(OnlyLock(symbol)).FirstOrDefault(found => found != 0);
        return OwnFieldAlike(symbol) is { IsObjectReference: true } field ? Read(frame.Machine.Value.Address + (ulong)field.Offset) : FieldsAlike(symbol).FirstOrDefault(found => found != 0);
    }

    // A closure has it, too.
    private IEnumerable<ulong> FieldsAlike(Symbol symbol)
        => state!.Fields.Where(field => field.Value.Key == symbol.Key && field.Key != symbol.Key && state.Stored.ContainsKey(field.Key)).Select(field => Direct(state.Stored[field.Key]));

    private ulong OnlyLock(Symbol symbol)
    {
        int? local = symbol.Kind == SymbolKind.Local ? symbol.Number : symbol is { Kind: SymbolKind.Field, Parts: [{ Kind: SymbolKind.Local } owner] } ? owner.Number : null;
        if (local is not { } number)
            return 0;
        ulong[] locks = [.. frame.KeptApart(number).Where(item => LockCalls.IsLock(FieldsAt.Of(target, item)?.Type.Name ?? ""))];
        return locks is [var only] ? only : 0;
    }

    private FieldsAt? StructAlike(Symbol symbol)
    {
        if (frame.Machine is null)
            return state?.Locals.Where(local => local.Value.Key == symbol.Key).Select(local => frame.Struct(isLocal: true, local.Key)).FirstOrDefault(found => found is not null);
        return OwnFieldAlike(symbol) is { IsValueType: true, Type: { } type } field ? new(frame.Machine.Value.Address + (ulong)field.Offset, type) : null;
    }

    private ClrInstanceField? OwnFieldAlike(Symbol symbol)
        => state is not null && frame.Machine is { } machine
            ? machine.Type.Fields.FirstOrDefault(field => field.Name is { } name && state.Fields.GetValueOrDefault(Symbol.Field(Symbol.Argument(0), name).Key)?.Key == symbol.Key)
            : null;

    private ulong Static(Symbol symbol) => StaticField(symbol) is ({ IsObjectReference: true } field, var domain) && field.GetAddress(domain) is not 0 and var slot ? Read(slot) : 0;

    private (ClrStaticField Field, ClrAppDomain Domain)? StaticField(Symbol symbol)
        => symbol.Module is { } module && target.Runtime.AppDomains.FirstOrDefault() is { } domain
            && TypeLookup.Of(target.Runtime, module.MethodTableOf(symbol.Number))?.GetStaticFieldByName(symbol.Text) is { } field
            ? (field, domain) : null;

    private ulong Element(Symbol symbol)
    {
        if (NumberOf(symbol.Parts[1]) is not { } at || ObjectOf(symbol.Parts[0]) is not (not 0 and var array) || FieldsAt.Of(target, array) is not { Type.IsArray: true } || new HeapObject(target.Memory, array).Length() is not { } length)
            return 0;
        return (uint)at < length ? Read(array + (ulong)ArrayLayout.FirstElement(target.Memory) + ((ulong)at * (ulong)target.Memory.PointerSize)) : 0;
    }

    /// <summary>An int; null if it cannot be told.</summary>
    public int? NumberOf(Symbol symbol) => symbol.Kind switch
    {
        SymbolKind.Number => symbol.Number,
        SymbolKind.Argument or SymbolKind.Local when frame.Machine is null => frame.Number(symbol.Kind == SymbolKind.Local, symbol.Number),
        SymbolKind.Field when FieldOf(symbol) is { Field: { ElementType: ClrElementType.Int32 } field, Owner: var owner } => Int32(owner + (ulong)field.Offset),
        _ => null,
    };

    private ulong Entry(Symbol dictionary, Symbol key)
    {
        if (ObjectOf(dictionary) is not (not 0 and var table))
            return 0;
        object? known = key.Kind == SymbolKind.Text ? key.Text : ObjectOf(key) is not 0 and var item ? item : NumberOf(key);
        return known is null ? 0 : entries.ValueOf(table, known);
    }

    private int? Int32(ulong address) => target.Memory.TryReadUInt32(address, out uint value) ? (int)value : null;

    private ulong Read(ulong slot) => target.Memory.TryReadPointer(slot, out ulong value) ? value : 0;
}
