namespace Async2.Analysis.Targets.Dumps;

/// <summary>What is written into a minidump.</summary>
internal sealed record MinidumpContent
{
    /// <summary>The process.</summary>
    public required int Pid { get; init; }

    /// <summary>When it was started.</summary>
    public DateTime Started { get; init; }

    /// <summary>The processor, PROCESSOR_ARCHITECTURE_* of winnt.h: 9 is x64, 12 arm64.</summary>
    public required ushort Processor { get; init; }

    /// <summary>Version of Windows.</summary>
    public required Version System { get; init; }

    /// <summary>Its threads.</summary>
    public required IReadOnlyList<MinidumpThread> Threads { get; init; }

    /// <summary>What is loaded in it.</summary>
    public required IReadOnlyList<MinidumpModule> Modules { get; init; }

    /// <summary>All of its memory that exists.</summary>
    public required IReadOnlyList<MinidumpRegion> Regions { get; init; }

    /// <summary>The memory to write, by address.</summary>
    public required IReadOnlyList<(ulong Start, ulong Length)> Ranges { get; init; }

    /// <summary>MINIDUMP_TYPE: with all memory, and with what Windows says about it.</summary>
    public ulong Flags { get; init; } = 0x802;
}

/// <summary>A thread in a minidump.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Block">Address of its TEB; 0 if unknown.</param>
/// <param name="Stack">The used part of its stack.</param>
/// <param name="Context">Its registers, a CONTEXT.</param>
internal sealed record MinidumpThread(uint Id, ulong Block, (ulong Start, ulong Length) Stack, byte[] Context);

/// <summary>A loaded library or program in a minidump.</summary>
/// <param name="Base">Where it begins.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Stamp">Of its headers.</param>
/// <param name="Path">Its file.</param>
/// <param name="Version">File version; null if it has none.</param>
/// <param name="Symbols">What names its PDB, an RSDS record; empty if there is none.</param>
internal sealed record MinidumpModule(ulong Base, uint Size, uint Stamp, string Path, Version? Version, byte[] Symbols);

/// <summary>A region of memory in a minidump: MEMORY_BASIC_INFORMATION.</summary>
/// <param name="Start">First address.</param>
/// <param name="AllocationStart">Where what it is part of begins.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Protection">PAGE_* of winnt.h.</param>
/// <param name="Kind">MEM_PRIVATE, MEM_IMAGE, MEM_MAPPED.</param>
internal readonly record struct MinidumpRegion(ulong Start, ulong AllocationStart, ulong Length, uint Protection, uint Kind);
