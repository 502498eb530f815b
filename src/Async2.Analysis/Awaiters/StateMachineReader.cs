using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Awaiters;

/// <summary>Where the state machine of a row stopped.</summary>
internal sealed class StateMachineReader(StateMachineLayouts layouts, StateMachinePoints points, ProblemLog problems)
{
    /// <summary>Of a row that is a closure instead, which is called when what it waits for has happened.</summary>
    public StateMachinePoint AtClosure(in NodeRow row) => layouts.TypeAt(row.MethodTable) is { } closure ? points.AtClosure(closure) : new StateMachinePoint();

    public StateMachinePoint At(in NodeRow row)
    {
        if (layouts.StateMachineIn(row.Address, row.MethodTable) is not { Layout: { } layout })
            return new StateMachinePoint { RuntimeTypeName = layouts.BoxOf(row.MethodTable)?.StateMachineType?.Name };
        StateMachinePoint point = points.At(layout.Type, row.State);
        if (point.IsImpossible && row.State != NodeRow.UnknownMachine)
        {
            problems.AddPartial(new(ProblemCodes.ImpossibleState,
                FormattableString.Invariant($"a state machine ({TypeName.FromRuntimeName(point.RuntimeTypeName ?? "")}) has state {row.State}, which its code never stores: it is damaged"), row.Address));
        }
        return point with { AwaiterType = layout.Awaiters.FirstOrDefault(a => a.Field == point.Await?.AwaiterField)?.Type };
    }
}
