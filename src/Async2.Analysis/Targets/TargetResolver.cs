using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Targets;

/// <summary>Decides what the word that a user typed as TARGET means: a pid, a dump file, or the name of a process.</summary>
internal static class TargetResolver
{
    public static Target Open(string target, TargetOptions options)
    {
        if (int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int pid) && !File.Exists(target))
            return Target.OpenProcess(pid, options);
        if (target.Length > 0 && target.All(char.IsAsciiDigit) && !File.Exists(target))
            throw new TargetException($"There is no process {target}: process ids are not that big.", HostCommands.Current.ListProcesses + "   lists the .NET processes you may read.");
        if (IsLikelyPath(target))
            return Target.OpenDump(target, options);
        return OpenByName(target, options);
    }

    private static bool IsLikelyPath(string target)
        => File.Exists(target) || Directory.Exists(target)
            || target.AsSpan().IndexOfAny(Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar) >= 0
            || Path.GetExtension(target) is ".dmp" or ".core" or ".dump" or ".mdmp" or ".hdmp";

    private static Target OpenByName(string name, TargetOptions options)
    {
        var matches = ProcessList.FindByName(name);
        if (matches.Length == 1)
            return Target.OpenProcess(matches[0].Pid, options);
        if (matches.Length == 0)
        {
            throw new TargetException(
                $"'{name}' is neither a pid, nor a file, nor the name of a running .NET process.",
                HostCommands.Current.ListProcesses + "   lists the .NET processes you may read.");
        }
        string pids = string.Join(", ", matches.Take(10).Select(m => m.Pid.ToString(CultureInfo.InvariantCulture)));
        throw new TargetException(
            $"{matches.Length} processes are called '{name}': {pids}.",
            $"name one by its pid: {HostCommands.Current.Analyze(matches[0].Pid.ToString(CultureInfo.InvariantCulture))}");
    }
}
