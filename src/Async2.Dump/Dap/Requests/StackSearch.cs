using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Snapshots;

namespace Async2.Dump.Dap.Requests;

/// <summary>What somebody typed to find stacks: words that all have to hold. docs/dap.md has the list.</summary>
internal sealed class StackSearch
{
    /// <summary>Words that take a value, with what they mean.</summary>
    public static readonly ImmutableArray<(string Name, string Meaning)> Filters =
    [
        ("method", "a method of the stack, by a part of its name: method:Pay"),
        ("waiting", "what it waits for: waiting:Semaphore"),
        ("state", $"what it does, one or several: state:{string.Join(',', QueryValue.Words<StackState>())}"),
        ("with", "a method, or file and line: with:Gateway.cs:17"),
        ("without", "no such method, file or line: without:Cache"),
        ("module", "a module of the stack: module:Shop"),
        ("address", "an object of the stack: address:0x7f524d80b698"),
        ("task", "a task of the stack, by its address: task:0x7f524d80b698"),
        ("thread", "the thread that runs or blocks in it, by its managed id: thread:7"),
    ];

    private StackSearch(StackQuery query, ImmutableArray<TextPattern> anywhere, ImmutableHashSet<int> stacks)
        => (Query, Anywhere, Stacks) = (query, anywhere, stacks);

    private StackQuery Query { get; }

    private ImmutableArray<TextPattern> Anywhere { get; }

    // Numbers of stacks that were asked for; empty for any.
    private ImmutableHashSet<int> Stacks { get; }

    /// <summary>Objects were asked for, of which a group of equal stacks knows only those of one.</summary>
    public bool IsAboutObjects => Query.Address is not null || Query.Task is not null;

    /// <summary>Reads a query; an empty one means all stacks.</summary>
    /// <exception cref="QueryException">It makes no sense.</exception>
    public static StackSearch Parse(string text)
    {
        var query = new StackQuery();
        var anywhere = ImmutableArray.CreateBuilder<TextPattern>();
        var stacks = ImmutableHashSet.CreateBuilder<int>();
        foreach (QueryWord word in QueryWord.Split(text))
        {
            if (word.Name is { } name)
                query = With(query, name, word.Value);
            else if (StackIn(word.Value) is { } stack)
                stacks.Add(stack);
            else
                anywhere.Add(TextPattern.Parse("a query", word.Value));
        }
        return new StackSearch(query, anywhere.ToImmutable(), stacks.ToImmutable());
    }

    /// <summary>Threads of stacks that are meant, in the order of the answer.</summary>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public IReadOnlyList<int> In(StackView snapshot, CancellationToken cancellation)
    {
        var filter = new StackFilter(Query, Anywhere);
        var found = new List<int>();
        for (int i = 0; i < snapshot.Stacks.Length; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            if ((Stacks.IsEmpty || Stacks.Contains(i + 1)) && filter.Matches(snapshot.Stacks[i]))
                found.Add(i + 1);
        }
        return found;
    }

    private static StackQuery With(StackQuery query, string name, string value) => name switch
    {
        "method" when query.Method is null => query with { Method = TextPattern.Parse("method:", value) },
        "method" => query with { With = query.With.Add(TextPattern.Parse("method:", value)) },
        "waiting" => query with { WaitingOn = TextPattern.Parse("waiting:", value) },
        "state" => query with { States = QueryValue.WordList<StackState>("state:", [value]) },
        "with" => query with { With = query.With.Add(TextPattern.Parse("with:", value)) },
        "without" => query with { Without = query.Without.Add(TextPattern.Parse("without:", value)) },
        "module" => query with { Module = QueryValue.Name("module:", value) },
        "address" => query with { Address = QueryValue.Address("address:", value) },
        "task" => query with { Task = QueryValue.Address("task:", value) },
        "thread" => query with { Thread = ThreadIn(value) },
        _ => throw new QueryException($"there is no word '{name}:' in queries", $"type one of {string.Join(", ", Filters.Select(filter => filter.Name + ":"))}, or a word alone"),
    };

    private static int ThreadIn(string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int thread)
        ? thread
        : throw new QueryException($"thread: wants a number, not '{text}'", "type thread: and the managed id of a thread, thread:7");

    // "s12", with or without the word "stack" before it.
    private static int? StackIn(string word)
        => word is ['s', .. string digits] && int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : null;
}
