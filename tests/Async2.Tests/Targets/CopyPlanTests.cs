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

    // As on this system: libraries of Windows are not in memory as they are in the file.
    private static MemoryMapping File(string permissions, ulong start, ulong offset, string path)
        => new(start, start + 0x1000, MappingKind.File, OperatingSystem.IsWindows() ? permissions.Replace('p', 's') : permissions, offset, path);

    private static bool Has(MemorySlice run, ulong address) => address >= run.Start && address - run.Start < run.Length;
}
