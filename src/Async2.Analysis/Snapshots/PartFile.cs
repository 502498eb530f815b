using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;

namespace Async2.Analysis.Snapshots;

/// <summary>Writes and reads the parts of a snapshot file, each compressed, with its length and a checksum.</summary>
internal static class PartFile
{
    private const int ReadSize = 1 << 16;

    public static void WriteHead(Stream file)
    {
        Span<byte> version = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(version, SnapshotFormat.Version);
        file.Write(SnapshotFormat.Magic);
        file.Write(version);
    }

    public static void Write(Stream file, string name, ReadOnlySpan<byte> bytes)
    {
        using var packed = new MemoryStream();
        using (var brotli = new BrotliStream(packed, CompressionLevel.Fastest, leaveOpen: true))
            brotli.Write(bytes);
        ReadOnlySpan<byte> stored = packed.GetBuffer().AsSpan(0, (int)packed.Length);
        Span<byte> head = stackalloc byte[SnapshotFormat.PartHead];
        Encoding.ASCII.GetBytes(name, head);
        BinaryPrimitives.WriteUInt32LittleEndian(head[4..], (uint)stored.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(head[8..], (uint)bytes.Length);
        Checksum(stored).CopyTo(head[12..]);
        file.Write(head);
        file.Write(stored);
    }

    /// <summary>All parts, by name.</summary>
    /// <exception cref="SnapshotFormatException">It is not a snapshot, has a newer version, or is truncated or damaged.</exception>
    public static Dictionary<string, byte[]> Read(Stream file)
    {
        ReadHead(file);
        var parts = new Dictionary<string, byte[]>(StringComparer.Ordinal);
        long left = SnapshotFormat.MaxBytes;
        Span<byte> head = stackalloc byte[SnapshotFormat.PartHead];
        while (true)
        {
            if (file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) < head.Length)
                throw new SnapshotFormatException("it is truncated: its last part is missing");
            string name = Encoding.ASCII.GetString(head[..4]);
            byte[] bytes = ReadPart(file, name, head, left);
            left -= bytes.Length;
            if (name == SnapshotFormat.End)
                return parts;
            if (!parts.TryAdd(name, bytes))
                throw new SnapshotFormatException($"it has two parts {name.TrimEnd()}");
        }
    }

    private static void ReadHead(Stream file)
    {
        Span<byte> head = stackalloc byte[SnapshotFormat.Magic.Length + 2];
        int count = file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
        if (count < head.Length || !head.StartsWith(SnapshotFormat.Magic))
            throw new SnapshotFormatException("it is not a snapshot");
        int version = BinaryPrimitives.ReadUInt16LittleEndian(head[^2..]);
        if (version is 0 or > SnapshotFormat.Version)
            throw new SnapshotFormatException(FormattableString.Invariant($"it is of version {version}, and this tool reads version {SnapshotFormat.Version}"));
    }

    private static byte[] ReadPart(Stream file, string name, ReadOnlySpan<byte> head, long left)
    {
        uint storedLength = BinaryPrimitives.ReadUInt32LittleEndian(head[4..]), length = BinaryPrimitives.ReadUInt32LittleEndian(head[8..]);
        if (!name.All(c => c is ' ' or (>= 'A' and <= 'Z')))
            throw new SnapshotFormatException("one of its parts has no name: it is damaged");
        if (length > left || storedLength > SnapshotFormat.MaxBytes)
            throw new SnapshotFormatException($"its part {name.TrimEnd()} is bigger than any snapshot");
        using var stored = new MemoryStream();
        Copy(file, stored, storedLength, name);
        if (!Checksum(stored.GetBuffer().AsSpan(0, (int)stored.Length)).SequenceEqual(head[12..]))
            throw new SnapshotFormatException($"its part {name.TrimEnd()} is damaged: its checksum does not match");
        stored.Position = 0;
        return Unpack(stored, (int)length, name);
    }

    // A length is trusted only as far as bytes follow.
    private static void Copy(Stream file, MemoryStream to, uint count, string name)
    {
        byte[] buffer = new byte[ReadSize];
        for (long left = count; left > 0;)
        {
            int read = file.Read(buffer, 0, (int)Math.Min(left, buffer.Length));
            if (read == 0)
                throw new SnapshotFormatException($"it is truncated in its part {name.TrimEnd()}");
            to.Write(buffer, 0, read);
            left -= read;
        }
    }

    private static byte[] Unpack(Stream stored, int length, string name)
    {
        using var bytes = new MemoryStream();
        byte[] buffer = new byte[ReadSize];
        try
        {
            using var brotli = new BrotliStream(stored, CompressionMode.Decompress);
            for (int read; (read = brotli.Read(buffer, 0, buffer.Length)) > 0 && bytes.Length <= length;)
                bytes.Write(buffer, 0, read);
        }
        catch (Exception e) when (e is InvalidDataException or InvalidOperationException)
        {
            throw new SnapshotFormatException($"its part {name.TrimEnd()} cannot be unpacked", e);
        }
        return bytes.Length == length ? bytes.ToArray() : throw new SnapshotFormatException($"its part {name.TrimEnd()} does not have the length that it states");
    }

    private static byte[] Checksum(ReadOnlySpan<byte> bytes) => Sha256.HashOf(bytes)[..SnapshotFormat.ChecksumBytes];
}
