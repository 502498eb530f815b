using System.Collections.Immutable;

namespace Async2.Analysis.Model.Labels;

/// <summary>For whom or for what stacks work: a request, a trace, a value that the program gave along.</summary>
/// <param name="Name"><c>request</c>, <c>trace</c> and others of <see cref="LabelNames"/>; of an AsyncLocal the field that holds it, <c>Shop.Tenant</c>.</param>
/// <param name="Value">Text from the target, not yet escaped; of equal stacks that of the first.</param>
/// <param name="Source">Where it was read.</param>
public sealed record StackLabel(string Name, string Value, LabelSource Source)
{
    /// <summary>How many of equal stacks have a label of this name.</summary>
    public long Stacks { get; init; } = 1;

    /// <summary>How many different values they have.</summary>
    public long Values { get; init; } = 1;

    /// <summary>Which values they have and how many of them each, most first; empty for a single value, and where there are more than <see cref="MostShares"/>.</summary>
    public ImmutableArray<LabelShare> Shares { get; init; } = [];

    /// <summary>More different values than these are not listed.</summary>
    public const int MostShares = 20;
}

/// <summary>Where a label was read.</summary>
public enum LabelSource
{
    /// <summary>The server's own object of the request, which the stack ends in.</summary>
    Connection,

    /// <summary>The execution context of a frame or thread.</summary>
    Context,

    /// <summary>The stacks that wait for this one: all have the same.</summary>
    Caller,

    /// <summary>A variable of a frame.</summary>
    Frame,

    /// <summary>What the stack waits for.</summary>
    Wait,

    /// <summary>The stacks that this one waits for: all that have such a label have the same.</summary>
    Awaited,
}

/// <summary>Names of labels that do not come from the program. None has a dot, unlike that of a field.</summary>
public static class LabelNames
{
    /// <summary>Method and path of the request that is answered, <c>GET /orders/42</c>.</summary>
    public const string Request = "request";

    /// <summary>Pattern of its endpoint, <c>/orders/{id}</c>.</summary>
    public const string Route = "route";

    /// <summary>The server's id of the request.</summary>
    public const string RequestId = "requestId";

    /// <summary>Trace id, 32 hexadecimal digits.</summary>
    public const string Trace = "trace";

    /// <summary>Id of the innermost span, 16 hexadecimal digits.</summary>
    public const string Span = "span";

    /// <summary>Name of the innermost activity, if it is not the server's own.</summary>
    public const string Activity = "activity";

    /// <summary>Logging scopes, outermost first.</summary>
    public const string Scope = "scope";

    /// <summary>Name of the culture, if it is not the default.</summary>
    public const string Culture = "culture";

    /// <summary>Method and address of the request that the stack itself has sent.</summary>
    public const string Call = "call";

    /// <summary>First line of the SQL whose answer is awaited.</summary>
    public const string Sql = "sql";

    /// <summary>Name of the Redis command whose answer is awaited, <c>GET</c>.</summary>
    public const string Command = "command";

    /// <summary>The server that is waited for, with its port: of a database, of Redis, of a pool of connections, the other end of a connection that the program has opened.</summary>
    public const string Host = "host";

    /// <summary>All of them, as they are listed.</summary>
    public static IReadOnlyList<string> All { get; } = [Request, Route, Trace, Span, Activity, RequestId, Call, Sql, Command, Host, Scope, Culture];

    /// <summary>Those that say what a stack waits for.</summary>
    internal static IReadOnlyList<string> OfWaits { get; } = [Sql, Command, Host];

    /// <summary>In the order in which they are listed.</summary>
    internal static ImmutableArray<StackLabel> Sorted(IEnumerable<StackLabel> labels) => [.. labels.OrderBy(label => RankOf(label.Name)).ThenBy(label => label.Name, StringComparer.Ordinal)];

    /// <summary>Where a name is in <see cref="All"/>; behind them for that of a field.</summary>
    internal static int RankOf(string name)
    {
        for (int i = 0; i < All.Count; i++)
        {
            if (All[i] == name)
                return i;
        }
        return All.Count;
    }

    /// <summary>Whether a label has the name that somebody asks for: all of it, or of a field the part behind the last dot.</summary>
    public static bool IsNamed(string name, string asked)
        => name.Equals(asked, StringComparison.OrdinalIgnoreCase) || (name.Length > asked.Length && name[^(asked.Length + 1)] == '.' && name.EndsWith(asked, StringComparison.OrdinalIgnoreCase));
}
