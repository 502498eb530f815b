using System.Buffers.Binary;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>
/// Dumps with wrong bytes in them, as a bad disk or a bad cable leaves them. The DAC of .NET 10 crashes on many of these; the tool
/// may refuse or answer, but it never crashes, and never takes long.
/// </summary>
[Trait("Category", "Integration")]
[Collection(DumpCollection.Name)]
public sealed class DamagedDumpTests(ScenarioDump dump, ITestOutputHelper output)
{
    private const int ProgramHeaderSize = 56;
    private const int PageSize = 4096;

    [Fact]
    public void Wrong_bytes_in_the_headers() => Damage(8, seed: 100, (random, path) =>
    {
        foreach (int _ in Enumerable.Range(0, 1 << random.Next(1, 8)))
            Write(path, random.Next(ElfStart, 0x4000), [(byte)random.Next(256)]);
    });

    [Fact]
    public void Wrong_bytes_in_data() => Damage(8, seed: 200, (random, path) =>
    {
        (long Offset, long Size)[] segments = [.. WritableSegments(path)];
        foreach (int _ in Enumerable.Range(0, 1 << random.Next(4, 16)))
        {
            (long offset, long size) = segments[random.Next(segments.Length)];
            Write(path, offset + random.NextInt64(size), [(byte)(random.Next(3) == 0 ? 0 : random.Next(256))]);
        }
    });

    [Fact]
    public void Pages_that_were_never_written() => Damage(12, seed: 300, (random, path) =>
    {
        long length = new FileInfo(path).Length;
        foreach (int _ in Enumerable.Range(0, 1 << random.Next(3, 7)))
        {
            long start = random.NextInt64(8, length / PageSize) * PageSize;
            Write(path, start, new byte[Math.Min(length - start, PageSize << random.Next(0, 9))]);
        }
    });

    [Fact]
    public void Another_processor()
    {
        string path = dump.Copy();
        const int machine = 18;
        Write(path, machine, [183, 0]);
        Outcome.IsRefusal(ToolRun.Of(path), 3, $"'{path}' is a dump of another processor: it is of arm64", "run dotnet-async2 on a machine with arm64");
    }

    [Fact]
    public void Segments_that_no_file_can_hold()
    {
        string path = dump.Copy();
        const int highestByteOfSize = ElfStart + ProgramHeaderSize + 32 + 7;
        Write(path, highestByteOfSize, [0x20]);
        ToolRun run = ToolRun.Of(path);
        Outcome.IsSane(run);
        Outcome.IsNotWhole(run);
        Assert.Contains("the dump is damaged: its header states 2,305,8", run.Error + run.Output, StringComparison.Ordinal);
    }

    /// <summary>Past e_ident, e_type and e_machine, which have tests of their own.</summary>
    private const int ElfStart = 64;

    private void Damage(int variants, int seed, Action<Random, string> damage)
    {
        foreach (int variant in Enumerable.Range(seed, variants))
        {
            string path = dump.Copy();
            damage(new Random(variant), path);
            ToolRun run = ToolRun.Of(path);
            output.WriteLine($"{variant}: {run.ExitCode} {run.Error}{run.Output.Split('\n')[0]}");
            Outcome.IsSane(run);
        }
    }

    // PT_LOAD = 1, PF_W = 2. Stacks are left out: they are mostly empty.
    private static List<(long Offset, long Size)> WritableSegments(string path)
    {
        byte[] start = new byte[0x8000];
        using (FileStream file = File.OpenRead(path))
            file.ReadExactly(start);
        var found = new List<(long, long)>();
        for (int i = 0; i < BinaryPrimitives.ReadUInt16LittleEndian(start.AsSpan(56)); i++)
        {
            ReadOnlySpan<byte> header = start.AsSpan(ElfStart + i * ProgramHeaderSize, ProgramHeaderSize);
            long size = BinaryPrimitives.ReadInt64LittleEndian(header[32..]);
            if (BinaryPrimitives.ReadUInt32LittleEndian(header) == 1 && (header[4] & 2) != 0 && size is > 0 and < 0x700000)
                found.Add((BinaryPrimitives.ReadInt64LittleEndian(header[8..]), size));
        }
        Assert.NotEmpty(found);
        return found;
    }

    private static void Write(string path, long position, ReadOnlySpan<byte> bytes)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.Write, FileShare.None, bufferSize: 0);
        file.Position = position;
        file.Write(bytes);
    }
}
