using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>What an object among a continuation's references is to the await.</summary>
internal enum AwaitedShape
{
    /// <summary>A local of the method, or the machinery of awaiting.</summary>
    Other,

    /// <summary>A task of any kind.</summary>
    Task,

    /// <summary>
    /// What is awaited without being a task: an IValueTaskSource, or an object in which another method builder than the runtime's keeps a state
    /// machine, which need not implement it.
    /// </summary>
    ValueTaskSource,
}

/// <summary>Whether objects of a type can be awaited, cached for each method table.</summary>
/// <param name="runtime">Knows the types.</param>
/// <param name="interfaces">Interfaces that a type names itself, generic ones without arguments: ClrMD has no names of those.</param>
internal sealed class AwaitedTypes(ClrRuntime runtime, Func<ClrType, IReadOnlyList<string>> interfaces)
{
    private const string SourcePrefix = "System.Threading.Tasks.Sources.IValueTaskSource";

    private readonly Dictionary<ulong, AwaitedShape> _known = [];

    public AwaitedShape Of(ulong methodTable)
    {
        if (!_known.TryGetValue(methodTable, out AwaitedShape shape))
            _known[methodTable] = shape = TypeLookup.Of(runtime, methodTable) is { } type ? Find(type) : AwaitedShape.Other;
        return shape;
    }

    private AwaitedShape Find(ClrType type)
    {
        if (BaseTypes.Find(type, TaskLayout.TypeName) is not null)
            return AwaitedShape.Task;
        // A class lists the interfaces that it names itself; a channel's operations get theirs from a base class.
        return BoxLayout.IsCustom(type) || BaseTypes.Of(type).Any(t => interfaces(t).Any(IsSource)) ? AwaitedShape.ValueTaskSource : AwaitedShape.Other;
    }

    private static bool IsSource(string name) => name.StartsWith(SourcePrefix, StringComparison.Ordinal);
}
