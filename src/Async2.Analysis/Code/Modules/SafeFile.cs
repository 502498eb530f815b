using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets.Files;

namespace Async2.Analysis.Code.Modules;

/// <summary>Files whose names come from a dump or lie in a directory somebody else may write to (<see cref="RegularFile"/>).</summary>
internal static class SafeFile
{
    /// <summary>The whole file, or null if it is none, is too large or cannot be read.</summary>
    public static byte[]? ReadAllBytes(string path) => RegularFile.ReadAll(RegularFile.Open(path));

    /// <summary>True if there is something of that name that is not a directory.</summary>
    public static bool Exists(string path) => UntrustedBytes.Read(path, () => File.Exists(path));
}
