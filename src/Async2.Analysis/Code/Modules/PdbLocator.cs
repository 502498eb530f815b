using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Code.Modules;

/// <summary>
/// Finds the PDB of a module: first in the directories the user named, then inside the module, beside it and where the compiler
/// put it. Only a PDB with the very id the module asks for is taken. Nothing is downloaded.
/// </summary>
/// <param name="symbolDirectories">From the user, so trusted; looked through one level deep.</param>
/// <param name="files">Whose paths those are that the target names; null for ours.</param>
internal sealed class PdbLocator(IReadOnlyList<string> symbolDirectories, TargetFiles? files = null)
{
    private const int MaxSubdirectories = 1000;

    /// <param name="modulePath">Where the module's file is or was; from the target.</param>
    /// <param name="codeView">From the module's debug directory.</param>
    /// <param name="image">The module, if it could be opened; asked for an embedded PDB.</param>
    public PdbSearch Find(string? modulePath, CodeView? codeView, ModuleImage? image = null)
    {
        if (codeView is not { IsPortable: true }) return new PdbSearch(PdbOutcome.NoIdentity, null, null, []);
        var tried = new List<PdbCandidate>();
        var name = TargetPath.FileName(codeView.Path) ?? TargetPath.FileName(Path.ChangeExtension(modulePath ?? "", ".pdb"));
        foreach (var path in InSymbolDirectories(name, codeView.Id))
        {
            if (Try(TargetFiles.Here, path, codeView.Id, tried) is { } found) return found;
        }

        if (image?.ReadEmbeddedPdb() is { } embedded && embedded.Id == codeView.Id)
            return new PdbSearch(PdbOutcome.Found, embedded, null, tried);
        foreach (var path in NamedByTarget(modulePath, codeView.Path, name))
        {
            if (TargetPath.IsLocal(path) && Try(files ?? TargetFiles.Here, path, codeView.Id, tried) is { } found) return found;
        }

        var mismatched = tried.Any(t => t.Match != PdbMatch.Missing);
        return new PdbSearch(mismatched ? PdbOutcome.Mismatched : PdbOutcome.NotFound, null, null, tried);
    }

    /// <summary>The directory itself, the layout of symbol servers (name/id/name), and one level below.</summary>
    private IEnumerable<string> InSymbolDirectories(string? name, PdbId id)
    {
        if (name is null) yield break;
        foreach (var directory in symbolDirectories)
        {
            yield return Path.Combine(directory, name);
            // Portable PDBs have FFFFFFFF in place of an age (SSQP key conventions).
            var onServer = Path.Combine(directory, name, $"{id.Guid:N}FFFFFFFF", name);
            if (SafeFile.Exists(onServer)) yield return onServer;
            foreach (var below in Subdirectories(directory))
            {
                var path = Path.Combine(below, name);
                if (SafeFile.Exists(path)) yield return path;
            }
        }
    }

    private static string[] Subdirectories(string directory) => UntrustedBytes.Read(directory, () =>
        Directory.EnumerateDirectories(directory).Take(MaxSubdirectories).Order(StringComparer.Ordinal).ToArray()) ?? [];

    private static IEnumerable<string> NamedByTarget(string? modulePath, string codeViewPath, string? name)
    {
        if (name is not null && TargetPath.DirectoryOf(modulePath) is { } directory) yield return Path.Combine(directory, name);
        yield return codeViewPath;
    }

    private static PdbSearch? Try(TargetFiles files, string path, PdbId wanted, List<PdbCandidate> tried)
    {
        var shown = files.NameHere(path);
        if (tried.Any(t => t.Path == shown)) return null;
        var match = Check(files, path, wanted, out var pdb);
        tried.Add(new PdbCandidate(shown, match));
        return match == PdbMatch.Matches ? new PdbSearch(PdbOutcome.Found, pdb, shown, tried) : null;
    }

    private static PdbMatch Check(TargetFiles files, string path, PdbId wanted, out PortablePdb? pdb)
    {
        pdb = null;
        if (!files.Exists(path)) return PdbMatch.Missing;
        if (files.ReadAllBytes(path) is not { } bytes) return PdbMatch.Unreadable;
        pdb = PortablePdb.Open(bytes);
        if (pdb is null) return PdbMatch.NotPortable;
        return pdb.Id == wanted ? PdbMatch.Matches : PdbMatch.OtherBuild;
    }
}
