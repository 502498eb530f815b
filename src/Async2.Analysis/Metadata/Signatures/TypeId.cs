using System.Collections.Immutable;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>
/// Which type, as metadata spells it: namespace, then the names from the outermost type inwards, with their arity marks
/// (<c>Dictionary`2</c>). No type arguments.
/// </summary>
/// <param name="Assembly">Simple name of the assembly a reference points into; null for types of the module itself.</param>
internal sealed record TypeId(string Namespace, ImmutableArray<string> Path, string? Assembly)
{
    /// <summary>Reflection form, <c>System.Collections.Generic.List`1+Enumerator</c>: what type tables are searched by.</summary>
    public string FullName { get; } = (Namespace.Length == 0 ? "" : Namespace + ".") + string.Join('+', Path);

    public bool Is(string fullName) => FullName == fullName;

    public bool Equals(TypeId? other) => other is not null && FullName == other.FullName && Assembly == other.Assembly;

    public override int GetHashCode() => FullName.GetHashCode(StringComparison.Ordinal);

    public override string ToString() => FullName;
}
