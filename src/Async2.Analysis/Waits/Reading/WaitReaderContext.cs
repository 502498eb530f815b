using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>What all families of waits use to read their objects.</summary>
internal sealed record WaitReaderContext(Target Target, LoadedModules Modules, WaitResources Resources, WaitTable Table, TimerReader Timers, TokenReader Tokens, WaitNames Names)
{
    /// <summary>What can be awaited.</summary>
    public AwaitedTypes Types { get; } = new(Target.Runtime, new InterfaceNames(Modules).Of);

    /// <summary>Objects of libraries that know what a wait is about.</summary>
    public LibraryObjects Library { get; } = new(Target, Resources, Table.Objects);

    /// <summary>Fields of objects by name.</summary>
    public ObjectFields Fields { get; } = new(Target);

    /// <summary>Standard streams of processes.</summary>
    public ProcessStreams Streams => field ??= new(this);

    /// <summary>Long texts are given whole, not only their first line.</summary>
    public bool Whole { get; init; }

    public int PointerSize => Target.Memory.PointerSize;

    public static WaitReaderContext Of(Target target, LoadedModules modules, WaitResources resources, WaitTable table)
    {
        var timers = new TimerReader(target, target.CapturedAt.Tick);
        return new(target, modules, resources, table, timers, new TokenReader(target, timers), new WaitNames(target, table));
    }

    public HeapObject At(ulong address) => new(Target.Memory, address);

    /// <summary>A cache of layouts, for the types of objects behind the awaited one.</summary>
    public LayoutCache<TLayout> Layouts<TLayout>(Func<ClrType, int, TLayout?> find)
        where TLayout : class
        => new(Target.Runtime, find);
}
