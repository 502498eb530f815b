using System.Collections.Immutable;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Values;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>
/// Arguments and locals of captured frames: those that the JIT's debug info knows at the call, by name; and the objects that the
/// tasklet itself names for the garbage collector, by their place in the frame when nothing else is known of them.
/// </summary>
internal sealed class TaskletLocals(Target target, TaskletLayout layout, GenericContext contexts, VariableValues values) : IFrameLocals
{
    private readonly TaskletReader _reader = new(target.Memory, layout);
    private readonly PlacedVariables _placed = new(target, values);
    private readonly Dictionary<ulong, NativeVariable[]> _variables = [];

    /// <inheritdoc/>
    public SiteKind Kind => SiteKind.RestoreIP;

    /// <inheritdoc/>
    public ImmutableArray<LocalValue> Read(SuspensionPoint point, ContinuationRow frame)
        => UntrustedBytes.Read<ImmutableArray<LocalValue>?>(target, () => ReadAll(point, frame.Address, frame.Site.Address)) ?? [];

    private ImmutableArray<LocalValue> ReadAll(SuspensionPoint point, ulong tasklet, ulong restoreIP)
    {
        if (point.Method is not { } method || CapturedFrame.Read(_reader, tasklet) is not { } frame)
            return [];
        var named = new HashSet<ulong>();
        List<LocalValue> own = [], captured = [];
        if (point.Body is { } body && method.Module.Metadata?.VariablesOf(method.Token) is { } signature)
        {
            VariableNumbers numbers = Numbers(point, method, signature);
            FullTypeText text = contexts.TextOf(method, 0);
            foreach (NativeVariable variable in VariablesAt(body, restoreIP - (ulong)layout.InCall))
            {
                if (numbers.Names.TryGetValue(variable.Number, out string? name) && frame.Find(variable.Place, target.Memory) is { } address
                    && _placed.Read(name, numbers.Types[variable.Number], text, method, address, captured) is { } value)
                {
                    named.Add(address);
                    own.Add(value);
                }
            }
        }
        foreach (int offset in frame.ObjectOffsets)
        {
            ulong address = unchecked(frame.Start + (ulong)(long)offset);
            if (named.Add(address) && Object(address, offset) is { } found)
                own.Add(found);
        }
        return CapturedVariables.Merge(own, captured);
    }

    private static VariableNumbers Numbers(SuspensionPoint point, AsyncMethod method, MethodVariables signature)
    {
        var numbers = new VariableNumbers(method, signature);
        if (numbers.Locals is { } locals)
            numbers.Add(point is { ILOffset: { } offset, Exactness: Exactness.Exact } ? locals.At(offset) : locals.Unambiguous());
        return numbers;
    }

    private IEnumerable<NativeVariable> VariablesAt(NativeBody body, ulong address)
    {
        if (!_variables.TryGetValue(body.Start, out NativeVariable[]? all))
            _variables[body.Start] = all = NativeDebugInfo.ReadVariables(target.Memory, body.DebugInfo);
        return all.Where(v => v.IsAt(address - body.Start) && v.Home is VariableHome.Register or VariableHome.FloatRegister or VariableHome.Stack).OrderBy(v => v.Number);
    }

    private LocalValue? Object(ulong address, int offset)
        => target.Memory.TryReadPointer(address, out ulong reference) && reference != 0 && values.Reader.TypeOf(reference) is { } type
            && values.Reader.Read(TypeResolver.Of(type), new ValueBytes(BitConverter.GetBytes(reference))) is { } value
            ? value.Of(FormattableString.Invariant($"[+0x{offset:x}]"))
            : null;
}
