using System.Collections.Immutable;
using System.Text;

namespace Async2.Analysis.Code.Metadata;

/// <summary>A type name under construction: names from the outermost type inwards, and the type arguments of each.</summary>
internal sealed class ConstructedName
{
    private readonly List<(ArityName Name, List<string> Arguments)> _segments = [];

    public ImmutableArray<string> AllArguments => _segments.SelectMany(s => s.Arguments).ToImmutableArray();

    public void AddSegment(string rawName) => _segments.Add((ArityName.Parse(rawName), []));

    public void AddArgument(string csharpName) => _segments[^1].Arguments.Add(csharpName);

    public string ToCSharp()
    {
        GiveArgumentsToTheirSegments();
        var (first, arguments) = _segments[0];
        if (_segments.Count == 1)
        {
            if (first.Name == "System.__Canon") return TypeName.Unknown;
            if (arguments.Count == 0) return Keywords.For(first.Name) ?? GeneratedName.ReadableType(first.Name);
            if (first.Name == "System.Nullable" && arguments.Count == 1) return arguments[0] + "?";
            if (first.Name == "System.ValueTuple" && arguments.Count > 1) return "(" + string.Join(", ", arguments) + ")";
        }

        var text = new StringBuilder();
        foreach (var (name, own) in _segments)
        {
            if (text.Length > 0) text.Append('.');
            text.Append(GeneratedName.ReadableType(name.Name));
            if (own.Count > 0) text.Append('<').AppendJoin(", ", own).Append('>');
        }

        return text.ToString();
    }

    /// <summary>Reflection lists all arguments at the end; the arity marks say which name they belong to.</summary>
    private void GiveArgumentsToTheirSegments()
    {
        var all = _segments[^1].Arguments;
        if (_segments.Count == 1 || _segments.Sum(s => (long)s.Name.Arity) != all.Count) return;
        var used = 0;
        var given = all.ToArray();
        foreach (var (name, own) in _segments)
        {
            own.Clear();
            own.AddRange(given.AsSpan(used, name.Arity));
            used += name.Arity;
        }
    }
}
