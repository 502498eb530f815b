using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>
/// Chooses the DAC, the runtime's own native reader that must be loaded into this process. Trusted without asking, and only under the
/// rules of <see cref="CodeFile"/>: that of a runtime installed on this machine whose build id equals the target's, and the one beside
/// the runtime of a live process that has just our rights, if it is of that build (on Windows also of other processes, where only administrators could have put it there). A path that only stands in a dump is never
/// trusted; there the user has to say <c>--dac FILE</c>.
/// </summary>
internal static class DacLocator
{
    /// <summary>Chooses.</summary>
    /// <param name="clr">The target's runtime.</param>
    /// <param name="options">What the user vouches for.</param>
    /// <param name="view">A live process; null for a dump.</param>
    /// <exception cref="TargetException">There is none to be trusted; the message says why, and what to do.</exception>
    public static DacChoice Find(ClrInfo clr, TargetOptions options, ProcessView? view)
    {
        if (options.DacPath is { } chosen)
        {
            return File.Exists(chosen) ? new(CodeFile.Chosen(chosen), []) : throw new TargetException(
                Directory.Exists(chosen) ? $"'{chosen}' (given as --dac) is a folder." : $"There is no file '{chosen}' (given as --dac).",
                $"--dac needs the path of {TargetOptions.DacFileName} itself.");
        }
        var wanted = new RuntimeBuild(clr, view);
        string? refusal = null;
        foreach (string folder in RuntimeInstalls.FrameworkFolders())
        {
            if (In(TargetFiles.Here, folder, wanted, ref refusal) is { } installed)
                return new(installed, wanted.IsReplaced ? [Replaced(wanted, installed)] : []);
        }
        if (view is not null && Trusts(view, ref refusal) && wanted.IsLocal && Path.GetDirectoryName(wanted.Path) is { Length: > 0 } beside
            && In(view.Files, beside, wanted, ref refusal, isOurs: view.Identity is { IsOurUser: true }) is { } own)
            return new(own, []);
        throw DacRefusal.Of(wanted, view, refusal);
    }

    /// <summary>Version in <c>.../Microsoft.NETCore.App/10.0.12/libcoreclr.so</c>; null for other layouts.</summary>
    public static string? VersionInPath(string runtimePath)
        => Path.GetFileName(Path.GetDirectoryName(runtimePath)) is { } folder && Version.TryParse(folder.Split('-')[0], out _) ? folder : null;

    private static CodeFile? In(TargetFiles files, string folder, RuntimeBuild wanted, ref string? refusal, bool isOurs = true)
    {
        if (CodeFile.TryOpen(files, Path.Combine(folder, TargetOptions.DacFileName), out string? why, isOurs) is { } file)
            return wanted.IsOf(files, folder, file) ? file : null;
        // Only that of the right build is missed. Nothing of what was not trusted is loaded to learn that.
        if (why is not null && wanted.MayBeOf(files, folder))
            refusal ??= why;
        return null;
    }

    // Its root may be a file system that only says that root owns it all, and root in a container is less than root.
    private static bool Trusts(ProcessView view, ref string? refusal)
    {
        // On Windows the file alone decides: beside the runtime of another user's process, or of one with fewer rights, only administrators may have put it.
        if (!OperatingSystem.IsLinux())
            return OperatingSystem.IsWindows();
        if (view.Identity is { IsOurUser: true } && (!view.Files.IsElsewhere || view.Identity.HasOurRights))
            return true;
        refusal ??= view.Identity is { IsOurUser: true }
            ? FormattableString.Invariant($"process {view.Pid} is in a container and has fewer rights than this tool")
            : FormattableString.Invariant($"process {view.Pid} has not the rights of the user of this tool");
        return false;
    }

    private static Problem Replaced(RuntimeBuild runtime, CodeFile used) => new(
        ProblemCodes.RuntimeReplaced,
        $"the files of the target's runtime ('{runtime.Path}') were removed or replaced since it started; it is read with '{used.Name}' of the same build");
}

/// <summary>The DAC to load, and what has to be said about it.</summary>
/// <param name="File">The file.</param>
/// <param name="Problems">Mostly none.</param>
internal readonly record struct DacChoice(CodeFile File, ImmutableArray<Problem> Problems);
