using System.Collections.Immutable;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Values;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Locals;

/// <summary>
/// Arguments and locals of suspended classic async methods, by name. The compiler made fields of those that live across an await
/// (in a debug build of all), and the other fields of a machine are its own.
/// </summary>
internal sealed class StateMachineLocals
{
    private const int StateMachineLimit = 64 * 1024;

    private readonly Target _target;
    private readonly LoadedModules _modules;
    private readonly Dictionary<ulong, HoistedScopes?> _scopes = [];
    private readonly VariableValues _values;

    /// <param name="target">The target.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="values">Reads what is found.</param>
    public StateMachineLocals(Target target, LoadedModules modules, VariableValues values)
    {
        _target = target;
        _modules = modules;
        _values = values;
    }

    /// <summary><c>this</c>, then arguments and locals in the order of the machine's fields; empty if it cannot be read.</summary>
    /// <param name="machineAddress">Of the struct's first byte in its box, or of the object.</param>
    /// <param name="machineType">Type of the machine.</param>
    /// <param name="isObject">The machine is an object of its own: a debug build, or an iterator.</param>
    public ImmutableArray<LocalValue> Read(ulong machineAddress, ClrType machineType, bool isObject)
        => UntrustedBytes.Read<ImmutableArray<LocalValue>?>(_target, () => ReadAll(machineAddress, machineType, isObject)) ?? [];

    private ImmutableArray<LocalValue> ReadAll(ulong machineAddress, ClrType machineType, bool isObject)
    {
        ulong start = isObject ? machineAddress + (ulong)_target.Memory.PointerSize : machineAddress;
        byte[] content = new byte[Math.Clamp(machineType.StaticSize - _target.Memory.PointerSize, 0, StateMachineLimit)];
        var bytes = new ValueBytes(content.AsMemory(0, _target.Memory.ReadUpTo(start, content)));
        List<LocalValue> own = [], captured = [];
        ImmutableArray<DeclaredField> fields = _values.Types.FieldsOf(machineType);
        HoistedScopes? scopes = ScopesOf(machineType);
        StateMachineNames? names = StateMachineNames.Of(name => machineType.GetFieldByName(name) is not null);
        int state = StateOf(fields, bytes, names);
        foreach (DeclaredField field in fields.Where(f => names?.IsOwn(f.Name) != true && (scopes is null || HoistedName.Slot(f.Name) is not { } slot || scopes.MayBeNamed(slot, state))))
            Add(field, bytes.Slice(field.Offset, field.Type.Size), own, captured);
        return CapturedVariables.Merge(own, captured);
    }

    private HoistedScopes? ScopesOf(ClrType machine)
    {
        if (!_scopes.TryGetValue(machine.MethodTable, out HoistedScopes? scopes))
        {
            LoadedModule? module = machine.Module is { } loaded ? _modules.Of(loaded) : null;
            scopes = module?.Metadata?.MoveNextOf((int)machine.MetadataToken) is { } moveNext ? module.Symbols.HoistedScopesOf(moveNext) : null;
            _scopes[machine.MethodTable] = scopes;
        }
        return scopes;
    }

    private static int StateOf(ImmutableArray<DeclaredField> fields, ValueBytes bytes, StateMachineNames? names)
        => fields.FirstOrDefault(f => f.Name == names?.State) is { } field && bytes.Slice(field.Offset, 4).First(4) is { IsEmpty: false } state
            ? BitConverter.ToInt32(state) : -1;

    private void Add(DeclaredField field, ValueBytes bytes, List<LocalValue> own, List<LocalValue> captured)
    {
        ulong address = field.Type.IsReference && bytes.First(8) is { IsEmpty: false } pointer ? BitConverter.ToUInt64(pointer) : 0;
        string? name = HoistedName.Readable(field.Name);
        ClrType? type = address != 0 && (HoistedName.IsClosure(field.Name) || name == SavedVariable.This) ? _values.Reader.TypeOf(address) : null;
        if (type is not null && CapturedVariables.IsClosure(type))
            captured.AddRange(_values.Captured.Of(address));
        else if (name is not null && (type is null || !CapturedVariables.IsEmptyClosure(type)) && _values.Reader.Read(field.Type, bytes) is { } value)
            own.Add(value.Of(name));
    }
}
