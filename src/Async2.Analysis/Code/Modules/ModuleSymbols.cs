using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Modules;

/// <summary>
/// The image and the PDB of one module. Both are taken only when they are of exactly the build that the target has loaded: a line
/// of another build would be wrong, and no line is better than a wrong one.
/// </summary>
internal sealed class ModuleSymbols
{
    private const int ImageLimit = 512 * 1024 * 1024;

    private readonly PortablePdb? _pdb;

    private ModuleSymbols(ModuleImage? image, PortablePdb? pdb)
    {
        Image = image;
        _pdb = pdb;
    }

    /// <summary>The module's image, from its file or from the target's memory; null when neither has it.</summary>
    public ModuleImage? Image { get; }

    /// <summary>Source position of an IL offset; null if there is no PDB or it does not say.</summary>
    public SourceLine? LineOf(int methodToken, int ilOffset) => _pdb?.LineOf(methodToken, ilOffset);

    /// <summary>What an await does that the compiler made: <c>disposing what line 122 opened</c>; null for the developer's own.</summary>
    /// <param name="methodToken">The method.</param>
    /// <param name="ilOffset">The await.</param>
    /// <param name="openedOffset">Where what is disposed was stored; null where the await disposes nothing.</param>
    public string? DisposalAt(int methodToken, int ilOffset, int? openedOffset)
        => openedOffset is { } opened && _pdb?.IsHidden(methodToken, ilOffset) == true && LineOf(methodToken, opened) is { } line
            ? FormattableString.Invariant($"disposing what line {line.Line} opened") : null;

    /// <summary>Names of a method's locals; null if there is no PDB or it does not say.</summary>
    public MethodLocals? LocalsOf(int methodToken) => _pdb?.LocalsOf(methodToken);

    /// <summary>Where the locals of a state machine have their names; null if there is no PDB or it does not say.</summary>
    public HoistedScopes? HoistedScopesOf(int moveNextToken) => _pdb?.HoistedScopesOf(moveNextToken);

    /// <summary>Looks for both; what is missing or of another build becomes a problem.</summary>
    public static ModuleSymbols Find(ClrModule module, LoadedModule loaded, Target target, ProblemLog problems)
    {
        ModuleImage? image = FromFile(loaded, target.Origin.Files) ?? FromMemory(module, target.Memory);
        PdbSearch search = new PdbLocator(target.Options.SymbolDirectories, target.Origin.Files).Find(loaded.Path, image?.CodeView, image);
        // Nobody builds a framework with its PDB beside it, and nobody misses lines of frames that are folded.
        if (search.Pdb is null && !loaded.IsFramework)
            problems.Add(Describe(search, loaded.FileName, imageFound: image is not null));
        return new ModuleSymbols(image, search.Pdb);
    }

    private static ModuleImage? FromFile(LoadedModule loaded, TargetFiles files)
    {
        if (loaded.Path is not { } path || !TargetPath.IsLocal(path) || ModuleImage.OpenFile(path, files) is not { } image)
            return null;
        if (loaded.Metadata is { } metadata && image.Mvid == metadata.Mvid)
            return image;
        image.Dispose();
        return null;
    }

    private static ModuleImage? FromMemory(ClrModule module, TargetMemory memory)
    {
        if (module.ImageBase == 0 || module.Size is 0 or > ImageLimit)
            return null;
        byte[] bytes = new byte[(int)module.Size];
        // The end of a flat image may be padding that was never mapped.
        return memory.ReadUpTo(module.ImageBase, bytes) > 0 ? ModuleImage.FromBytes(bytes, module.Layout != ModuleLayout.Flat) : null;
    }

    private static Problem Describe(PdbSearch search, string file, bool imageFound) => search.Outcome switch
    {
        PdbOutcome.Mismatched => new(ProblemCodes.SymbolsMismatched,
            $"the PDB found for {file} is of another build, so its frames have no lines ({Tried(search)}): add --symbols DIR with the right one"),
        PdbOutcome.NotFound => new(ProblemCodes.SymbolsMissing,
            $"no PDB for {file}, so its frames have no lines: add --symbols DIR"),
        _ when imageFound => new(ProblemCodes.SymbolsMissing, $"{file} was built without a portable PDB: its frames have no lines"),
        _ => new(ProblemCodes.SymbolsMissing, $"{file} is neither on this machine nor in the dump, so its PDB cannot be identified: its frames have no lines"),
    };

    private static string Tried(PdbSearch search)
        => search.Tried.FirstOrDefault(t => t.Match is not (PdbMatch.Missing or PdbMatch.Matches))?.Path ?? "";
}
