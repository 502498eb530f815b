using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>A state machine found in its box.</summary>
/// <param name="Address">First byte of the struct, or the object.</param>
/// <param name="Layout">Its fields.</param>
/// <param name="IsObject">It is an object of its own.</param>
internal readonly record struct BoxedStateMachine(ulong Address, StateMachineLayout Layout, bool IsObject);

/// <summary>The layouts of boxes and of the machines in them, cached for each method table.</summary>
internal sealed class StateMachineLayouts(Target target)
{
    private readonly Dictionary<ulong, BoxLayout?> _boxes = [];
    private readonly Dictionary<ulong, StateMachineLayout?> _stateMachines = [];
    private readonly Dictionary<ulong, int> _delegateTargets = [];
    private readonly int _pointerSize = target.Memory.PointerSize;

    /// <summary>Name of a field's class by metadata, which ClrMD would look for in all modules where the runtime has not noted it; set as soon as modules are known.</summary>
    public Func<ClrInstanceField, string?> DeclaredTypeOf { get; set; } = _ => null;

    /// <summary>The type of a method table; null if there is none.</summary>
    public ClrType? TypeAt(ulong methodTable) => TypeLookup.Of(target.Runtime, methodTable);

    public BoxLayout? BoxOf(ulong methodTable)
    {
        if (!_boxes.TryGetValue(methodTable, out BoxLayout? layout))
        {
            ClrType? type = TypeLookup.Of(target.Runtime, methodTable);
            _boxes[methodTable] = layout = type is null ? null : BoxLayout.Of(type, _pointerSize, ArgumentOf(methodTable));
        }
        return layout;
    }

    /// <summary>The machine in a box; null if it is unreadable or no C# compiler's.</summary>
    /// <param name="box">Address of the box.</param>
    /// <param name="methodTable">Of the box.</param>
    public BoxedStateMachine? StateMachineIn(ulong box, ulong methodTable)
    {
        if (BoxOf(methodTable) is not { } layout)
            return null;
        if (!layout.IsReference)
            return StructIn(methodTable, layout) is { } fields ? new(box + (ulong)layout.Machine, fields, false) : null;
        return target.Memory.TryReadPointer(box + (ulong)layout.Machine, out ulong machine) && machine != 0
            && MethodTables.TryRead(target.Memory, machine, out ulong machineTable) && ObjectOf(machineTable) is { } own
            ? new(machine, own, true)
            : null;
    }

    /// <summary>The object on which a delegate calls its method; 0 for another object, and for a static method.</summary>
    public ulong TargetOf(ulong address)
        => address != 0 && MethodTables.TryRead(target.Memory, address, out ulong methodTable) && DelegateTargetOf(methodTable) is > 0 and var offset
            && target.Memory.TryReadPointer(address + (ulong)offset, out ulong called) ? called : 0;

    // 0 for what is not a delegate.
    private int DelegateTargetOf(ulong methodTable)
    {
        if (!_delegateTargets.TryGetValue(methodTable, out int offset))
            _delegateTargets[methodTable] = offset = DelegateLayout.TargetOf(TypeAt(methodTable), _pointerSize);
        return offset;
    }

    // The key of a struct is the method table of its box, that of a class its own: they never collide.
    private StateMachineLayout? StructIn(ulong boxMethodTable, BoxLayout layout)
        => _stateMachines.TryGetValue(boxMethodTable, out StateMachineLayout? known) ? known
            : Add(boxMethodTable, layout.StateMachineType is { } type ? Exact(type, boxMethodTable) : null, 0);

    // The machine is the last type argument of its box.
    private ClrType Exact(ClrType canonical, ulong boxMethodTable)
        => ArgumentOf(boxMethodTable) is { } exact && exact.MetadataToken == canonical.MetadataToken && exact.Module?.Address == canonical.Module?.Address
            ? exact
            : canonical;

    private ClrType? ArgumentOf(ulong boxMethodTable)
        => TypeArguments.Last(target.Memory, boxMethodTable) is not 0 and var handle ? TypeLookup.Of(target.Runtime, handle) : null;

    private StateMachineLayout? ObjectOf(ulong methodTable)
        => _stateMachines.TryGetValue(methodTable, out StateMachineLayout? known) ? known : Add(methodTable, TypeLookup.Of(target.Runtime, methodTable), _pointerSize);

    private StateMachineLayout? Add(ulong key, ClrType? type, int start)
        => _stateMachines[key] = type is null ? null : StateMachineLayout.Of(type, start, _pointerSize, field => DeclaredTypeOf(field));
}
