using System.Text.Json;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Whether bytes are JSON of a size, depth and encoding that is read, so that nothing behind this has to ask again.</summary>
internal static class JsonForm
{
    private static readonly JsonReaderOptions Options = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    /// <summary>What is wrong, and where; null when nothing is.</summary>
    public static string? FaultOf(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, Options);
        try
        {
            while (reader.Read())
            {
                if (FaultOf(ref reader) is { } fault)
                    return $"{Place(json, (int)reader.TokenStartIndex)}: {fault}";
            }
            return null;
        }
        catch (JsonException e)
        {
            // The message ends in the same place, in other words and counted from 0.
            string reason = e.Message.Split(" LineNumber:", 2)[0].Trim().TrimEnd('.');
            return FormattableString.Invariant($"line {e.LineNumber + 1}, column {e.BytePositionInLine + 1}: it is not JSON ({reason})");
        }
    }

    private static string? FaultOf(ref Utf8JsonReader reader)
    {
        if (reader.CurrentDepth >= LayoutLimits.Depth && reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
            return FormattableString.Invariant($"it nests deeper than {LayoutLimits.Depth} levels");
        if (reader.TokenType is not (JsonTokenType.String or JsonTokenType.PropertyName))
            return null;
        if (reader.ValueSpan.Length > LayoutLimits.StringBytes)
            return FormattableString.Invariant($"a text of {reader.ValueSpan.Length:N0} bytes; it has at most 64 KiB");
        try
        {
            _ = reader.GetString();
            return null;
        }
        catch (InvalidOperationException)
        {
            return "a text that is not UTF-8";
        }
    }

    private static string Place(ReadOnlySpan<byte> json, int at)
    {
        ReadOnlySpan<byte> before = json[..at];
        return FormattableString.Invariant($"line {before.Count((byte)'\n') + 1}, column {at - before.LastIndexOf((byte)'\n')}");
    }
}
