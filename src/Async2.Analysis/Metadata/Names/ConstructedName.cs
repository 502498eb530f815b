using System.Collections.Immutable;
using System.Text;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Names;

/// <summary>A type name under construction: names from the outermost type inwards, and the type arguments of each.</summary>
internal sealed class ConstructedName
{
    private readonly List<(ArityName Name, List<string> Arguments)> _segments = [];

    public ImmutableArray<string> AllArguments => _segments.SelectMany(s => s.Arguments).ToImmutableArray();

    public void AddSegment(string rawName) => _segments.Add((ArityName.Parse(rawName), []));

    public void AddArgument(string csharpName) => _segments[^1].Arguments.Add(csharpName);

    public string ToCSharp()
    {
        AssignArgumentsToSegments();
        var (first, arguments) = _segments[0];
        if (_segments.Count == 1)
        {
            if (first.Name == "System.__Canon") return TypeName.Unknown;
            if (arguments.Count == 0) return Keywords.For(first.Name) ?? Readable(first.Name);
            if (first.Name == "System.Nullable" && arguments.Count == 1) return arguments[0] + "?";
            if (first.Name == "System.ValueTuple" && arguments.Count > 1) return "(" + string.Join(", ", arguments) + ")";
        }

        var text = new StringBuilder();
        foreach (var (name, own) in _segments)
        {
            if (text.Length > 0) text.Append('.');
            text.Append(Readable(name.Name));
            if (own.Count > 0) text.Append('<').AppendJoin(", ", own).Append('>');
        }

        return text.ToString();
    }

    /// <summary>The name of an outermost type has its namespace before it: <c>Shop.&lt;File&gt;F0__Hidden</c>.</summary>
    private static string Readable(string name)
    {
        var dot = name.IndexOf(".<", StringComparison.Ordinal);
        return dot < 0 ? GeneratedName.ReadableType(name) : name[..(dot + 1)] + GeneratedName.ReadableType(name[(dot + 1)..]);
    }

    /// <summary>Reflection lists all arguments at the end; the arity marks say which name they belong to.</summary>
    private void AssignArgumentsToSegments()
    {
        var all = _segments[^1].Arguments;
        if (_segments.Count == 1 || all.Count == 0 || _segments.Sum(s => (long)s.Name.Arity) != all.Count) return;
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
