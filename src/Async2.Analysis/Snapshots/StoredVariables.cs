using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;

namespace Async2.Analysis.Snapshots;

/// <summary>Variables in a snapshot file: those of each stack's frames, read when the file was written.</summary>
internal sealed class StoredVariables : IFrameVariables
{
    private readonly Dictionary<(int Place, ulong Address), ImmutableArray<LocalValue>> _values = [];

    /// <exception cref="SnapshotFormatException">A row is damaged.</exception>
    public StoredVariables(IReadOnlyList<VariablesRecord> rows)
    {
        foreach (VariablesRecord row in rows)
        {
            if (row?.Variables is null || row.Variables.Any(variable => variable is not { Name: not null, Value: not null } || !Enum.IsDefined(variable.Exactness)))
                throw new SnapshotFormatException("its table of variables is damaged");
            _values[(row.Place, row.Address)] = [.. row.Variables.Select(variable => new LocalValue(variable.Name, variable.Type, variable.Value) { Exactness = variable.Exactness })];
        }
    }

    /// <inheritdoc/>
    public ImmutableArray<LocalValue> LocalsOf(int place, ulong address) => _values.TryGetValue((place, address), out ImmutableArray<LocalValue> values) ? values : [];

    /// <summary>Those of all frames of a model that have an object.</summary>
    public static List<VariablesRecord> Read(AsyncModel model, IFrameVariables variables, bool redacts)
    {
        var rows = new List<VariablesRecord>();
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            int[] places = model.Stacks.ShapeOf(stack).Places;
            var objects = new StackObjects(model, stack);
            while (objects.MoveNext())
            {
                if (objects.Address != 0 && variables.LocalsOf(places[objects.Current], objects.Address) is { IsEmpty: false } values)
                    rows.Add(new(places[objects.Current], objects.Address, [.. values.Select(value => new VariableRecord(value.Name, value.Type, !redacts ? value.Value : Redaction.Hidden, value.Exactness))]));
            }
        }
        return rows;
    }
}
