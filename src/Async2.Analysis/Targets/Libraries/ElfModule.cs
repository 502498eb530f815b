using System.Text;
using Async2.Analysis.Targets.Elf;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Libraries;

/// <summary>A library of Linux in the target.</summary>
internal sealed class ElfModule : NativeModule
{
    // PATH_MAX of Linux.
    private const ulong PathBytes = 4096;

    private readonly ElfDynamic? _dynamic;
    private readonly ElfProgramHeaders _headers;

    /// <param name="memory">The target's.</param>
    /// <param name="name">File name without folders.</param>
    /// <param name="imageBase">Where it begins.</param>
    /// <param name="headers">What is where in it.</param>
    /// <param name="file">Its file.</param>
    public ElfModule(TargetMemory memory, string name, ulong imageBase, ElfProgramHeaders headers, Lazy<ILibraryFile?> file)
        : base(memory, name, file)
    {
        _headers = headers;
        Bias = imageBase - Start(headers);
        _dynamic = ElfDynamic.Read(headers, TryRead, Bias);
    }

    /// <inheritdoc/>
    public override ulong Bias { get; }

    /// <summary>Where the table is that tells how to find the callers of its functions; null if there is none.</summary>
    public ulong? FrameTable => _headers.Segments.FirstOrDefault(segment => segment.Type == ElfSegment.FrameTable) is { Address: not 0 } table ? table.Address + Bias : null;

    /// <summary>The path of the library that loads the others; null if this one does not say.</summary>
    public string? Loader
    {
        get
        {
            ElfSegment segment = _headers.Segments.FirstOrDefault(segment => segment.Type == ElfSegment.Loader);
            byte[] path = new byte[segment.Bytes <= PathBytes ? segment.Bytes : 0];
            return path.Length > 0 && TryRead(segment.Address + Bias, path) ? Encoding.UTF8.GetString(path).TrimEnd('\0') : null;
        }
    }

    /// <inheritdoc/>
    public override bool Contains(ulong address) => _headers.Segments.Any(segment => segment.Type == ElfSegment.Load && address - (segment.Address + Bias) < segment.Bytes);

    /// <inheritdoc/>
    public override ExportSearch FindExport(ReadOnlySpan<byte> name, out ulong address)
    {
        address = 0;
        if (_dynamic is null)
            return ExportSearch.Unreadable;
        ExportSearch found = ElfSymbols.Find(TryRead, _dynamic, name, out ulong value);
        address = value + Bias;
        return found;
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
}
