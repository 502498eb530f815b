using System.Text;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>Reads memory for a dump; returns the number of bytes before the first that cannot be read.</summary>
internal delegate int DumpedMemory(ulong address, Span<byte> buffer);

/// <summary>
/// Writes a minidump of Windows (minidumpapiset.h), as WinDbg, Visual Studio, dotnet-dump and this tool read it. All that refers to something comes
/// first; memory is last, so that a dump may be longer than the 4 GB that offsets of the parts can say.
/// </summary>
internal static class MinidumpWriter
{
    private const uint Version = 0xa793;
    private const uint Committed = 0x1000;
    private const int ThreadSize = 48, ModuleSize = 108, BehindSymbols = 84, RegionSize = 48, StreamSize = 12;
    private const int Parts = 6;
    private const int BytesAtOnce = 1 << 20;
    private const int PageSize = 4096;

    /// <summary>Writes all of it.</summary>
    /// <param name="output">Empty, and can be gone back in.</param>
    /// <param name="content">What is written.</param>
    /// <param name="read">Reads memory; what cannot be read is zero in the dump.</param>
    /// <param name="written">Told the bytes written so far; may throw to end it.</param>
    public static void Write(Stream output, MinidumpContent content, DumpedMemory read, Action<long> written)
    {
        using var writer = new BinaryWriter(output, Encoding.Unicode, leaveOpen: true);
        var streams = new List<MinidumpStream>();
        output.Position = MinidumpHeader.Size + Parts * StreamSize;
        Add(writer, streams, MinidumpStream.System, () => System(writer, content));
        Add(writer, streams, MinidumpStream.Misc, () => Misc(writer, content));
        Threads(writer, streams, content);
        Modules(writer, streams, content);
        Add(writer, streams, MinidumpStream.MemoryInfo, () => Regions(writer, content));
        Add(writer, streams, MinidumpStream.Memory64, () => Ranges(writer, content));
        Header(writer, streams, content);
        Memory(output, content, read, written);
    }

    private static void Add(BinaryWriter writer, List<MinidumpStream> streams, uint kind, Action write)
    {
        uint start = Offset(writer);
        write();
        streams.Add(new(kind, Offset(writer) - start, start));
    }

    private static void Header(BinaryWriter writer, List<MinidumpStream> streams, MinidumpContent content)
    {
        long end = writer.BaseStream.Length;
        writer.BaseStream.Position = 0;
        writer.Write("MDMP"u8);
        writer.Write(Version);
        writer.Write(streams.Count);
        writer.Write(MinidumpHeader.Size);
        writer.Write(0);
        writer.Write((uint)DateTimeOffset.UtcNow.ToUnixTimeSeconds());
        writer.Write(content.Flags);
        foreach (MinidumpStream stream in streams)
        {
            writer.Write(stream.Kind);
            writer.Write(stream.Size);
            writer.Write(stream.Offset);
        }
        writer.BaseStream.Position = end;
    }

    // MINIDUMP_SYSTEM_INFO
    private static void System(BinaryWriter writer, MinidumpContent content)
    {
        const byte workstation = 1;
        const int windowsNT = 2, restOfProcessor = 24;
        writer.Write(content.Processor);
        writer.Write((ushort)0);
        writer.Write((ushort)0);
        writer.Write((byte)Math.Min(Environment.ProcessorCount, byte.MaxValue));
        writer.Write(workstation);
        writer.Write(content.System.Major);
        writer.Write(content.System.Minor);
        writer.Write(content.System.Build);
        writer.Write(windowsNT);
        uint servicePackAt = Offset(writer) + sizeof(uint) + sizeof(uint) + restOfProcessor;
        writer.Write(servicePackAt);
        writer.Write(0);
        writer.Write(new byte[restOfProcessor]);
        Text(writer, "");
    }

    // MINIDUMP_MISC_INFO
    private static void Misc(BinaryWriter writer, MinidumpContent content)
    {
        const int size = 24, hasPidAndTimes = 3;
        writer.Write(size);
        writer.Write(hasPidAndTimes);
        writer.Write(content.Pid);
        writer.Write((uint)Math.Clamp(new DateTimeOffset(content.Started.ToUniversalTime()).ToUnixTimeSeconds(), 0, uint.MaxValue));
        writer.Write(0ul);
    }

    // Behind the list stand the registers, which it refers to.
    private static void Threads(BinaryWriter writer, List<MinidumpStream> streams, MinidumpContent content)
    {
        uint start = Offset(writer), contexts = start + sizeof(uint) + (uint)(content.Threads.Count * ThreadSize);
        writer.Write(content.Threads.Count);
        foreach (MinidumpThread thread in content.Threads)
        {
            writer.Write(thread.Id);
            writer.Write(0);
            writer.Write(0ul);
            writer.Write(thread.Block);
            writer.Write(thread.Stack.Start);
            writer.Write((uint)thread.Stack.Length);
            writer.Write(0);
            writer.Write(thread.Context.Length);
            writer.Write(contexts);
            contexts += (uint)thread.Context.Length;
        }
        streams.Add(new(MinidumpStream.Threads, Offset(writer) - start, start));
        foreach (MinidumpThread thread in content.Threads)
            writer.Write(thread.Context);
    }

