using System.Collections.Immutable;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Query;

/// <summary>What the stacks of one section have in common.</summary>
public enum StackGrouping
{
    /// <summary>The innermost method of the user.</summary>
    Method,

    /// <summary>What they wait for.</summary>
    WaitingOn,

    /// <summary>Their state.</summary>
    State,

    /// <summary>The module of the innermost method of the user.</summary>
    Module,

    /// <summary>The innermost frame with its line.</summary>
    Leaf,

    /// <summary>Method and route of the request that they work for.</summary>
    Route,

    /// <summary>The trace that they belong to.</summary>
    Trace,

    /// <summary>The value of a label.</summary>
    Label,
}

/// <summary>A grouping; of labels with the name of one.</summary>
/// <param name="Kind">What is common.</param>
/// <param name="Label">Name of the label; null for other kinds.</param>
public readonly record struct GroupKey(StackGrouping Kind, string? Label = null)
{
    private const string LabelWord = "label:";

    /// <summary>A grouping without a name.</summary>
    public static implicit operator GroupKey(StackGrouping kind) => new(kind);

    /// <summary>All that may be typed.</summary>
    public static ImmutableArray<string> Words => [.. QueryValue.Words<StackGrouping>().Where(word => word != "label"), LabelWord + "NAME"];

    /// <summary>Whether it is known of each stack of a model, and groups of equal stacks have to be parted by it.</summary>
    internal bool IsOfLabels => Kind is StackGrouping.Route or StackGrouping.Trace or StackGrouping.Label;

    /// <summary>A word that was typed: <c>route</c>, <c>label:Tenant</c>.</summary>
    /// <exception cref="QueryException">It is none of these.</exception>
    public static GroupKey Parse(string option, string text)
    {
        string word = text.Trim();
        if (word.StartsWith(LabelWord, StringComparison.OrdinalIgnoreCase) && word.Length > LabelWord.Length)
            return new(StackGrouping.Label, word[LabelWord.Length..]);
        string[] words = [.. Words];
        return !word.Equals("label", StringComparison.OrdinalIgnoreCase) && words.Contains(word, StringComparer.OrdinalIgnoreCase) ? new(QueryValue.Word<StackGrouping>(option, word))
            : throw new QueryException($"{option} does not accept '{text}'", $"type {option} and one of {string.Join(", ", words)}");
    }

    /// <summary>As it is typed.</summary>
    public override string ToString() => Label is null ? QueryValue.WordOf(Kind) : LabelWord + Label;

    /// <summary>What stacks with these labels have in common; null if they have no such label.</summary>
    /// <param name="find">Finds a label by its name.</param>
    internal string? Of(Func<string, StackLabel?> find) => Kind switch
    {
        StackGrouping.Route => find(LabelNames.Request) is { } request ? $"{MethodOf(request.Value)} {find(LabelNames.Route)?.Value ?? "(no route)"}" : null,
        StackGrouping.Trace => find(LabelNames.Trace)?.Value,
        StackGrouping.Label => Label is null ? null : find(Label)?.Value,
        _ => null,
    };

    private static string MethodOf(string request) => request.Split(' ')[0];
}
