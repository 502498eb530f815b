using System.Buffers;
using System.Text;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>
/// The version of a runtime that does not lie in a folder named after it: of a self-contained program. Its file version stands in its
/// memory, <c>10.0.1226.46308</c>: the third number is the patch, 12, and two digits of the year.
/// </summary>
internal static class RuntimeVersionText
{
    // sccsid of _version.c, in every native library of .NET.
    private static readonly byte[] Mark = Encoding.ASCII.GetBytes("@(#)Version ");

    private static readonly SearchValues<byte> Digits = SearchValues.Create("0123456789."u8);

    private const int BytesAtOnce = 1 << 20;
    private const int LongestVersion = 40;
    private const long LargestLibrary = 256L << 20;
    private const int DigitsOfYear = 100;

    /// <summary><c>10.0.12</c>; null if it does not say.</summary>
    public static string? Of(ClrInfo clr)
        => clr.Version.Major > 0 ? OfFile(clr.Version) : Search(clr.DataTarget.DataReader, clr.ModuleInfo.ImageBase, clr.ModuleInfo.ImageSize) is { } found ? OfFile(found) : null;

    /// <summary>The version that people know, of a file version.</summary>
    public static string OfFile(Version file)
        => FormattableString.Invariant($"{file.Major}.{file.Minor}.{Math.Max(0, file.Revision > 0 ? file.Build / DigitsOfYear : file.Build)}");

    /// <summary>Looks for the file version in the memory of a library; null if it is not there.</summary>
    public static Version? Search(IMemoryReader memory, ulong start, long size)
    {
        byte[] buffer = new byte[BytesAtOnce + Mark.Length + LongestVersion];
        for (long done = 0; done < Math.Min(size, LargestLibrary); done += BytesAtOnce)
        {
            int read = Math.Clamp(memory.Read(start + (ulong)done, buffer), 0, buffer.Length);
            ReadOnlySpan<byte> bytes = buffer.AsSpan(0, read);
            if (bytes.IndexOf(Mark) is >= 0 and var at && Parse(bytes[(at + Mark.Length)..]) is { } version)
                return version;
        }
        return null;
    }

    // "10.0.1226.46308 @Commit: ..."
    private static Version? Parse(ReadOnlySpan<byte> text)
    {
        int end = text[..Math.Min(text.Length, LongestVersion)].IndexOfAnyExcept(Digits);
        return end > 0 && Version.TryParse(Encoding.ASCII.GetString(text[..end]), out Version? version) ? version : null;
    }
}
