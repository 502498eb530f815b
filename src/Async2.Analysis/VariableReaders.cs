using System.Collections.Immutable;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Families;
using Async2.Analysis.Layouts;
using Async2.Analysis.Locals;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Values;

namespace Async2.Analysis;

/// <summary>Reads variables of frames of every kind, as long as the target is open. Made when the first is asked for.</summary>
internal sealed class VariableReaders : IFrameVariables
{
    private readonly HeapIndex _index;
    private readonly StateMachineLayouts _layouts;
    private readonly List<IFrameLocals> _frames = [];
    private readonly StateMachineLocals _stateMachines;

    /// <param name="target">The target.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="native">Its native code.</param>
    /// <param name="contexts">Type arguments of frames.</param>
    /// <param name="index">Its async objects.</param>
    /// <param name="layouts">Of state machines.</param>
    /// <param name="keepsParts">Somebody will look into the values.</param>
    public VariableReaders(Target target, LoadedModules modules, NativeBodies native, GenericContext contexts, HeapIndex index, StateMachineLayouts layouts, bool keepsParts)
    {
        var values = new VariableValues(target, modules, keepsParts);
        _index = index;
        _layouts = layouts;
        if (index.Layout.Continuation is { Shape: ContinuationShape.Arrays } arrays)
            _frames.Add(new ContinuationLocals(target, native, contexts, arrays, values));
        else if (index.Layout.Continuation is not null)
            _frames.Add(new InlineLocals(target, contexts, values));
        _frames.AddRange(AsyncFamilies.All.Select(family => family.OpenLocals(target, index.Layout, contexts, values)).OfType<IFrameLocals>());
        _stateMachines = new StateMachineLocals(target, modules, values);
        Parts = new PartsReader(target, values);
    }

    /// <summary>What values are made of.</summary>
    public PartsReader Parts { get; }

    /// <summary>The frames by number; set when they are all known.</summary>
    public IReadOnlyList<FrameEntry> Entries { get; set; } = [];

    /// <inheritdoc/>
    public ImmutableArray<LocalValue> LocalsOf(int place, ulong address) => place < Entries.Count ? LocalsOf(Entries[place], address) : [];

    private ImmutableArray<LocalValue> LocalsOf(FrameEntry frame, ulong address)
    {
        if (_index.FindFrame(address) is >= 0 and var position)
        {
            // A frame that a thread executes has no line; what it saved when it was suspended is past, too.
            bool isRunning = frame.Point.Kind == SiteKind.ResumeStub && frame.Frame.ILOffset is null && frame.Point.Site is not null;
            return isRunning ? [] : _frames.Find(reader => reader.Kind == frame.Point.Kind)?.Read(frame.Point, _index.Frames.RowOf(position)) ?? [];
        }
        return _index.FindNode(address) is >= 0 and var node && _index.Nodes[node] is { IsChain: false } row
            && _layouts.StateMachineIn(row.Address, row.MethodTable) is { } machine
            ? _stateMachines.Read(machine.Address, machine.Layout.Type, machine.IsObject)
            : [];
    }
}
