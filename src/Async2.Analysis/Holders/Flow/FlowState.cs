using System.Collections.Immutable;

namespace Async2.Analysis.Holders.Flow;

/// <summary>A lock that was acquired on the way.</summary>
/// <param name="Lock">The lock.</param>
/// <param name="Releaser">Key of the value whose disposal releases it; empty if it is released by itself.</param>
internal sealed record TakenLock(Symbol Lock, string Releaser);

/// <summary>What is known at one place of a method on all ways that lead there. Changed while one instruction is carried out, else left alone.</summary>
internal sealed class FlowState
{
    public ImmutableStack<Symbol> Stack { get; set; } = [];

    public ImmutableDictionary<int, Symbol> Locals { get; set; } = ImmutableDictionary<int, Symbol>.Empty;

    /// <summary>Fields that were stored, by the key of their symbol.</summary>
    public ImmutableDictionary<string, Symbol> Fields { get; set; } = ImmutableDictionary<string, Symbol>.Empty;

    /// <summary>Symbols of fields that were stored on some way, by their key.</summary>
    public ImmutableDictionary<string, Symbol> Stored { get; private set; } = ImmutableDictionary<string, Symbol>.Empty;

    /// <summary>Locks acquired on all ways, by the key of their symbol.</summary>
    public ImmutableDictionary<string, TakenLock> Must { get; set; } = ImmutableDictionary<string, TakenLock>.Empty;

    /// <summary>Locks acquired on some way.</summary>
    public ImmutableDictionary<string, TakenLock> May { get; set; } = ImmutableDictionary<string, TakenLock>.Empty;

    /// <summary>It leads to where a frame stands: what it has stored is in memory now. What other code will store is not.</summary>
    public bool IsPast { get; set; }

    /// <summary>It is what follows an await or a call: what a variable was given since, is not what its frame kept.</summary>
    public bool IsResumed { get; set; }

    public FlowState Copy() => (FlowState)MemberwiseClone();

    /// <summary>The same without what was acquired: what is released from here on was acquired before.</summary>
    public FlowState WithoutLocks()
    {
        FlowState copy = Copy();
        copy.Must = copy.May = ImmutableDictionary<string, TakenLock>.Empty;
        (copy.IsPast, copy.IsResumed) = (false, true);
        return copy;
    }

    public void Push(Symbol symbol) => Stack = Stack.Push(symbol);

    public Symbol Pop()
    {
        if (Stack.IsEmpty)
            return Symbol.Unknown;
        Stack = Stack.Pop(out Symbol top);
        return top;
    }

    public Symbol LocalOf(int slot) => Locals.GetValueOrDefault(slot) ?? Symbol.Local(slot);

    /// <summary>A variable, a field or the stack has a value.</summary>
    public bool Knows(Symbol value) => Locals.Values.Concat(Fields.Values).Concat(Stack).Any(known => known.Key == value.Key);

    /// <summary>Stores into a local. What was chosen by a condition on the way to where a frame stands, that frame keeps.</summary>
    public void StoreLocal(int slot, Symbol value)
    {
        value = IsPast ? value.One : value;
        Locals = Locals.SetItem(slot, value.IsUnknown ? Symbol.Local(slot) : value);
    }

    public void Store(Symbol field, Symbol value)
    {
        value = IsPast ? value.One : value;
        if (IsPast)
            Outdate(field);
        Fields = value.IsUnknown ? Fields.Remove(field.Key) : Fields.SetItem(field.Key, value);
        Stored = Stored.SetItem(field.Key, field);
    }

    // What was loaded from it before is what it had: the compiler keeps it in a variable, in a field of the state machine, or on the stack.
    private void Outdate(Symbol field)
    {
        foreach ((int slot, Symbol local) in Locals)
        {
            if (local.Key == field.Key)
                Locals = Locals.SetItem(slot, Symbol.Local(slot));
        }
        Fields = Fields.RemoveRange(Fields.Where(other => other.Value.Key == field.Key).Select(other => other.Key));
        if (Stack.Any(item => item.Key == field.Key))
            Stack = ImmutableStack.CreateRange(Stack.Select(item => item.Key == field.Key ? Symbol.Unknown : item).Reverse());
    }

