namespace Async2.Analysis.Snapshots;

/// <summary>What stands where in a snapshot file; docs/snapshot-format.md has it in full.</summary>
internal static class SnapshotFormat
{
    /// <summary>Newest version that is written and read. A newer first number is refused, parts that are not known are skipped.</summary>
    public const int Version = 1;

    /// <summary>Bytes of a part's head: name, stored length, length, checksum.</summary>
    public const int PartHead = 4 + 4 + 4 + ChecksumBytes;

    /// <summary>So many bytes of the SHA-256 of what is stored.</summary>
    public const int ChecksumBytes = 8;

    /// <summary>All parts together have no more bytes than this when they are unpacked: some 100 million frames.</summary>
    public const long MaxBytes = 1L << 30;

    public const string Tables = "TABL";
    public const string Frames = "FRAM";
    public const string Nodes = "NODE";
    public const string Edges = "EDGE";
    public const string Shapes = "SHAP";
    public const string Stacks = "STAK";
    public const string Types = "TYPE";
    public const string Links = "LINK";
    public const string Variables = "VARS";

    /// <summary>The last part: without it the file was cut short.</summary>
    public const string End = "END ";

    /// <summary>The first bytes. As in PNG, a transfer as text damages them.</summary>
    public static ReadOnlySpan<byte> Magic => "A2SNAP\r\n\x1a\n"u8;
}

/// <summary>A file is not a snapshot, or a damaged one.</summary>
/// <param name="message">What is wrong, one sentence without the file's name.</param>
internal sealed class SnapshotFormatException(string message, Exception? inner = null) : Exception(message, inner);
