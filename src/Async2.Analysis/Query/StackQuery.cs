using System.Collections.Immutable;
using System.Text;
using Async2.Analysis.Model;

namespace Async2.Analysis.Query;

/// <summary>
/// Every filter, limit and grouping that the user gave, parsed once; the command line, SOS and debug adapters only fill it. A stack
/// has to match all filters that are set. Folded framework frames are searched, too.
/// </summary>
public sealed record StackQuery
{
    /// <summary>Matches the full C# form of some frame's method.</summary>
    public TextPattern? Method { get; init; }

    /// <summary>Module of some frame, with or without <c>.dll</c>.</summary>
    public string? Module { get; init; }

    /// <summary>One of these states; empty for any.</summary>
    public ImmutableArray<StackState> States { get; init; } = [];

    /// <summary>Matches what the innermost frame waits for, its details or its type.</summary>
    public TextPattern? WaitingOn { get; init; }

    /// <summary>Each of these matches some frame: its method or its <c>file:line</c>.</summary>
    public ImmutableArray<TextPattern> With { get; init; } = [];

    /// <summary>Each of these matches no frame: neither its method nor its <c>file:line</c>.</summary>
    public ImmutableArray<TextPattern> Without { get; init; } = [];

    /// <summary>Address of some frame's object, of a task of the stack, or of what it waits for.</summary>
    public ulong? Address { get; init; }

    /// <summary>Address of a task that completes within the stack.</summary>
    public ulong? Task { get; init; }

    /// <summary>Method table of some object of the stack: a frame's, a task, or what it waits for.</summary>
    public ulong? MethodTable { get; init; }

    /// <summary>Part of the name of the type of some object of the stack, or of some frame's method; case-sensitive.</summary>
    public string? ObjectType { get; init; }

    /// <summary>Managed id of the thread that runs or blocks in it.</summary>
    public int? Thread { get; init; }

    /// <summary>Path or route of the request that it works for, in which <c>*</c> stands for anything; a method may precede it.</summary>
    public string? Request { get; init; }

    /// <summary>Beginning of the id of the trace that it belongs to.</summary>
    public string? Trace { get; init; }

    /// <summary>Labels that it has, each a name, or a name and a value: <c>Tenant=t42</c>. In both <c>*</c> stands for anything.</summary>
    public ImmutableArray<string> Labels { get; init; } = [];

    /// <summary>It has waited for at least so long, as far as that is proved.</summary>
    public TimeSpan? OlderThan { get; init; }

    /// <summary>A finding by its id, or all of a rule: the stacks that prove it.</summary>
    public string? Finding { get; init; }

    /// <summary>Shows the stacks in sections.</summary>
    public GroupKey? GroupBy { get; init; }

    /// <summary>Which stacks come first; null for the largest groups.</summary>
    public StackSorting? Sort { get; init; }

    /// <summary>Maximum number of stacks, or groups of equal ones, to show; null for all.</summary>
    public int? Limit { get; init; }

    /// <summary>Who asks by age wants to see each.</summary>
    public bool AsksForAges => OlderThan is not null || Sort == StackSorting.Age;

    /// <summary>Whether the query has any filter.</summary>
    public bool IsFilter => Filters().Any();

    /// <summary>Whether an object has the type requested by <see cref="MethodTable"/> and <see cref="ObjectType"/>; of both if both are set.</summary>
    /// <param name="methodTable">The object's method table.</param>
    /// <param name="name">The type's full name; null if it has none or is not needed.</param>
    public bool IsOfType(ulong methodTable, string? name)
        => (MethodTable is not { } wanted || wanted == methodTable) && (ObjectType is not { } text || name?.Contains(text, StringComparison.Ordinal) == true);

    /// <summary>The filters as typed, <c>--method Pay --state awaiting,blocked</c>; empty without any.</summary>
    public string FilterText => string.Join(' ', Filters().Select(filter => $"{filter.Option} {Quoted(filter.Value)}"));

    /// <summary>Whether another query is equivalent, however it was typed.</summary>
    public bool Equals(StackQuery? other) => other is not null && (ReferenceEquals(this, other) || Values().SequenceEqual(other.Values()));

    /// <inheritdoc/>
    public override int GetHashCode() => Values().Aggregate(0, HashCode.Combine);

    private IEnumerable<(string Option, string Value)> Filters()
        => QueryOptionTable.Filters.SelectMany(option => option.Texts(this).Select(text => (option.Option, text)));

    private IEnumerable<(string Option, string Value)> Values()
        => QueryOptionTable.All.SelectMany(option => option.Texts(this).Select(text => (option.Option, text)));

    // Quoted for a shell, so that it can be copied into the next command.
    private static string Quoted(string value)
        => value.All(c => char.IsAsciiLetterOrDigit(c) || "_-.,:/".Contains(c, StringComparison.Ordinal)) && value.Length > 0
            ? value
            : new StringBuilder(value).Replace("'", "'\\''").Insert(0, '\'').Append('\'').ToString();
}
