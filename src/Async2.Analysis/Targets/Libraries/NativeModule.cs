using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets.Elf;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Pe;

namespace Async2.Analysis.Targets.Libraries;

/// <summary>
/// A native library loaded in the target, of Linux or Windows: its memory, and its file for constant data that a dump does not have.
/// </summary>
/// <param name="memory">The target's.</param>
/// <param name="name">File name without folders.</param>
/// <param name="file">Opens its file if it is exactly the same build; used only if data is not in memory.</param>
internal abstract class NativeModule(TargetMemory memory, string name, Lazy<ILibraryFile?> file) : IDisposable
{
    // Headers of libraries are far smaller; more is not read from a file that may not be one.
    private const int HeaderBytes = 4096;

    /// <summary>File name without folders.</summary>
    public string Name => name;

    /// <summary>Added by the loader to the addresses of the file: for libraries, the address of their beginning.</summary>
    public abstract ulong Bias { get; }

    /// <summary>Null if it is not a 64-bit library, or one of managed code.</summary>
    /// <param name="memory">The target's.</param>
    /// <param name="name">File name without folders.</param>
    /// <param name="imageBase">Where it begins.</param>
    /// <param name="file">Opens its file if it is exactly the same build; used only if data is not in memory.</param>
    public static NativeModule? Open(TargetMemory memory, string name, ulong imageBase, Func<ILibraryFile?> file)
    {
        var lazy = new Lazy<ILibraryFile?>(file);
        byte[] head = new byte[HeaderBytes];
        int length = memory.ReadUpTo(imageBase, head);
        if (length >= ElfHeader.Size && ElfHeader.IsElf(head))
        {
            using var stream = new MemoryStream(head, 0, length);
            return UntrustedBytes.Read(memory, () => ElfProgramHeaders.Read(stream)) is { } own ? new ElfModule(memory, name, imageBase, own, lazy) : null;
        }
        if (length > 0)
            return PeHeader.Read(head.AsSpan(0, length)) is { Is64Bit: true, IsManaged: false } header ? new PeModule(memory, name, imageBase, header, lazy) : null;
        return lazy.Value switch
        {
            ElfFile elf => new ElfModule(memory, name, imageBase, elf.Headers, lazy),
            PeFile { Header: { Is64Bit: true, IsManaged: false } header } => new PeModule(memory, name, imageBase, header, lazy),
            _ => null,
        };
    }

    /// <summary>Fills the whole buffer, or returns false.</summary>
    public bool TryRead(ulong address, Span<byte> buffer) => memory.TryRead(address, buffer) || file.Value?.TryRead(address - Bias, buffer) == true;

    /// <summary>Reads a pointer of the module's data.</summary>
    public bool TryReadPointer(ulong address, out ulong value)
    {
        if (memory.TryReadPointer(address, out value))
            return true;
        return file.Value is { } own && own.TryReadPointer(address - Bias, Bias, out value);
    }

    /// <summary>
    /// Reads a pointer that a loader or the module itself has put. A debugger may show the module's file in place of memory that a dump
    /// lacks, where nobody has: null, or the address without what a loader adds. Then the file says what it would be.
    /// </summary>
    /// <returns>False when neither memory nor the file has it.</returns>
    public bool TryReadOwnPointer(ulong address, out ulong value)
        => (memory.TryReadPointer(address, out value) && Leads(value)) || (file.Value is { } own && own.TryReadPointer(address - Bias, Bias, out value) && Leads(value));

    /// <summary>Whether a part of the library that comes from its file is at an address.</summary>
    public abstract bool Contains(ulong address);

    /// <summary>Looks for an exported symbol.</summary>
    /// <param name="name">As in the source of a C program.</param>
    /// <param name="address">Where it is.</param>
    public abstract ExportSearch FindExport(ReadOnlySpan<byte> name, out ulong address);

    public void Dispose()
    {
        if (file.IsValueCreated)
            file.Value?.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Whether a module is the one that somebody means: <c>coreclr</c>, <c>libcoreclr.so</c>, <c>coreclr.dll</c>.</summary>
    public static bool IsNamed(string file, string name)
        => string.Equals(file, name, StringComparison.Ordinal) || string.Equals(file, $"lib{name}.so", StringComparison.Ordinal) || string.Equals(file, name + ".so", StringComparison.Ordinal)
            || string.Equals(file, name + ".dll", StringComparison.OrdinalIgnoreCase);

    // What a module has allocated may lie below it; an address that no loader has put leads nowhere.
    private bool Leads(ulong value) => value >= Bias || (value != 0 && TryRead(value, stackalloc byte[1]));
}
