namespace Async2.Analysis.Targets.Files;

/// <summary>The file of a native library, read by its addresses before a loader has put it anywhere.</summary>
internal interface ILibraryFile : IDisposable
{
    /// <summary>Fills the whole buffer, or returns false. What is not in the file, because it is not constant, is not available.</summary>
    bool TryRead(ulong address, Span<byte> buffer);

    /// <summary>Reads a pointer as a loader would have made it.</summary>
    /// <param name="address">Address in the file.</param>
    /// <param name="bias">What the loader added to all addresses.</param>
    /// <param name="value">The pointer in memory.</param>
    bool TryReadPointer(ulong address, ulong bias, out ulong value);
}

/// <summary>Result of looking an exported symbol up.</summary>
internal enum ExportSearch
{
    /// <summary>The library exports it.</summary>
    Found,

    /// <summary>The library does not export it.</summary>
    Missing,

    /// <summary>Its tables cannot be read, or are invalid.</summary>
    Unreadable,
}
