using System.Buffers.Binary;
using Async2.Analysis.Targets.Dumps;

namespace Async2.Tests.Support.Programs;

/// <summary>What happens to minidumps: they are cut, bytes of them are wrong, they are of something else.</summary>
internal static class DumpDamage
{
    /// <summary>Cuts a file, and returns its new length.</summary>
    /// <param name="path">Of the dump.</param>
    /// <param name="share">How much of it is left.</param>
    public static long Cut(string path, double share)
    {
        using FileStream file = File.OpenWrite(path);
        long length = (long)(share * file.Length);
        file.SetLength(length);
        return length;
    }

    /// <summary>Writes random bytes at random places.</summary>
    /// <param name="path">Of the dump.</param>
    /// <param name="seed">Of what is random.</param>
    /// <param name="from">The first place.</param>
    /// <param name="to">The end of the places; <see cref="int.MaxValue"/> for that of the file, which gets more of them.</param>
    public static void Scatter(string path, int seed, int from, int to)
    {
        var random = new Random(seed);
        using FileStream file = File.OpenWrite(path);
        long end = Math.Min(to, file.Length);
        for (int i = 0; i < (to == int.MaxValue ? 20_000 : 20); i++)
        {
            file.Position = random.NextInt64(from, end);
            file.WriteByte((byte)random.Next(256));
        }
    }

    /// <summary>Makes it one of an arm64 machine.</summary>
    public static void ChangeProcessor(string path)
    {
        using FileStream file = new(path, FileMode.Open);
        MinidumpStream system = MinidumpHeader.Streams(file)!.Single(stream => stream.Kind == MinidumpStream.System);
        file.Position = system.Offset;
        file.WriteByte(12);
    }

    /// <summary>Makes all its libraries those of another build, the runtime among them.</summary>
    public static void ChangeStamps(string path)
    {
        using FileStream file = new(path, FileMode.Open);
        MinidumpStream modules = MinidumpHeader.Streams(file)!.Single(stream => stream.Kind == MinidumpStream.Modules);
        byte[] list = new byte[modules.Size];
        file.Position = modules.Offset;
        file.ReadExactly(list);
        const int moduleSize = 108, stampAt = 16;
        for (int at = sizeof(uint); at + moduleSize <= list.Length; at += moduleSize)
            BinaryPrimitives.WriteUInt32LittleEndian(list.AsSpan(at + stampAt), 1);
        file.Position = modules.Offset;
        file.Write(list);
    }

    /// <summary>A file that begins like a dump of a whole machine.</summary>
    public static void WriteOfMachine(string path) => File.WriteAllBytes(path, [.. "PAGEDU64"u8, .. new byte[4096]]);
}
