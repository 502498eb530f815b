using System.Collections.Immutable;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Code.Locals;

/// <summary>A variable of a suspended method.</summary>
/// <param name="Name">As in source; <c>this</c> for the instance, or what the compiler calls a closure.</param>
/// <param name="Type">Declared type; null for <c>this</c>.</param>
/// <param name="Place">Where the method has it when it suspends.</param>
/// <param name="MayBeReferred">It is an argument, of code that has a reference to it where it does not fit into a register.</param>
internal sealed record SavedVariable(string Name, TypeSig? Type, NativePlace Place, bool MayBeReferred = false)
{
    public const string This = "this";

    /// <summary>The compiler's name of a variable that holds captured variables.</summary>
    public const string ClosurePrefix = "CS$<>8__locals";

    /// <summary>Class of such a variable, and of <c>this</c> in a lambda.</summary>
    public const string ClosureClass = "<>c__DisplayClass";

    /// <summary>Class of lambdas that capture nothing: its <c>this</c> is nobody's.</summary>
    public const string SharedClosureClass = "<>c";

    public bool IsThis => Name == This && Type is null;

    public bool IsClosure => Name.StartsWith(ClosurePrefix, StringComparison.Ordinal);
}

/// <summary>Where a variable is that IL knows by its number.</summary>
/// <param name="IsLocal">A local; else an argument, counted with <c>this</c>.</param>
/// <param name="Index">Its number.</param>
/// <param name="Type">Declared type; null for <c>this</c>.</param>
/// <param name="Place">Where the method has it when it suspends.</param>
/// <param name="MayBeReferred">As of a <see cref="SavedVariable"/>.</param>
internal readonly record struct SavedSlot(bool IsLocal, int Index, TypeSig? Type, NativePlace Place, bool MayBeReferred = false);

/// <summary>A place of a variable that debug info knows.</summary>
/// <param name="Place">Where the method has it when it suspends.</param>
/// <param name="Type">Declared type; null: a pointer.</param>
/// <param name="MayBeReferred">As of a <see cref="SavedVariable"/>.</param>
internal readonly record struct KnownPlace(NativePlace Place, TypeSig? Type, bool MayBeReferred = false);

/// <summary>What one suspension point saves.</summary>
/// <param name="Variables"><c>this</c>, arguments, locals.</param>
/// <param name="Map">Where their bytes go.</param>
internal sealed record SavedVariables(ImmutableArray<SavedVariable> Variables, SaveMap Map)
{
    public static SavedVariables None { get; } = new([], SaveMap.Empty);

    /// <summary>Places of all variables that the debug info knows here, named or not.</summary>
    public ImmutableArray<KnownPlace> Places { get; init; } = [];

    /// <summary>The saved parts of a variable; empty if nothing of it was saved.</summary>
    /// <param name="place">Where the debug info has it.</param>
    /// <param name="mayBeReferred">It may be there by reference.</param>
    /// <param name="size">Bytes of the variable.</param>
    public IEnumerable<SavedPiece> PiecesOf(NativePlace place, bool mayBeReferred, int size) => Map.PiecesOf(RealPlace(place, mayBeReferred, size), size);

    /// <summary>
    /// Where a variable really is. Windows x64 passes what has not 1, 2, 4 or 8 bytes by a hidden reference, and the debug info names the place of that as if it were
    /// the variable's.
    /// </summary>
    public static NativePlace RealPlace(NativePlace place, bool mayBeReferred, int size)
        => mayBeReferred && size is not (1 or 2 or 4 or 8) && place.Behind is { } behind ? behind : place;

    /// <summary>The same by the number of the local, or of the argument counted with <c>this</c>.</summary>
    public ImmutableArray<SavedSlot> Slots { get; init; } = [];

    /// <summary>
    /// Variables that the method still needs and the debug info does not know, in the JIT's order; they have no place. The JIT keeps
    /// the fields of a small struct apart, or copies in temporaries.
    /// </summary>
    public ImmutableArray<SavedVariable> Lost { get; init; } = [];
}
