using Async2.Analysis.Model;

namespace Async2.Analysis.Snapshots;

/// <summary>Constants of snapshot files; docs/snapshot-format.md has the full format.</summary>
internal static class SnapshotFormat
{
    /// <summary>The newest supported version. A newer major version is rejected, unknown parts are skipped.</summary>
    public const int Version = 1;

    /// <summary>Bytes of a part's head: name, stored length, length, checksum.</summary>
    public const int PartHead = 4 + 4 + 4 + ChecksumBytes;

    /// <summary>Number of bytes of the SHA-256 of the stored bytes.</summary>
    public const int ChecksumBytes = 8;

    /// <summary>Maximum unpacked size of all parts together: about 100 million frames.</summary>
    public const long MaxBytes = 1L << 30;

    public const string Tables = "TABL";
    public const string Frames = "FRAM";
    public const string Nodes = "NODE";
    public const string Edges = "EDGE";
    public const string Shapes = "SHAP";
    public const string Stacks = "STAK";
    public const string Types = "TYPE";
    public const string Links = "LINK";
    public const string Holders = "HOLD";
    public const string Orphans = "ORPH";
    /// <summary>Who completes promises whose requests lie in mailboxes.</summary>
    public const string Replies = "REPL";

    /// <summary>Whose code completes promises.</summary>
    public const string Completers = "COMP";

    /// <summary>Who handles HTTP requests that the program has sent to itself.</summary>
    public const string Answers = "ANSW";

    /// <summary>The parts with those who complete promises, by how that is known.</summary>
    public static IReadOnlyList<(ReplyKind Kind, string Part)> ReplyParts { get; } = [(ReplyKind.Message, Replies), (ReplyKind.Code, Completers), (ReplyKind.Request, Answers)];

    /// <summary>Promises that no code completes.</summary>
    public const string Nobodys = "NOBY";
    public const string Labels = "LABL";
    public const string Ages = "AGES";
    /// <summary>What began before stacks waited.</summary>
    public const string Starts = "BEGN";

    /// <summary>For how long things had stood, of several looks.</summary>
    public const string Standing = "STIL";

    /// <summary>What tells equal stacks apart.</summary>
    public const string Values = "SAME";
    public const string Variables = "VARS";

    /// <summary>The last part: a file without it is truncated.</summary>
    public const string End = "END ";

    /// <summary>The first bytes. As in PNG, a text-mode transfer damages them.</summary>
    public static ReadOnlySpan<byte> Magic => "A2SNAP\r\n\x1a\n"u8;
}

/// <summary>A file is not a snapshot, or it is damaged.</summary>
/// <param name="message">What is wrong, one sentence without the file's name.</param>
internal sealed class SnapshotFormatException(string message, Exception? inner = null) : Exception(message, inner);
