using Async2.Analysis.Model;

namespace Async2.Analysis.Waits.Reading;

/// <summary>A runtime type that stands for a wait, with the word that a user knows it by.</summary>
/// <param name="Prefix">How its name begins.</param>
/// <param name="Kind">What is waited for.</param>
/// <param name="Api">What the user called to wait; null if the type's own name says it best.</param>
/// <param name="Owner">Type that the user called it on, where that is not the one whose code runs.</param>
internal sealed record KnownWait(string Prefix, WaitKind Kind, string? Api, string? Owner = null)
{
    /// <summary>What is not well known.</summary>
    public static KnownWait None { get; } = new("", WaitKind.None, null);
}

/// <summary>What all families say of themselves, together.</summary>
/// <param name="Names">Names of types; the first that fits counts.</param>
/// <param name="Objects">Objects of libraries.</param>
internal sealed record WaitTable(IReadOnlyList<KnownWait> Names, IReadOnlyList<LibraryObject> Objects)
{
    /// <summary>Null for a type that is not well known.</summary>
    public KnownWait? NameOf(string? runtimeTypeName)
    {
        if (runtimeTypeName is null)
            return null;
        foreach (KnownWait known in Names)
        {
            if (runtimeTypeName.StartsWith(known.Prefix, StringComparison.Ordinal))
                return known;
        }
        return null;
    }
}
