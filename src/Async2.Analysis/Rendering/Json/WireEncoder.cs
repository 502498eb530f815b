using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Json;

/// <summary>
/// Leaves names readable in JSON (<c>Cache&lt;string&gt;</c> keeps its angle brackets) but also escapes, beyond the requirements of JSON,
/// everything that <see cref="SafeText"/> calls hostile: people read JSON in terminals, too.
/// </summary>
internal sealed class WireEncoder : JavaScriptEncoder
{
    /// <inheritdoc/>
    public override int MaxOutputCharactersPerInputCharacter => 12;

    /// <inheritdoc/>
    public override bool WillEncode(int unicodeScalar)
        => unicodeScalar is '"' or '\\' || !Rune.TryCreate(unicodeScalar, out Rune rune) || SafeText.IsHostile(rune);

    /// <inheritdoc/>
    public override unsafe int FindFirstCharacterToEncode(char* text, int textLength)
    {
        var span = new ReadOnlySpan<char>(text, textLength);
        for (int i = 0; i < span.Length;)
        {
            int skip = span[i..].IndexOfAny('"', '\\');
            int unusual = SafeText.FirstUnusual(span[i..]);
            int next = skip < 0 ? unusual : unusual < 0 ? skip : Math.Min(skip, unusual);
            if (next < 0)
                return -1;
            i += next;
            bool whole = Rune.DecodeFromUtf16(span[i..], out Rune rune, out int length) == System.Buffers.OperationStatus.Done;
            if (!whole || WillEncode(rune.Value))
                return i;
            i += length;
        }
        return -1;
    }

    /// <inheritdoc/>
    public override unsafe bool TryEncodeUnicodeScalar(int unicodeScalar, char* buffer, int bufferLength, out int numberOfCharactersWritten)
    {
        string escape = unicodeScalar switch
        {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            > 0xffff => string.Concat(new Rune(unicodeScalar).ToString().Select(Escape)),
            _ => Escape((char)unicodeScalar),
        };
        bool fits = escape.AsSpan().TryCopyTo(new Span<char>(buffer, bufferLength));
        numberOfCharactersWritten = fits ? escape.Length : 0;
        return fits;
    }

    private static string Escape(char c) => "\\u" + ((int)c).ToString("x4", CultureInfo.InvariantCulture);
}
