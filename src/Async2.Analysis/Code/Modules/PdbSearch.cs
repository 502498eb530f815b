using Async2.Analysis.Metadata.Symbols;

namespace Async2.Analysis.Code.Modules;

/// <summary>What became of the search for a module's PDB.</summary>
internal enum PdbOutcome
{
    Found,

    /// <summary>No file of that name in any place.</summary>
    NotFound,

    /// <summary>There are files of that name, but of another build or not readable as a portable PDB.</summary>
    Mismatched,

    /// <summary>The module does not say which PDB is its own, so none could be trusted.</summary>
    NoIdentity,
}

/// <summary>Why a place did not serve.</summary>
internal enum PdbMatch
{
    Matches,
    Missing,

    /// <summary>Directory, pipe, device, empty, too large or no permission.</summary>
    Unreadable,

    /// <summary>The old Windows format, or damaged.</summary>
    NotPortable,

    OtherBuild,
}

/// <summary>One place that was looked at. The path may come from the target: escape it before it is shown.</summary>
internal sealed record PdbCandidate(string Path, PdbMatch Match);

/// <summary>The answer of <see cref="PdbLocator"/>.</summary>
/// <param name="Pdb">Only when found.</param>
/// <param name="Path">Where it was; null for a PDB inside the module.</param>
/// <param name="Tried">All places looked at, in order.</param>
internal sealed record PdbSearch(PdbOutcome Outcome, PortablePdb? Pdb, string? Path, IReadOnlyList<PdbCandidate> Tried);
