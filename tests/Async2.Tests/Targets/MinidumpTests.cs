using System.Buffers.Binary;
using System.Text;
using Async2.Analysis.Targets.Dumps;
using Async2.Analysis.Targets.Elf;
using Async2.Tests.Support;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Targets;

/// <summary>Minidumps: what is written is read by ClrMD as it was, and one that is cut or damaged is known before anything is read from it.</summary>
public sealed class MinidumpTests : IDisposable
{
    private const int ContextSize = 1232;
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void What_is_written_is_read_by_others()
    {
        string path = Write(out byte[] memory);
        using DataTarget target = DataTarget.LoadDump(path);
        IDataReader reader = target.DataReader;
        Assert.Equal((System.Runtime.InteropServices.Architecture.X64, 4711, System.Runtime.InteropServices.OSPlatform.Windows), (reader.Architecture, reader.ProcessId, reader.TargetPlatform));
        ModuleInfo module = Assert.Single(reader.EnumerateModules());
        Assert.Equal((0x7ff6_0000_0000ul, @"C:\shop\shop.dll", 0x5000, 0x1234_5678), (module.ImageBase, module.FileName, module.IndexFileSize, module.IndexTimeStamp));
        // VS_FIXEDFILEINFO: signature, form, 1.2.3.4.
        Assert.True(File.ReadAllBytes(path).AsSpan().IndexOf(Convert.FromHexString("BD04EFFE" + "00000100" + "02000100" + "04000300")) > 0);
        byte[] read = new byte[memory.Length];
        Assert.Equal(memory.Length, reader.Read(0x1_0000, read));
        Assert.Equal(memory, read);
        Assert.Equal(0, reader.Read(0x9_0000, read.AsSpan(0, 8)));
        byte[] context = new byte[ContextSize];
        Assert.True(reader.GetThreadContext(77, 0x10000f, context));
        Assert.Equal(0x1_0040ul, BinaryPrimitives.ReadUInt64LittleEndian(context.AsSpan(0x98)));
    }

    /// <summary>The second page of a region cannot be read: it is zero, and all behind it is where it belongs.</summary>
    [Fact]
    public void What_cannot_be_read_is_zero()
    {
        string path = Write(out byte[] memory, hole: 0x1_1000);
        using DataTarget target = DataTarget.LoadDump(path);
        byte[] read = new byte[memory.Length];
        target.DataReader.Read(0x1_0000, read);
        Array.Clear(memory, 0x1000, 0x1000);
        Assert.Equal(memory, read);
    }

    [Fact]
    public void A_dump_that_was_cut_is_known_by_its_length()
    {
        string path = Write(out _);
        byte[] whole = File.ReadAllBytes(path);
        Assert.Equal(new CoreExtent(whole.Length, IsWhole: true), Extent(whole));
        foreach (int length in (int[])[whole.Length - 1, whole.Length / 2, 600, 100, 40, 5])
            Assert.True(Extent(whole[..length]) is { } extent && extent.Bytes > length, $"{length} of {whole.Length}");
    }

    [Fact]
    public void Damaged_headers_never_throw()
    {
        byte[] whole = File.ReadAllBytes(Write(out _));
        var random = new Random(7);
        for (int round = 0; round < 3000; round++)
        {
            byte[] damaged = [.. whole[..random.Next(1, 2000)]];
            for (int i = 0; i < 6; i++)
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            using var file = new MemoryStream(damaged);
            if (MinidumpHeader.Streams(file) is not { } streams)
                continue;
            _ = MinidumpHeader.Processor(file, streams);
            _ = MinidumpHeader.Ranges(file, streams);
            _ = DumpExtent.Expected(file);
        }
    }

