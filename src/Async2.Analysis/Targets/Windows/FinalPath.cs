using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Windows;

/// <summary>The path of an open file, with all links and junctions resolved.</summary>
[SupportedOSPlatform("windows")]
internal static class FinalPath
{
    private const int LongestPath = 32768;

    // \\?\C:\..., and of a share \\?\UNC\server\...
    private const string Prefix = @"\\?\";

    /// <summary>Null if unknown.</summary>
    public static unsafe string? Of(SafeFileHandle file)
    {
        char[] path = new char[LongestPath];
        fixed (char* start = path)
        {
            if (WindowsCalls.GetFinalPathNameByHandleW(file, start, LongestPath, 0) is not (> 0 and < LongestPath and var length))
                return null;
            string found = new(start, 0, (int)length);
            return found.StartsWith(Prefix, StringComparison.Ordinal) && found.Length > Prefix.Length + 1 && found[Prefix.Length + 1] == ':' ? found[Prefix.Length..] : found;
        }
    }
}
