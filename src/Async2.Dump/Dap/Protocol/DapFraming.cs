using System.Globalization;
using System.Text;

namespace Async2.Dump.Dap.Protocol;

/// <summary>
/// Splits a stream into messages: headers, an empty line, and as many bytes as <c>Content-Length</c> says. The
/// sender is not trusted, so lengths have bounds: an invalid message ends the session with an error.
/// </summary>
/// <param name="input">The incoming stream.</param>
/// <param name="longest">Maximum bytes of a message.</param>
internal sealed class DapFraming(Stream input, int longest = DapFraming.LongestOfClient)
{
    private const string Length = "Content-Length";
    private const int LongestHeaders = 4096;
    private const int LongestOfClient = 64 << 20;

    private readonly byte[] _buffer = new byte[1 << 14];
    private int _next, _end;

    /// <summary>The next message; null at the end of the stream.</summary>
    /// <exception cref="DapFormatException">What comes next is not a message.</exception>
    public byte[]? Read()
    {
        if (ReadLength() is not { } length)
            return null;
        // Grows with the bytes that arrive: a length alone must not cost memory.
        using var message = new MemoryStream(Math.Min(length, _buffer.Length));
        while (message.Length < length)
        {
            if (_next == _end && !Fill())
                return null;
            int count = (int)Math.Min(length - message.Length, _end - _next);
            message.Write(_buffer, _next, count);
            _next += count;
        }
        return message.ToArray();
    }

    /// <summary>Writes a message with its headers.</summary>
    public static void Write(Stream output, ReadOnlySpan<byte> message)
    {
        output.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{Length}: {message.Length}\r\n\r\n")));
        output.Write(message);
        output.Flush();
    }

    // Null at the end of the stream.
    private int? ReadLength()
    {
        int? length = null;
        for (int left = LongestHeaders; ReadLine(ref left) is { } line;)
        {
            if (line.Length > 0)
                length = LengthIn(line) ?? length;
            else
                return length ?? throw new DapFormatException($"a message without {Length}");
        }
        return null;
    }

    private int? LengthIn(string header)
    {
        int colon = header.IndexOf(':', StringComparison.Ordinal);
        if (colon <= 0)
            throw new DapFormatException("a header without a colon");
        if (!header.AsSpan(0, colon).Trim().Equals(Length, StringComparison.OrdinalIgnoreCase))
            return null;
        return int.TryParse(header.AsSpan(colon + 1).Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int length) && length <= longest
            ? length
            : throw new DapFormatException($"a {Length} that is not a number up to {longest}");
    }

    private string? ReadLine(ref int left)
    {
        var line = new StringBuilder();
        while (_next < _end || Fill())
        {
            char c = (char)_buffer[_next++];
            if (c == '\n')
                return line.ToString();
            if (--left < 0)
                throw new DapFormatException($"headers of more than {LongestHeaders} bytes");
            if (c != '\r')
                line.Append(c);
        }
        return null;
    }

    private bool Fill()
    {
        _next = 0;
        _end = input.Read(_buffer);
        return _end > 0;
    }
}

/// <summary>The input is not a message of the protocol, and the start of the next one is unknown.</summary>
/// <param name="what">What it is instead.</param>
internal sealed class DapFormatException(string what) : Exception($"The input is not a message of the Debug Adapter Protocol: {what}.");
