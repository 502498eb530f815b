using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Locals;

/// <summary>
/// What continuations saved: in the arrays of .NET 10's shape, or in the object itself in .NET 11's. Who asks hands over
/// two arrays, or the object twice (<see cref="ContinuationShape"/>).
/// </summary>
internal sealed class SavedData
{
    private readonly Target _target;
    private readonly ContinuationLayout? _layout;
    private readonly LoadedModules _modules;
    private readonly LayoutFacts _facts;
    private readonly ReferenceMaps _references;
    private ContinuationFlagsLayout? _flags;

    /// <param name="target">The target.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="layout">Of its continuations, and what descriptions say of them.</param>
    public SavedData(Target target, LoadedModules modules, RuntimeLayout layout)
        => (_target, _modules, _layout, _facts, _references) = (target, modules, layout.Continuation, layout.Facts, new(target.Memory));

    /// <summary>The object keeps its data itself.</summary>
    public bool IsInline => _layout is { Shape: ContinuationShape.Inline };

    /// <summary>Bytes that are no references, up to a limit; in the inline shape all.</summary>
    public byte[] Bytes(ulong data, int limit)
    {
        if (!IsInline)
            return ArrayLayout.ReadBytes(_target.Memory, data, limit);
        int length = MapOf(data).Size - _layout!.InlineData;
        return length <= 0 || length > limit ? [] : _target.Memory.TryReadBlock(data + (ulong)_layout.InlineData, (ulong)length, limit) ?? [];
    }

    /// <summary>References, into a buffer that is used again and again; contexts and exceptions are left out where that is known.</summary>
    public ReadOnlySpan<ulong> References(ulong gcData, int limit, ref ulong[] buffer)
        => IsInline ? Inline(gcData, limit, ref buffer) : ArrayLayout.ReadReferences(_target.Memory, gcData, limit, ref buffer);

    /// <summary>The same.</summary>
    public ulong[] References(ulong gcData, int limit)
    {
        ulong[] buffer = [];
        return References(gcData, limit, ref buffer).ToArray();
    }

    private ReadOnlySpan<ulong> Inline(ulong continuation, int limit, ref ulong[] buffer)
    {
        ReferenceMap map = MapOf(continuation);
        if (map.Offsets.Count > limit)
            return [];
        uint flags = _layout!.FlagsOffset > 0 && _target.Memory.TryReadUInt32(continuation + (ulong)_layout.FlagsOffset, out uint bits) ? bits : 0;
        if (buffer.Length < map.Offsets.Count)
            buffer = new ulong[map.Offsets.Count];
        int count = 0;
        foreach (int offset in map.Offsets)
        {
            int index = (offset - _layout.InlineData) / _target.Memory.PointerSize;
            if (offset >= _layout.InlineData && !FlagsOf(continuation).IsKept(flags, index)
                && _target.Memory.TryReadPointer(continuation + (ulong)offset, out ulong reference))
                buffer[count++] = reference;
        }
        return buffer.AsSpan(0, count);
    }

    private ReferenceMap MapOf(ulong continuation)
        => MethodTables.TryRead(_target.Memory, continuation, out ulong methodTable) ? _references.Of(methodTable) : ReferenceMap.None;

    // The enum is beside the class.
    private ContinuationFlagsLayout FlagsOf(ulong continuation)
    {
        if (_flags is not null)
            return _flags;
        ClrType? type = MethodTables.TryRead(_target.Memory, continuation, out ulong methodTable) ? TypeLookup.Of(_target.Runtime, methodTable) : null;
        ClrModule? module = type is null ? null : BaseTypes.Find(type, ContinuationLayout.TypeName)?.Module;
        return _flags = new(module is null ? null : _modules.Of(module).Metadata?.LiteralsOf(ContinuationFlagsLayout.TypeName), _facts.OrBuiltIn(Baselines.Net11));
    }
}
