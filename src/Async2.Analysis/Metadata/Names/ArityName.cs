using System.Globalization;

namespace Async2.Analysis.Metadata.Names;

/// <summary>A metadata type name taken apart: <c>Dictionary`2</c> is <c>Dictionary</c> with two type parameters of its own.</summary>
internal readonly record struct ArityName(string Name, int Arity)
{
    public static ArityName Parse(string raw)
    {
        var mark = raw.LastIndexOf('`');
        return mark > 0
            && int.TryParse(raw.AsSpan(mark + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var arity)
            && arity <= ushort.MaxValue
            ? new ArityName(raw[..mark], arity)
            : new ArityName(raw, 0);
    }
}
