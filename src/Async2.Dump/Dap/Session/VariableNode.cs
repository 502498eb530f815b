using System.Collections.Immutable;

namespace Async2.Dump.Dap.Session;

/// <summary>A line in a list of variables.</summary>
/// <param name="Name">Escaped.</param>
/// <param name="Value">Escaped.</param>
/// <param name="Type">Escaped; null if unknown.</param>
/// <param name="Parts">Its parts; null if it cannot be expanded.</param>
internal sealed record VariableLine(string Name, string Value, string? Type = null, VariableNode? Parts = null);

/// <summary>Something that can be expanded. Its lines are created on demand and stay the same, as do their ids.</summary>
/// <param name="count">The number of its lines.</param>
/// <param name="read">Creates some of them: index of the first one, and count.</param>
internal sealed class VariableNode(int count, Func<int, int, IEnumerable<VariableLine>> read)
{
    private readonly Dictionary<(int Start, int Count), ImmutableArray<VariableLine>> _pages = [];

    /// <summary>The number of lines.</summary>
    public int Count { get; } = count;

    /// <summary>The lines are elements, not named parts.</summary>
    public bool IsIndexed { get; init; }

    /// <summary>The client's id for it; 0 before it has one.</summary>
    public int Reference { get; set; }

    /// <summary>How <c>evaluate</c> finds it, <c>order.Items</c>; empty for the variables of a frame, null if it does not.</summary>
    public string? Path { get; private set; }

    /// <summary>Says how it is found, so that its lines know it, too.</summary>
    public void SetPath(string path) => Path ??= path;

    /// <summary>How a line is found; null if it is not.</summary>
    public string? PathOf(string name) => Path switch
    {
        null => null,
        "" => name,
        _ => name.StartsWith('[') ? Path + name : $"{Path}.{name}",
    };

    /// <summary>A node with existing lines.</summary>
    public static VariableNode Of(params IReadOnlyList<VariableLine> lines) => new(lines.Count, (start, count) => lines.Skip(start).Take(count));

    /// <summary>Some of its lines.</summary>
    public ImmutableArray<VariableLine> Lines(int start, int count)
    {
        if (!_pages.TryGetValue((start, count), out ImmutableArray<VariableLine> page))
            _pages[(start, count)] = page = [.. read(start, count)];
        return page;
    }
}
