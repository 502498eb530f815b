using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Elf;

/// <summary>
/// A native library loaded in the target: its memory, and its file for constant data that a dump does not have.
/// </summary>
internal sealed class NativeModule : IDisposable
{
    // Headers of libraries are far smaller; more is not read from a file that may not be one.
    private const int HeaderBytes = 4096;

    private readonly TargetMemory _memory;
    private readonly Lazy<ElfFile?> _file;
    private readonly ElfDynamic? _dynamic;

    private NativeModule(TargetMemory memory, string name, ulong imageBase, ElfProgramHeaders headers, Lazy<ElfFile?> file)
    {
        _memory = memory;
        _file = file;
        Name = name;
        Bias = imageBase - Start(headers);
        _dynamic = ElfDynamic.Read(headers, TryRead, Bias);
    }

    /// <summary>File name without folders.</summary>
    public string Name { get; }

    /// <summary>Added by the loader to the addresses of the file: for libraries, the address of their beginning.</summary>
    public ulong Bias { get; }

    /// <summary>Null if it is not a 64-bit ELF library.</summary>
    /// <param name="memory">The target's.</param>
    /// <param name="name">File name without folders.</param>
    /// <param name="imageBase">Where it begins.</param>
    /// <param name="file">Opens its file if it is exactly the same build; used only if data is not in memory.</param>
    public static NativeModule? Open(TargetMemory memory, string name, ulong imageBase, Func<ElfFile?> file)
    {
        var lazy = new Lazy<ElfFile?>(file);
        Span<byte> start = stackalloc byte[ElfHeader.Size];
        if (memory.TryRead(imageBase, start))
        {
            if (!ElfHeader.IsElf(start))
                return null;
            byte[] head = new byte[HeaderBytes];
            int length = memory.ReadUpTo(imageBase, head);
            using var stream = new MemoryStream(head, 0, length);
            return UntrustedBytes.Read(memory, () => ElfProgramHeaders.Read(stream)) is { } own ? new(memory, name, imageBase, own, lazy) : null;
        }
        return lazy.Value is { } known ? new(memory, name, imageBase, known.Headers, lazy) : null;
    }

    /// <summary>Fills the whole buffer, or returns false.</summary>
    public bool TryRead(ulong address, Span<byte> buffer)
        => _memory.TryRead(address, buffer) || _file.Value?.TryRead(address - Bias, buffer) == true;

    /// <summary>Reads a pointer of the module's data.</summary>
    public bool TryReadPointer(ulong address, out ulong value)
    {
        if (_memory.TryReadPointer(address, out value))
            return true;
        return _file.Value is { } file && file.TryReadPointer(address - Bias, Bias, out value);
    }

    /// <summary>
    /// Reads a pointer that a loader or the module itself has put. A debugger may show the module's file in place of memory that a dump
    /// lacks, where nobody has: null, or the address without what a loader adds. Then the file says what it would be.
    /// </summary>
    /// <returns>False when neither memory nor the file has it.</returns>
    public bool TryReadOwnPointer(ulong address, out ulong value)
        => (_memory.TryReadPointer(address, out value) && Leads(value)) || (_file.Value is { } file && file.TryReadPointer(address - Bias, Bias, out value) && Leads(value));

    // What a module has allocated may lie below it; an address that no loader has put leads nowhere.
    private bool Leads(ulong value) => value >= Bias || (value != 0 && TryRead(value, stackalloc byte[1]));

    /// <summary>Looks for an exported symbol.</summary>
    /// <param name="name">As in the source of a C program.</param>
    /// <param name="address">Where it is.</param>
    public ElfSearch FindExport(ReadOnlySpan<byte> name, out ulong address)
    {
        address = 0;
        if (_dynamic is null)
            return ElfSearch.Unreadable;
        ElfSearch found = ElfSymbols.Find(TryRead, _dynamic, name, out ulong value);
        address = value + Bias;
        return found;
    }

    public void Dispose()
    {
        if (_file.IsValueCreated)
            _file.Value?.Dispose();
    }

    private static ulong Start(ElfProgramHeaders headers)
    {
        foreach (ElfSegment segment in headers.Segments)
        {
            // The first one has the lowest address (ELF gABI), and is mapped from the beginning of its page.
            if (segment.Type == ElfSegment.Load)
                return segment.Address & ~0xffful;
        }
        return 0;
    }

    /// <summary>Whether a module is the one that somebody means: <c>coreclr</c>, <c>libcoreclr.so</c>.</summary>
    public static bool IsNamed(string file, string name)
        => string.Equals(file, name, StringComparison.Ordinal) || string.Equals(file, $"lib{name}.so", StringComparison.Ordinal) || string.Equals(file, name + ".so", StringComparison.Ordinal);
}
