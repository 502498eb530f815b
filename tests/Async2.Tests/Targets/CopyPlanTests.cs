using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;
using Async2.Tests.Support;

namespace Async2.Tests.Targets;

/// <summary>What of a process is copied, what is read from files, and how registers are handed on.</summary>
public sealed class CopyPlanTests
{
    [Fact]
    public unsafe void Pages_that_were_written_are_copied_and_the_others_are_zero()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        const int pages = 64;
        nint start = MemoryCalls.Reserve(pages * PageMap.PageSize);
        try
        {
            *(byte*)(start + 5 * (int)PageMap.PageSize) = 1;
            CopyPlan plan = CopyPlan.Of(Environment.ProcessId);
            ulong first = (ulong)start;
            Assert.Contains(plan.Ranges, range => first >= range.Start && first + pages * PageMap.PageSize <= range.Start + range.Length);
            MemorySlice[] runs = [.. plan.Runs.Where(run => run.Start + run.Length > first && run.Start < first + pages * PageMap.PageSize)];
            Assert.Contains(runs, run => Has(run, first + 5 * PageMap.PageSize));
            Assert.DoesNotContain(runs, run => Has(run, first + 10 * PageMap.PageSize));
        }
        finally
        {
            MemoryCalls.Release(start, pages * PageMap.PageSize);
        }
    }

    /// <summary>More ranges than one question answers, and pages of a file that were changed beside some that were not.</summary>
    [Fact]
    public unsafe void What_the_kernel_says_of_ranges_is_what_it_says_of_pages()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        const int pages = 5000;
        nint start = MemoryCalls.Reserve(pages * PageMap.PageSize);
        try
        {
            for (int page = 0; page < pages; page += page % 7 == 0 ? 1 : 2)
                *(byte*)(start + page * (int)PageMap.PageSize) = 1;
            using PageMap asked = new(Environment.ProcessId), counted = new(Environment.ProcessId);
            MemoryMapping[] libraries = [.. MemoryMapping.Of(Environment.ProcessId).Where(mapping => mapping is { IsFile: true, IsPrivate: true } && mapping.Path.Contains("/libc.so", StringComparison.Ordinal))];
            asked.Prepare([new((ulong)start, pages * (nuint)PageMap.PageSize), new(libraries[0].Start, (nuint)(libraries[^1].End - libraries[0].Start))]);
            Assert.Equal(Runs(counted, new((ulong)start, pages * (nuint)PageMap.PageSize), false), Runs(asked, new((ulong)start, pages * (nuint)PageMap.PageSize), false));
            Assert.InRange(Runs(asked, new((ulong)start, pages * (nuint)PageMap.PageSize), false).Count, 1500, pages);
            // Data of libraries does not change any more.
            foreach (MemoryMapping library in libraries)
                Assert.Equal(Runs(counted, new(library.Start, (nuint)library.Length), true), Runs(asked, new(library.Start, (nuint)library.Length), true));
        }
        finally
        {
            MemoryCalls.Release(start, pages * PageMap.PageSize);
        }
    }

    [Fact]
    public void Mapped_files_are_read_where_they_were_mapped()
    {
        using var folder = new TemporaryFolder();
        string path = folder.PathOf("with blanks in it.dll");
        System.IO.File.WriteAllBytes(path, [.. Enumerable.Range(0, 100).Select(i => (byte)i)]);
        using var files = new MappedFiles([File("r--p", 0x1000, 40, path), File("r--p", 0x2000, 0, path + ".gone"), new(0x3000, 0x4000, MappingKind.Anonymous, "rw-p", 0, "")], TargetFiles.Here);
        byte[] buffer = new byte[200];
        Assert.Equal(60, files.Read(files.Find(0x1000)!, 0x1000, buffer));
        Assert.Equal(40, buffer[0]);
        Assert.Equal(0, files.Read(files.Find(0x1fff)!, 0x1fff, buffer));
        Assert.Equal(-1, files.Read(files.Find(0x2000)!, 0x2000, buffer));
        Assert.Null(files.Find(0x3000));
        Assert.Null(files.Find(0xfff));
    }

    [Fact]
    public void Registers_are_in_the_context_where_the_DAC_expects_them()
    {
        byte[] registers = new byte[ThreadRegisters.Size];
        for (int word = 0; word < ThreadRegisters.Size / 8; word++)
            BitConverter.TryWriteBytes(registers.AsSpan(word * 8), (ulong)(0x100 + word));
        byte[] context = new byte[1232];
        Assert.True(ThreadRegisters.TryFill(registers, Architecture.X64, context));
        Assert.Equal(0x100007u, BitConverter.ToUInt32(context, 0x30));
        // Rsp, Rbp, Rip: words 19, 4 and 16 of user_regs_struct.
        Assert.Equal<ulong>((ulong[])[0x113, 0x104, 0x110], (ulong[])[BitConverter.ToUInt64(context, 0x98), BitConverter.ToUInt64(context, 0xa0), BitConverter.ToUInt64(context, 0xf8)]);
        Assert.True(ThreadRegisters.TryFill(registers, Architecture.Arm64, context));
        // Fp, Sp, Pc: words 29, 31 and 32.
        Assert.Equal<ulong>((ulong[])[0x11d, 0x11f, 0x120], (ulong[])[BitConverter.ToUInt64(context, 0xf0), BitConverter.ToUInt64(context, 0x100), BitConverter.ToUInt64(context, 0x108)]);
        Assert.False(ThreadRegisters.TryFill(registers, Architecture.X64, new byte[16]));
        Assert.False(ThreadRegisters.TryFill(registers, Architecture.X86, context));
    }

    private static List<MemorySlice> Runs(PageMap map, MemorySlice part, bool ownOnly)
    {
        List<MemorySlice> runs = [];
        map.AddRuns(part, ownOnly, runs);
        return runs;
    }

    // As on this system: libraries of Windows are not in memory as they are in the file.
    private static MemoryMapping File(string permissions, ulong start, ulong offset, string path)
        => new(start, start + 0x1000, MappingKind.File, OperatingSystem.IsWindows() ? permissions.Replace('p', 's') : permissions, offset, path);

    private static bool Has(MemorySlice run, ulong address) => address >= run.Start && address - run.Start < run.Length;
}
