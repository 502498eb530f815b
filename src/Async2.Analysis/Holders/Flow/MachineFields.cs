using System.Collections.Immutable;
using Async2.Analysis.Metadata.Awaits;

namespace Async2.Analysis.Holders.Flow;

/// <summary>What an abstract run knows of the fields of a state machine of C#.</summary>
internal static class MachineFields
{
    public const int NotStarted = -1;

    private const int FirstYield = -4;

    /// <summary>The field of a state machine that says where it stands.</summary>
    public const string State = "<>1__state";

    private const string Self = "<>4__this";

    private static readonly string StateKey = Symbol.Field(Symbol.Argument(0), State).Key;

    /// <summary>A machine in a state: comparisons with it lead along one way.</summary>
    public static FlowState Started(FlowState state, int number)
    {
        state.Fields = state.Fields.SetItem(StateKey, Symbol.Constant(number));
        return state;
    }

    /// <summary>The state that was stored last; null if it is not known.</summary>
    public static int? StateIn(FlowState state) => state.Fields.GetValueOrDefault(StateKey) is { Kind: SymbolKind.Number } number ? number.Number : null;

    /// <summary>A state in which an async iterator has handed out an element.</summary>
    public static bool IsYield(int? state) => state <= FirstYield;

    /// <summary>It is on its way to or from an await, where none of its own code runs that could throw.</summary>
    public static bool IsAtAwait(FlowState state) => StateIn(state) >= 0;

    public static bool IsSelf(Symbol symbol) => symbol is { Kind: SymbolKind.Field, Text: Self, Parts: [{ Kind: SymbolKind.Argument, Number: 0 }] };

    /// <summary>A field of the machine itself.</summary>
    public static bool IsOwn(Symbol symbol) => symbol is { Kind: SymbolKind.Field, Parts: [{ Kind: SymbolKind.Argument, Number: 0 }] };

    /// <summary>The builder's methods that end a run: <c>AwaitUnsafeOnCompleted</c> suspends the machine, <c>SetResult</c> and <c>SetException</c> end it.</summary>
    public static bool IsBuilder(CalleeRef callee) => callee.Type.Path[^1].Contains("MethodBuilder", StringComparison.Ordinal);

    /// <summary>A symbol of the machine's code in terms of the arguments of the method that started it.</summary>
    /// <param name="symbol">Of the machine.</param>
    /// <param name="parameters">Names of that method's arguments, counted with <c>this</c>.</param>
    public static Symbol Outside(Symbol symbol, ImmutableArray<string?> parameters)
    {
        if (IsSelf(symbol))
            return Symbol.Argument(0);
        if (IsOwn(symbol))
            return parameters.IndexOf(symbol.Text) is >= 0 and var index ? Symbol.Argument(index) : Symbol.Unknown;
        if (symbol.Parts.IsEmpty)
            return symbol;
        ImmutableArray<Symbol> parts = [.. symbol.Parts.Select(part => Outside(part, parameters))];
        return symbol.NeedsParts(parts) ? Symbol.Unknown : symbol.With(parts);
    }
}
