using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Query;

/// <summary>A pattern for labels, in which <c>*</c> stands for any text, ignoring case: <c>/orders/*</c>.</summary>
internal sealed class LabelPattern(string text)
{
    private readonly string[] _parts = text.Split('*');

    /// <summary>Whether a whole text matches.</summary>
    public bool Matches(string value)
    {
        if (_parts is [var all])
            return value.Equals(all, StringComparison.OrdinalIgnoreCase);
        if (!value.StartsWith(_parts[0], StringComparison.OrdinalIgnoreCase))
            return false;
        int at = _parts[0].Length;
        foreach (string part in _parts.AsSpan(1, _parts.Length - 2))
        {
            int found = value.IndexOf(part, at, StringComparison.OrdinalIgnoreCase);
            if (found < 0)
                return false;
            at = found + part.Length;
        }
        return value.Length - at >= _parts[^1].Length && value.EndsWith(_parts[^1], StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Whether a request matches: its path or its method with the path, with or without the query.</summary>
    public bool MatchesRequest(string request)
    {
        string withoutQuery = request.IndexOf('?', StringComparison.Ordinal) is >= 0 and var query ? request[..query] : request;
        return Matches(request) || Matches(withoutQuery) || Matches(PathOf(request)) || Matches(PathOf(withoutQuery));
    }

    /// <summary>Whether the labels of a stack have a request, or the route of one, that matches.</summary>
    public bool IsRequestOf(IEnumerable<StackLabel> labels)
    {
        string? method = null, route = null;
        foreach (StackLabel label in labels)
        {
            if (label.Name == LabelNames.Request && MatchesRequest(label.Value))
                return true;
            (method, route) = label.Name switch
            {
                LabelNames.Request => (label.Value.Split(' ')[0], route),
                LabelNames.Route => (method, label.Value),
                _ => (method, route),
            };
        }
        return route is not null && (Matches(route) || Matches($"{method} {route}"));
    }

    private static string PathOf(string request) => request[(request.IndexOf(' ', StringComparison.Ordinal) + 1)..];
}
