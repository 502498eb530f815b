using System.Runtime.Versioning;

namespace Async2.Analysis.Targets.Windows;

/// <summary>Whose a region of memory is.</summary>
internal enum RegionKind
{
    /// <summary>The process's alone: heaps, stacks.</summary>
    Private,

    /// <summary>A library or program, loaded as such.</summary>
    Image,

    /// <summary>A file, or memory that may be mapped several times.</summary>
    Mapped,
}

/// <summary>A region of a process's memory that exists (is committed) and is the same all over.</summary>
/// <param name="Start">First address.</param>
/// <param name="End">Behind the last one.</param>
/// <param name="AllocationStart">Where what it is part of begins: the library's own address.</param>
/// <param name="Kind">Whose it is.</param>
/// <param name="Protection">PAGE_* of winnt.h.</param>
internal readonly record struct WindowsRegion(ulong Start, ulong End, ulong AllocationStart, RegionKind Kind, uint Protection)
{
    private const uint Image = 0x1000000, Mapped = 0x40000;
    private const uint NoAccess = 0x01, Guard = 0x100;
    private const uint Writable = 0x04 | 0x08 | 0x40 | 0x80, Executable = 0x10 | 0x20 | 0x40 | 0x80;

    // PAGE_WRITECOPY, PAGE_EXECUTE_WRITECOPY: nobody has written to it yet, so it is as in the file.
    private const uint WriteCopy = 0x08 | 0x80;

    /// <summary>MEM_PRIVATE, MEM_IMAGE or MEM_MAPPED of winnt.h.</summary>
    public uint NativeKind => Kind switch
    {
        RegionKind.Image => Image,
        RegionKind.Mapped => Mapped,
        _ => 0x20000,
    };

    public bool IsReadable => (Protection & (NoAccess | Guard)) == 0 && Protection != 0;

    public bool IsWritable => (Protection & Writable) != 0;

    public bool IsExecutable => (Protection & Executable) != 0;

    /// <summary>Still as in the file.</summary>
    public bool IsUntouched => Kind != RegionKind.Private && (!IsWritable || (Protection & WriteCopy) != 0);

    /// <summary>Reads all of a process, by address.</summary>
    /// <exception cref="InvalidOperationException">It has ended.</exception>
    [SupportedOSPlatform("windows")]
    public static unsafe List<WindowsRegion> Of(WindowsProcess process)
    {
        const uint committed = 0x1000;
        var regions = new List<WindowsRegion>();
        RegionInformation found;
        for (ulong address = 0; WindowsCalls.VirtualQueryEx(process.Handle, (nuint)address, &found, (nuint)sizeof(RegionInformation)) != 0 && found.Start + found.Length > address;)
        {
            address = found.Start + found.Length;
            if (found.State == committed)
                regions.Add(new(found.Start, address, found.AllocationStart, found.Kind == Image ? RegionKind.Image : found.Kind == Mapped ? RegionKind.Mapped : RegionKind.Private, found.Protection));
        }
        return regions.Count > 0 ? regions : throw new InvalidOperationException("The process has exited.");
    }
}

/// <summary>The names of files that a process has mapped.</summary>
[SupportedOSPlatform("windows")]
internal static class MappedNames
{
    private const uint LongestPath = 32768;

    /// <summary>Path of the file at an address, as the system writes it; empty for memory without a file.</summary>
    public static unsafe string At(WindowsProcess process, ulong address)
    {
        char* path = stackalloc char[1024];
        uint length = WindowsCalls.K32GetMappedFileNameW(process.Handle, (nuint)address, path, 1024);
        if (length < 1024)
            return new string(path, 0, (int)length);
        char[] longer = new char[LongestPath];
        fixed (char* start = longer)
            return new string(start, 0, (int)WindowsCalls.K32GetMappedFileNameW(process.Handle, (nuint)address, start, LongestPath));
    }
}