    /// <summary>Small files that claim much: a list longer than the file, and many lists at one place.</summary>
    [Fact]
    public void Claims_cost_nothing()
    {
        const int lists = 1000, ranges = 5000;
        byte[] many = Lists(lists, ranges, new byte[ranges * 16]), one = Lists(1, 1 << 22, []);
        long before = GC.GetAllocatedBytesForCurrentThread();
        foreach (byte[] claim in (byte[][])[many, one])
        {
            using var file = new MemoryStream(claim);
            Assert.Null(MinidumpHeader.Ranges(file, MinidumpHeader.Streams(file)!));
        }
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 1_000_000_000, "it was believed");
    }

    [Theory]
    [InlineData("MZ\u0090", "is a program or library of Windows, not a dump.")]
    [InlineData("PAGEDU64", "is a dump of a whole Windows machine, not of a process.")]
    [InlineData("MSCF", "is a compressed file, not a dump.")]
    public void What_people_pass_by_mistake_is_named(string start, string rejection) => Assert.Equal(rejection, DumpFormats.Recognize(Encoding.Latin1.GetBytes(start)).Rejection);

    [Fact]
    public void Other_processors_are_named()
    {
        ushort own = (ushort)(System.Runtime.InteropServices.RuntimeInformation.ProcessArchitecture == System.Runtime.InteropServices.Architecture.Arm64 ? 12 : 9);
        Assert.Null(DumpFormats.RejectionOf(own));
        Assert.Contains("it is of x86", DumpFormats.RejectionOf(0)!.Value.Rejection, StringComparison.Ordinal);
        Assert.Contains("an unknown processor (77)", DumpFormats.RejectionOf(77)!.Value.Rejection, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    // A dump with so many streams, each the list at the end of the file, which says that it has so many ranges.
    private static byte[] Lists(int streams, int ranges, byte[] list)
    {
        using var file = new MemoryStream();
        using var writer = new BinaryWriter(file);
        const int headerSize = 32, streamSize = 12;
        writer.Write([.. "MDMP"u8, .. new byte[4]]);
        writer.Write(streams);
        writer.Write(headerSize);
        writer.Write(new byte[headerSize - 16]);
        for (int i = 0; i < streams; i++)
        {
            writer.Write(MinidumpStream.Memory64);
            writer.Write(16);
            writer.Write(headerSize + streams * streamSize);
        }
        writer.Write((ulong)ranges);
        writer.Write(0ul);
        writer.Write(list);
        return file.ToArray();
    }

    private static CoreExtent? Extent(byte[] bytes)
    {
        using var file = new MemoryStream(bytes);
        return DumpExtent.Expected(file);
    }

    private string Write(out byte[] memory, ulong hole = 0)
    {
        byte[] bytes = memory = new byte[0x3000];
        new Random(1).NextBytes(bytes);
        byte[] context = new byte[ContextSize];
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(0x98), 0x1_0040);
        var content = new MinidumpContent
        {
            Pid = 4711,
            Started = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc),
            Processor = 9,
            System = new Version(10, 0, 20348),
            Threads = [new(77, 0x2_0000, (0x1_0040, 0x1fc0), context)],
            Modules = [new(0x7ff6_0000_0000, 0x5000, 0x1234_5678, @"C:\shop\shop.dll", new Version(1, 2, 3, 4), [.. "RSDS"u8, .. new byte[30]])],
            Regions = [new(0x1_0000, 0x1_0000, 0x3000, 4, 0x20000)],
            Ranges = [(0x1_0000, 0x3000)],
        };
        string path = _folder.PathOf("shop.dmp");
        using FileStream file = File.Create(path);
        MinidumpWriter.Write(file, content, (address, buffer) =>
        {
            if (hole != 0 && address >= hole && address < hole + 0x1000)
                return 0;
            ulong end = hole > address ? hole : 0x1_3000;
            int count = (int)Math.Min((ulong)buffer.Length, end - address);
            bytes.AsSpan((int)(address - 0x1_0000), count).CopyTo(buffer);
            return count;
        }, _ => { });
        return path;
    }
}
