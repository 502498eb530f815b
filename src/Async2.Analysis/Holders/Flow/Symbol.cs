using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Code.Modules;

namespace Async2.Analysis.Holders.Flow;

/// <summary>What a symbol stands for.</summary>
internal enum SymbolKind
{
    /// <summary>Anything.</summary>
    Unknown,

    /// <summary>A constant.</summary>
    Number,

    /// <summary>An argument, counted with <c>this</c>.</summary>
    Argument,

    /// <summary>What a local holds.</summary>
    Local,

    /// <summary>Address of an argument.</summary>
    ArgumentAddress,

    /// <summary>Address of a local.</summary>
    LocalAddress,

    /// <summary>A field of the first part.</summary>
    Field,

    /// <summary>Address of a field of the first part.</summary>
    FieldAddress,

    /// <summary>A static field.</summary>
    Static,

    /// <summary>An element of the first part, at the index that is the second.</summary>
    Element,

    /// <summary>What a dictionary, the first part, has at a key, the second.</summary>
    Entry,

    /// <summary>A string of the code.</summary>
    Text,

    /// <summary>A new object; parts are the arguments of its constructor.</summary>
    New,

    /// <summary>The result of a call; parts are its arguments.</summary>
    Call,

    /// <summary>The task of an acquisition of the first part, before it is awaited.</summary>
    Acquisition,

    /// <summary>Whether an acquisition of the first part succeeded.</summary>
    Taken,

    /// <summary>The result of awaiting the first part.</summary>
    Awaited,

    /// <summary>The opposite of the first part.</summary>
    Not,

    /// <summary>The permits of a channel, the first part, whose items are lent.</summary>
    Lent,

    /// <summary>Something that a collection, the first part, has or had: it is not known what.</summary>
    Item,

    /// <summary>A method, as a delegate gets it.</summary>
    Function,

    /// <summary>An object of a class, whichever.</summary>
    Instance,

    /// <summary>One of its parts: what a condition chose.</summary>
    Either,

    /// <summary>That the first part is completed, or released, or whatever lets those go on who wait for it.</summary>
    Completion,
}

/// <summary>
/// A value that an abstract run knows by where it comes from: <c>field _gate of argument 0</c>. Two symbols with the same <see cref="Key"/> are the
/// same value, as long as nobody stores into a field in between.
/// </summary>
internal sealed class Symbol
{
    // Deeper expressions are of no use, and a loop must not make longer ones for ever.
    private const int KeyLimit = 400;

    // Of more than these it might as well be any.
    private const int EitherLimit = 4, AlternativeLimit = 16;

    private Symbol(SymbolKind kind, string text, int number, ImmutableArray<Symbol> parts)
    {
        (Kind, Text, Number, Parts) = (kind, text, number, parts);
        string of = parts.IsEmpty ? "" : $"({string.Join(',', parts.Select(part => part.Key))})";
        Key = string.Create(CultureInfo.InvariantCulture, $"{kind} {text}{number}{of}");
    }

    public static Symbol Unknown { get; } = new(SymbolKind.Unknown, "", 0, []);

    public SymbolKind Kind { get; }

    /// <summary>Name of a field or a method.</summary>
    public string Text { get; }

    /// <summary>A constant, the number of a variable, a token of a type, or the IL offset of a call.</summary>
    public int Number { get; }

    public ImmutableArray<Symbol> Parts { get; }

    /// <summary>The method that is called; null if it is not known.</summary>
    public ModuleMethod? Method { get; private init; }

    /// <summary>Where a static field is.</summary>
    public LoadedModule? Module { get; private init; }

    /// <summary>What it is compared by.</summary>
    public string Key { get; }

    public bool IsUnknown => Kind == SymbolKind.Unknown;

    public static Symbol Constant(int value) => new(SymbolKind.Number, "", value, []);

    public static Symbol Argument(int index) => new(SymbolKind.Argument, "", index, []);

    public static Symbol Local(int slot) => new(SymbolKind.Local, "", slot, []);

    public static Symbol AddressOf(SymbolKind kind, int index) => new(kind, "", index, []);

    public static Symbol Field(Symbol of, string name, SymbolKind kind = SymbolKind.Field) => Limited(new(kind, name, 0, [of]));

    public static Symbol Static(LoadedModule module, int owner, string name) => new(SymbolKind.Static, name, owner, []) { Module = module };

    public static Symbol Element(Symbol array, Symbol index) => Limited(new(SymbolKind.Element, "", 0, [array, index]));

    public static Symbol Entry(Symbol dictionary, Symbol key) => dictionary.IsUnknown || key.IsUnknown ? Unknown : Limited(new(SymbolKind.Entry, "", 0, [dictionary, key]));

