using System.Collections.Immutable;

namespace Async2.Dump.Dap.Session;

/// <summary>A line in a list of variables.</summary>
/// <param name="Name">Escaped.</param>
/// <param name="Value">Escaped.</param>
/// <param name="Type">Escaped; null when unknown.</param>
/// <param name="Parts">What it is made of; null when there is nothing to open.</param>
internal sealed record VariableLine(string Name, string Value, string? Type = null, VariableNode? Parts = null);

/// <summary>Something that can be opened. Its lines are made when somebody looks, and stay the same: so do the numbers of what they lead to.</summary>
/// <param name="count">How many lines it has.</param>
/// <param name="read">Makes some of them: the first one, and how many.</param>
internal sealed class VariableNode(int count, Func<int, int, IEnumerable<VariableLine>> read)
{
    private readonly Dictionary<(int Start, int Count), ImmutableArray<VariableLine>> _pages = [];

    /// <summary>How many lines it has.</summary>
    public int Count { get; } = count;

    /// <summary>They are elements, and not parts with names.</summary>
    public bool IsIndexed { get; init; }

    /// <summary>The client's number for it; 0 before it has one.</summary>
    public int Reference { get; set; }

    /// <summary>A node whose lines are there.</summary>
    public static VariableNode Of(params IReadOnlyList<VariableLine> lines) => new(lines.Count, (start, count) => lines.Skip(start).Take(count));

    /// <summary>Some of its lines.</summary>
    public ImmutableArray<VariableLine> Lines(int start, int count)
    {
        if (!_pages.TryGetValue((start, count), out ImmutableArray<VariableLine> page))
            _pages[(start, count)] = page = [.. read(start, count)];
        return page;
    }
}