    // Behind the list stand names and what names PDBs.
    private static void Modules(BinaryWriter writer, List<MinidumpStream> streams, MinidumpContent content)
    {
        uint start = Offset(writer), texts = start + sizeof(uint) + (uint)(content.Modules.Count * ModuleSize);
        writer.Write(content.Modules.Count);
        foreach (MinidumpModule module in content.Modules)
        {
            writer.Write(module.Base);
            writer.Write(module.Size);
            writer.Write(0);
            writer.Write(module.Stamp);
            writer.Write(texts);
            texts += TextSize(module.Path);
            FileVersion(writer, module.Version);
            writer.Write(module.Symbols.Length);
            writer.Write(module.Symbols.Length == 0 ? 0 : texts);
            texts += (uint)module.Symbols.Length;
            writer.Write(new byte[ModuleSize - BehindSymbols]);
        }
        streams.Add(new(MinidumpStream.Modules, Offset(writer) - start, start));
        foreach (MinidumpModule module in content.Modules)
        {
            Text(writer, module.Path);
            writer.Write(module.Symbols);
        }
    }

    // VS_FIXEDFILEINFO: zero without a version.
    private static void FileVersion(BinaryWriter writer, Version? version)
    {
        const uint signature = 0xfeef04bd, form = 0x10000;
        const int size = 52;
        if (version is null)
        {
            writer.Write(new byte[size]);
            return;
        }
        uint high = ((uint)version.Major << 16) | (ushort)version.Minor, low = ((uint)Math.Max(0, version.Build) << 16) | (ushort)Math.Max(0, version.Revision);
        foreach (uint word in (ReadOnlySpan<uint>)[signature, form, high, low, high, low])
            writer.Write(word);
        writer.Write(new byte[size - 6 * sizeof(uint)]);
    }

    // MINIDUMP_MEMORY_INFO_LIST
    private static void Regions(BinaryWriter writer, MinidumpContent content)
    {
        const int head = 16;
        writer.Write(head);
        writer.Write(RegionSize);
        writer.Write((ulong)content.Regions.Count);
        foreach (MinidumpRegion region in content.Regions)
        {
            writer.Write(region.Start);
            writer.Write(region.AllocationStart);
            writer.Write((ulong)region.Protection);
            writer.Write(region.Length);
            writer.Write(Committed);
            writer.Write(region.Protection);
            writer.Write((ulong)region.Kind);
        }
    }

    // MINIDUMP_MEMORY64_LIST: the memory begins where it ends.
    private static void Ranges(BinaryWriter writer, MinidumpContent content)
    {
        const int head = 16;
        writer.Write((ulong)content.Ranges.Count);
        writer.Write((ulong)Offset(writer) + sizeof(ulong) + (ulong)(content.Ranges.Count * head));
        foreach ((ulong start, ulong length) in content.Ranges)
        {
            writer.Write(start);
            writer.Write(length);
        }
    }

    private static void Memory(Stream output, MinidumpContent content, DumpedMemory read, Action<long> written)
    {
        byte[] buffer = new byte[BytesAtOnce];
        foreach ((ulong start, ulong length) in content.Ranges)
        {
            for (ulong done = 0; done < length; done += BytesAtOnce)
            {
                Span<byte> part = buffer.AsSpan(0, (int)Math.Min(BytesAtOnce, length - done));
                Fill(part, start + done, read);
                output.Write(part);
                written(output.Position);
            }
        }
    }

    private static void Fill(Span<byte> part, ulong address, DumpedMemory read)
    {
        part.Clear();
        for (int done = 0; done < part.Length;)
        {
            done += Math.Clamp(read(address + (ulong)done, part[done..]), 0, part.Length - done);
            if (done < part.Length)
                done = (done / PageSize + 1) * PageSize;
        }
    }

    private static uint Offset(BinaryWriter writer) => checked((uint)writer.BaseStream.Position);

    // MINIDUMP_STRING: its bytes, the text, and a zero that does not count.
    private static uint TextSize(string text) => (uint)(sizeof(uint) + (text.Length + 1) * sizeof(char));

    private static void Text(BinaryWriter writer, string text)
    {
        writer.Write(text.Length * sizeof(char));
        writer.Write(Encoding.Unicode.GetBytes(text));
        writer.Write((ushort)0);
    }
}
