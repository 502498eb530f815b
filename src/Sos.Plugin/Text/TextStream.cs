using System.Globalization;
using System.Text;

namespace Async2.Sos.Text;

/// <summary>
/// Passes JSON on as text, piece by piece: an answer may exceed the length of a string. Non-ASCII characters occur only in JSON
/// strings, and are escaped there: hosts print nothing else.
/// </summary>
internal sealed class TextStream(Action<string> write) : Stream
{
    private readonly Decoder _decoder = Encoding.UTF8.GetDecoder();

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        char[] text = new char[Encoding.UTF8.GetMaxCharCount(buffer.Length)];
        int count = _decoder.GetChars(buffer, text, flush: false);
        if (count > 0)
            write(Escaped(text.AsSpan(0, count)));
    }

    private static string Escaped(ReadOnlySpan<char> text)
    {
        int unusual = text.IndexOfAnyExceptInRange('\0', '\u007e');
        if (unusual < 0)
            return text.ToString();
        var escaped = new StringBuilder(text.Length + 64);
        for (; unusual >= 0; unusual = text.IndexOfAnyExceptInRange('\0', '\u007e'))
        {
            escaped.Append(text[..unusual]).Append(CultureInfo.InvariantCulture, $"\\u{(int)text[unusual]:x4}");
            text = text[(unusual + 1)..];
        }
        return escaped.Append(text).ToString();
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
