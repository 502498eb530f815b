using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Sos.Text;

/// <summary>Frames counted by method, in SOS's columns. Frames without an object (of a thread, or elided) are not counted.</summary>
internal sealed class StatsTable(ConsoleText text, ObjectTypes types, StackQuery query)
{
    private readonly Dictionary<string, (ulong Object, long Count)> _rows = [];
    private readonly ObjectMatch _match = new(query, types);

    public void Write(StackView snapshot)
    {
        if (query.GroupBy is not { } grouping)
        {
            Write(snapshot.Stacks);
            return;
        }
        foreach (StackSection section in StackSection.Of(snapshot.Stacks, grouping))
        {
            text.Line();
            SectionText.WriteHeading(text, section, snapshot.Stacks.Sum(stack => stack.Count));
            Write(section.Stacks);
        }
    }

    private void Write(ImmutableArray<LogicalStack> stacks)
    {
        _rows.Clear();
        foreach (LogicalStack stack in stacks)
            Count(stack);
        text.Line();
        text.Write(TextRole.Heading, $"{"MT",-16} {"Count",-8} Type");
        text.Line();
        KeyValuePair<string, (ulong Object, long Count)>[] rows =
            [.. _rows.OrderByDescending(row => row.Value.Count).ThenBy(row => row.Key, StringComparer.Ordinal)];
        foreach ((string method, (ulong address, long count)) in rows.Take(query.Limit ?? int.MaxValue))
        {
            text.Write(TextRole.Type, ObjectColumn.Hex(types.MethodTableOf(address)));
            text.Write(TextRole.Count, $" {DisplayText.Number(count),-8} ");
            text.Write(TextRole.Method, method);
            text.Line();
        }
        if (query.Limit < rows.Length)
            text.Line(string.Create(CultureInfo.InvariantCulture, $"... {rows.Length - query.Limit} more methods not shown (--limit)"));
    }

    // A chain may have a million frames, but few distinct ones: each of those is looked up once.
    private void Count(LogicalStack stack)
    {
        for (int i = 0; i < stack.Frames.Count; i++)
        {
            string method = stack.Frames.WithoutAddress(i).Method;
            _rows.TryGetValue(method, out (ulong Object, long Count) row);
            ulong known = row.Object != 0 && !IsFiltered ? row.Object : stack.Frames[i].Address ?? 0;
            if (known != 0 && IsWanted(known, method))
                _rows[method] = (row.Object == 0 ? known : row.Object, row.Count + stack.Count);
        }
    }

    private bool IsFiltered => query.Address is not null || _match.Asks;

    private bool IsWanted(ulong address, string method)
        => (query.Address is not { } wanted || wanted == address)
            && (!_match.Asks || _match.Matches(address) || (query is { MethodTable: null, ObjectType: { } name } && method.Contains(name, StringComparison.Ordinal)));
}
