using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>Why no DAC was loaded, and what to do.</summary>
internal static class DacRefusal
{
    /// <summary>Describes it.</summary>
    /// <param name="wanted">The target's runtime.</param>
    /// <param name="view">A live process; null for a dump.</param>
    /// <param name="refusal">Why the first that would have done is not trusted; null when none was found.</param>
    public static TargetException Of(RuntimeBuild wanted, ProcessView? view, string? refusal)
    {
        string name = TargetOptions.DacFileName;
        if (!wanted.IsKnown)
        {
            return new($"The build of the target's runtime is unknown (the memory with the build id of '{wanted.Path}' is missing or damaged), so {name} cannot be chosen for it.",
                $"if you know that it is {Version(wanted)}, name that runtime's library: --dac PATH/{name}");
        }
        return new($"The debugging library {name} of {Version(wanted)} is not installed on this machine{Because(wanted, refusal)}.", Fix(wanted, view));
    }

    private static string Because(RuntimeBuild wanted, string? refusal)
    {
        if (wanted.IsInProgram)
            return $" (the runtime is inside the program '{wanted.Path}', which does not include it)";
        if (wanted.IsReplaced)
            return $" (the files of the target's runtime, '{wanted.Path}', were removed or replaced since it started)";
        return $" (the target names '{wanted.Path}', which is not trusted by itself" + (refusal is null ? ")" : $": {refusal})");
    }

    private static string Fix(RuntimeBuild wanted, ProcessView? view)
    {
        string name = TargetOptions.DacFileName, install = $"install that runtime, or copy {name} from the target's machine and name it: --dac PATH/{name}";
        if (wanted.IsInProgram || wanted.IsReplaced)
            return $"install the runtime of exactly that build, or get its library (dotnet-symbol --debugging) and name it: --dac PATH/{name}";
        // The user may know better what is in there.
        string beside = Path.Combine(Path.GetDirectoryName(wanted.Path) ?? "/", name);
        return view is { Files: var files } && files.Exists(beside) ? $"{install}; if you trust that process: --dac {Quoted(files.NameHere(beside))}" : install;
    }

    private static string Quoted(string path) => path.Contains(' ', StringComparison.Ordinal) ? $"'{path}'" : path;

    private static string Version(RuntimeBuild wanted) => DacLocator.VersionInPath(wanted.Path) is { } version ? $".NET {version}" : "the target's .NET runtime";
}
