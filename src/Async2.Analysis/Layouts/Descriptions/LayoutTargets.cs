using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Libraries;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Whether a file is for the target that is looked at.</summary>
internal static class LayoutTargets
{
    /// <exception cref="LayoutException">It is for another one.</exception>
    public static void Check(LayoutDescription description, Target target)
    {
        if (description.Source.Kind != LayoutSourceKind.File || description.Target is not { } meant)
            return;
        var faults = new List<string>();
        if (meant.Architecture is { } processor && processor != target.ArchitectureName)
            faults.Add($"it is for {processor}, and the target is {target.ArchitectureName}");
        if (meant.Os is { } system && system != target.OsName)
            faults.Add($"it is for {system}, and the target is {target.OsName}");
        if (meant.BuildId is { } id && BuildIdFault(id, meant.Module!, target) is { } fault)
            faults.Add(fault);
        if (faults.Count > 0)
            throw new LayoutException("layout " + description.Source.Name, [.. faults], "give the layout of the target's own build, or none: leave out --layout");
    }

    private static string? BuildIdFault(string id, string module, Target target)
    {
        foreach (ModuleInfo loaded in target.Runtime.DataTarget.EnumerateModules())
        {
            if (!NativeModule.IsNamed(TargetPath.FileName(loaded.FileName) ?? "", module))
                continue;
            string own = loaded.BuildId.IsDefaultOrEmpty ? "" : Convert.ToHexString(loaded.BuildId.AsSpan()).ToLowerInvariant();
            return own == id ? null : $"it is for build {id} of {module}, and the target has {(own.Length == 0 ? "one that does not say which" : own)}";
        }
        return $"it is for {module}, which the target has not loaded";
    }
}
