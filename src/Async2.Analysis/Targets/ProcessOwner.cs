using System.Globalization;

namespace Async2.Analysis.Targets;

/// <summary>Who owns a Linux process: decides whether its files are as trustworthy as the user's own (proc(5), status).</summary>
internal static class ProcessOwner
{
    /// <summary>True when the process runs as the effective user of this one; false also when it cannot be told.</summary>
    public static bool IsCurrentUser(int pid)
    {
        if (!OperatingSystem.IsLinux())
            return true;
        string? own = EffectiveUser("self");
        return own is not null && own == EffectiveUser(pid.ToString(CultureInfo.InvariantCulture));
    }

    private static string? EffectiveUser(string process)
    {
        try
        {
            // "Uid:  real  effective  saved  filesystem"
            string? line = File.ReadLines($"/proc/{process}/status").FirstOrDefault(l => l.StartsWith("Uid:", StringComparison.Ordinal));
            string[] parts = line?.Split('\t', StringSplitOptions.RemoveEmptyEntries) ?? [];
            return parts.Length > 2 ? parts[2] : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