    /// <summary>Stores into a variable whose address is known; nothing for other symbols.</summary>
    public void Assign(Symbol address, Symbol value)
    {
        if (address.Kind == SymbolKind.LocalAddress)
            StoreLocal(address.Number, value);
        else if (address.Kind == SymbolKind.FieldAddress)
            Store(Symbol.Field(address.Parts[0], address.Text), value);
    }

    /// <summary>Something unknown may have been stored into a variable.</summary>
    public void Forget(Symbol address)
    {
        if (IsResumed && address.Kind == SymbolKind.LocalAddress)
            Locals = Locals.SetItem(address.Number, Symbol.Unknown);
        else
            Assign(address, Symbol.Unknown);
    }

    public void Acquire(Symbol taken, string releaser)
    {
        var row = new TakenLock(taken, releaser);
        Must = Must.SetItem(taken.Key, row);
        May = May.SetItem(taken.Key, row);
    }

    /// <summary>What stands at an address.</summary>
    public Symbol Read(Symbol symbol)
    {
        if (symbol.Kind == SymbolKind.LocalAddress)
            return LocalOf(symbol.Number);
        if (symbol.Kind == SymbolKind.ArgumentAddress)
            return Symbol.Argument(symbol.Number);
        if (symbol.Kind != SymbolKind.FieldAddress)
            return symbol;
        var field = Symbol.Field(symbol.Parts[0], symbol.Text);
        return Fields.GetValueOrDefault(field.Key) ?? field;
    }

    /// <summary>What is known after either of two; null if the first one says it already.</summary>
    public static FlowState? Join(FlowState known, FlowState next)
    {
        FlowState joined = known.Copy();
        joined.Stack = JoinStacks(known.Stack, next.Stack);
        foreach ((int slot, Symbol value) in next.Locals)
        {
            Symbol? own = known.Locals.GetValueOrDefault(slot);
            if (own is null || own.Key != value.Key)
                joined.Locals = joined.Locals.SetItem(slot, own is null ? value : Symbol.Local(slot));
        }
        joined.Fields = known.Fields.RemoveRange(known.Fields.Where(field => next.Fields.GetValueOrDefault(field.Key)?.Key != field.Value.Key).Select(field => field.Key));
        joined.Stored = known.Stored.SetItems(next.Stored);
        joined.Must = known.Must.RemoveRange(known.Must.Keys.Where(key => !next.Must.ContainsKey(key)));
        joined.May = known.May.AddRange(next.May.Where(row => !known.May.ContainsKey(row.Key)));
        return joined.Says(known) ? null : joined;
    }

    /// <summary>It says the same.</summary>
    public bool IsSame(FlowState other)
        => Says(other) && Fields.All(field => other.Fields.GetValueOrDefault(field.Key)?.Key == field.Value.Key) && IsSame(Must, other.Must) && IsSame(May, other.May);

    private static bool IsSame(ImmutableDictionary<string, TakenLock> one, ImmutableDictionary<string, TakenLock> other)
        => ReferenceEquals(one, other) || one.All(row => other.GetValueOrDefault(row.Key)?.Releaser == row.Value.Releaser);

    private bool Says(FlowState other)
        => Fields.Count == other.Fields.Count && Must.Count == other.Must.Count && May.Count == other.May.Count && Locals.Count == other.Locals.Count
            && Locals.All(local => other.Locals.GetValueOrDefault(local.Key)?.Key == local.Value.Key) && Stack.Select(item => item.Key).SequenceEqual(other.Stack.Select(item => item.Key));

    // Of damaged IL they may have different depths.
    private static ImmutableStack<Symbol> JoinStacks(ImmutableStack<Symbol> known, ImmutableStack<Symbol> next)
        => ReferenceEquals(known, next) ? known
            : ImmutableStack.CreateRange(known.Zip(next, Symbol.Join).Reverse());
}
