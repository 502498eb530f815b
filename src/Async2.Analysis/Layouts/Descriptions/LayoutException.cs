using System.Collections.Immutable;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>
/// A layout description cannot be used: what the user gave is wrong, and nothing is guessed in its stead. A description that
/// a target exports never ends an analysis; there the faults become problems.
/// </summary>
public sealed class LayoutException : Exception
{
    private const int Shown = 3;

    /// <summary>Creates the error.</summary>
    /// <param name="subject">What is wrong, <c>layout my.json</c>.</param>
    /// <param name="faults">What is wrong with it, at least one; each a sentence that names the thing.</param>
    /// <param name="fix">What the user can do.</param>
    public LayoutException(string subject, ImmutableArray<string> faults, string fix)
        : base($"{subject}: {Joined(faults)}")
    {
        Faults = faults;
        Fix = fix;
    }

    /// <summary>Everything that is wrong with it.</summary>
    public ImmutableArray<string> Faults { get; }

    /// <summary>What the user can do now.</summary>
    public string Fix { get; }

    /// <summary>The first faults, and how many there are beyond.</summary>
    internal static string Joined(IReadOnlyCollection<string> faults)
        => string.Join("; ", faults.Take(Shown)) + (faults.Count > Shown ? FormattableString.Invariant($"; and {faults.Count - Shown:N0} more") : "");
}