    public static Symbol Quoted(string text) => Limited(new(SymbolKind.Text, text, 0, []));

    /// <summary>Something that happens at an IL offset.</summary>
    public static Symbol At(SymbolKind kind, int offset, ImmutableArray<Symbol> parts, string text = "", ModuleMethod? method = null)
        => Limited(new(kind, text, offset, parts) { Method = method });

    public static Symbol Lent(Symbol channel) => channel.IsUnknown ? Unknown : Limited(new(SymbolKind.Lent, "", 0, [channel]));

    public static Symbol Item(Symbol collection, int offset) => Limited(new(SymbolKind.Item, "", offset, [collection]));

    public static Symbol Function(ModuleMethod method) => new(SymbolKind.Function, method.Module.FileName, method.Facts.Token, []) { Method = method };

    public static Symbol Instance(LoadedModule module, int type) => new(SymbolKind.Instance, module.FileName, type, []) { Module = module };

    /// <param name="of">What is completed.</param>
    /// <param name="type">The type that the code names; empty for what is not a TaskCompletionSource.</param>
    /// <param name="fails">With an error, or as cancelled.</param>
    public static Symbol Completion(Symbol of, string type, bool fails = false) => new(SymbolKind.Completion, type, fails ? 1 : 0, [of]);

    public static Symbol Not(Symbol value) => Limited(new(SymbolKind.Not, "", 0, [value]));

    /// <summary>What is known of a value that is either of two: of calls at one place, that it is one; of objects, which these are.</summary>
    public static Symbol Join(Symbol one, Symbol other)
    {
        if (Same(one, other) is { IsUnknown: false } same)
            return same;
        Symbol[] parts = [.. one.Choices.Concat(other.Choices).DistinctBy(part => part.Key).OrderBy(part => part.Key, StringComparer.Ordinal)];
        return parts.Length <= EitherLimit && parts.All(IsObject) ? Limited(new(SymbolKind.Either, "", 0, [.. parts])) : Unknown;
    }

    private static Symbol Same(Symbol one, Symbol other)
        => one.Key == other.Key ? one
            : one.Kind is SymbolKind.Call or SymbolKind.New && one.Kind == other.Kind && one.Number == other.Number && one.Text == other.Text && one.Parts.Length == other.Parts.Length
                ? one.With([.. one.Parts.Zip(other.Parts, Same)]) : Unknown;

    private static bool IsObject(Symbol symbol)
        => symbol.Kind is SymbolKind.Argument or SymbolKind.Local or SymbolKind.Field or SymbolKind.Static or SymbolKind.Element or SymbolKind.Entry or SymbolKind.New or SymbolKind.Call or SymbolKind.Item;

    private ImmutableArray<Symbol> Choices => Kind == SymbolKind.Either ? Parts : [this];

    /// <summary>The same without choices: what may be several is unknown.</summary>
    public Symbol One => Kind == SymbolKind.Either ? Unknown : this;

    /// <summary>All that it may be, where a condition chose it or a part of it; itself otherwise.</summary>
    public IEnumerable<Symbol> Alternatives()
    {
        Symbol[] found = [this];
        while (found.Length <= AlternativeLimit && Array.Exists(found, HasChoice))
            found = [.. found.SelectMany(symbol => symbol.WithChosen()).DistinctBy(symbol => symbol.Key)];
        return Array.Exists(found, HasChoice) ? [Unknown] : found;
    }

    private static bool HasChoice(Symbol symbol) => symbol.Kind == SymbolKind.Either || symbol.Parts.Any(HasChoice);

    // With one choice fewer.
    private IEnumerable<Symbol> WithChosen()
    {
        if (Kind == SymbolKind.Either)
            return Parts;
        Symbol? open = Parts.FirstOrDefault(HasChoice);
        return open is null ? [this] : open.WithChosen().Select(chosen => With(Parts.Replace(open, chosen)));
    }

    /// <summary>Nothing is known of it without its parts, or one of them.</summary>
    public bool NeedsParts(ImmutableArray<Symbol> parts) => Kind switch
    {
        SymbolKind.Field or SymbolKind.Element or SymbolKind.Lent => parts[0].IsUnknown,
        SymbolKind.Entry => parts[0].IsUnknown || parts[1].IsUnknown,
        _ => false,
    };

    /// <summary>The same with other parts.</summary>
    public Symbol With(ImmutableArray<Symbol> parts) => Limited(new(Kind, Text, Number, parts) { Method = Method, Module = Module });

    /// <inheritdoc/>
    public override string ToString() => Key;

    private static Symbol Limited(Symbol symbol) => symbol.Key.Length > KeyLimit ? Unknown : symbol;
}
