using System.Buffers.Binary;

namespace Async2.Dump.Watching;

/// <summary>What the reader process of <c>watch</c> answers to each request: a kind, a length, and so many bytes.</summary>
/// <param name="Kind">What the bytes are.</param>
/// <param name="Bytes">A snapshot, or text.</param>
internal readonly record struct LookFrame(LookKind Kind, byte[] Bytes)
{
    /// <summary>The request for a look.</summary>
    public const byte Request = (byte)'L';

    private const int Head = 5;

    /// <summary>Writes it.</summary>
    public void Write(Stream stream)
    {
        Span<byte> head = stackalloc byte[Head];
        head[0] = (byte)Kind;
        BinaryPrimitives.WriteInt32LittleEndian(head[1..], Bytes.Length);
        stream.Write(head);
        stream.Write(Bytes);
        stream.Flush();
    }

    /// <summary>Reads the next one; null if the process ended before it was whole.</summary>
    public static LookFrame? Read(Stream stream)
    {
        Span<byte> head = stackalloc byte[Head];
        if (stream.ReadAtLeast(head, Head, throwOnEndOfStream: false) < Head)
            return null;
        byte[] bytes = new byte[BinaryPrimitives.ReadInt32LittleEndian(head[1..])];
        return stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false) < bytes.Length ? null : new((LookKind)head[0], bytes);
    }
}

/// <summary>Kind of an answer.</summary>
internal enum LookKind : byte
{
    /// <summary>A snapshot.</summary>
    Model = (byte)'M',

    /// <summary>Why there is none: a message, a zero byte, and what to do.</summary>
    Failure = (byte)'F',

    /// <summary>The same, and the process has ended.</summary>
    Ended = (byte)'E',
}
