using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Fleets.Wire;

namespace Async2.Dump.Fleets;

/// <summary>Attributes and values. Text comes from targets: it is escaped, and cut.</summary>
internal static class OtlpText
{
    /// <summary>The longest text of an attribute, in characters.</summary>
    public const int Longest = 256;

    /// <summary>The longest sentence.</summary>
    public const int LongestBody = 4096;

    private const string Cut = "...";

    /// <summary>What this tool calls itself.</summary>
    public static InstrumentationScope Scope { get; } = new() { Name = "dotnet-async2", Version = typeof(OtlpText).Assembly.GetName().Version?.ToString(3) ?? "" };

    /// <summary>An attribute with text.</summary>
    public static KeyValue Of(string name, string value) => new() { Key = name, Value = new AnyValue { StringValue = Safe(value, Longest) } };

    /// <summary>An attribute with a number.</summary>
    public static KeyValue Of(string name, long value) => new() { Key = name, Value = new AnyValue { IntValue = value } };

    /// <summary>Adds an attribute, if there is a value.</summary>
    public static void Add(ICollection<KeyValue> attributes, string name, string? value)
    {
        if (!string.IsNullOrEmpty(value))
            attributes.Add(Of(name, value));
    }

    /// <summary>Text without what a reader's terminal could be fooled by, of a length that backends take.</summary>
    public static string Safe(string text, int longest)
    {
        string safe = SafeText.Escape(text);
        return safe.Length <= longest ? safe : string.Concat(safe.AsSpan(0, longest - Cut.Length - (char.IsHighSurrogate(safe[longest - Cut.Length - 1]) ? 1 : 0)), Cut);
    }

    /// <summary>Nanoseconds since 1970.</summary>
    public static ulong Nanoseconds(DateTimeOffset time) => (ulong)Math.Max(0, (time - DateTimeOffset.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick);

    /// <summary>A number as text.</summary>
    public static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
