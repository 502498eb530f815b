using System.Text;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>
/// Which runtime a target has. An installed one lies in a folder with its version as name; one that came with its program says it only
/// inside of itself.
/// </summary>
internal static class RuntimeVersion
{
    private const string InstallFolder = "Microsoft.NETCore.App";

    // The headers of libraries are far smaller.
    private const int HeaderBytes = 4096;

    // Writable data of coreclr is 230 KB.
    private const ulong SegmentLimit = 4 * 1024 * 1024;

    // sccsid of every native library (eng/native/version/_version.c): "@(#)Version 8.0.3126.42015 @Commit: ...".
    private static ReadOnlySpan<byte> Marker => "@(#)Version "u8;

    /// <summary><c>10.0.12</c>; null where nothing tells.</summary>
    public static string? Of(ClrInfo clr)
        => InPath(clr.ModuleInfo.FileName)
            ?? (clr.Version.Major > 0 ? Release(clr.Version) : InMemory(clr.DataTarget.DataReader, clr.ModuleInfo.ImageBase) is { } own ? Release(own) : null);

    /// <summary>Version in <c>.../Microsoft.NETCore.App/10.0.12/libcoreclr.so</c>; null for other places.</summary>
    public static string? InPath(string runtimePath)
        => Path.GetDirectoryName(runtimePath) is { } folder && Path.GetFileName(Path.GetDirectoryName(folder)) == InstallFolder
            && Path.GetFileName(folder) is var name && Version.TryParse(name.Split('-')[0], out _) ? name : null;

    /// <summary>
    /// <c>8.0.31</c> of the file version 8.0.3126.42015: patch and year of the build share a number, and before the first patch
    /// only the year stands there.
    /// </summary>
    public static string Release(Version file) => FormattableString.Invariant($"{file.Major}.{file.Minor}.{file.Build / 100}");

    /// <summary>The file version that a native library of .NET has among its data; null where it is not found.</summary>
    public static Version? InMemory(IMemoryReader reader, ulong imageBase)
    {
        byte[] head = new byte[HeaderBytes];
        int length = reader.Read(imageBase, head);
        if (!ElfHeader.IsElf(head.AsSpan(0, Math.Max(0, length))))
            return null;
        using var stream = new MemoryStream(head, 0, length);
        if (ElfProgramHeaders.Read(stream) is not { } headers)
            return null;
        ElfSegment[] segments = [.. headers.Segments.Where(s => s.Type == ElfSegment.Load)];
        foreach (ElfSegment segment in segments.Where(s => s.Bytes is > 0 and <= SegmentLimit))
        {
            byte[] data = new byte[segment.Bytes];
            int read = reader.Read(imageBase - (segments[0].Address & ~0xffful) + segment.Address, data);
            if (In(data.AsSpan(0, Math.Max(0, read))) is { } found)
                return found;
        }
        return null;
    }

    private static Version? In(ReadOnlySpan<byte> data)
    {
        int start = data.IndexOf(Marker);
        if (start < 0)
            return null;
        ReadOnlySpan<byte> rest = data[(start + Marker.Length)..];
        int length = 0;
        while (length < rest.Length && (char.IsAsciiDigit((char)rest[length]) || rest[length] == '.'))
            length++;
        return length is < 40 && Version.TryParse(Encoding.ASCII.GetString(rest[..length]), out Version? version) && version is { Major: > 0, Build: >= 0 } ? version : null;
    }
}
