using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model.Labels;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>Objects in the state machines of libraries that say what a stack is about: the server's object of a request, and a request that is sent.</summary>
/// <param name="objects">The target's objects.</param>
/// <param name="machines">State machines in their boxes.</param>
/// <param name="modules">Say of what type fields are: the runtime has not always noted it.</param>
internal sealed class FrameObjects(LabelObjects objects, StateMachineLayouts machines, LoadedModules modules)
{
    private const string Message = "System.Net.Http.HttpRequestMessage";
    private const int SchemeLimit = 16;

    private const string Client = "System.Net.Http.HttpClient+";

    private readonly Dictionary<ulong, CallFields?> _calls = [];

    /// <summary>The object whose method a state machine is, at address 0 if it cannot be read; null if methods of this type have none.</summary>
    /// <param name="box">The box.</param>
    public HeapObject? ThisOf(ulong box)
        => Machine(box) is not { } machine ? objects.At(0) : machine.Layout.This >= 0 ? objects.At(machine.Address).At(machine.Layout.This) : null;

    /// <summary>
    /// The request that a state machine sends, as a label, and when HttpClient set the timer that ends it, a tick: it makes the source itself, and sets it before it
    /// sends. Null for what it has not.
    /// </summary>
    /// <param name="box">The box.</param>
    /// <param name="type">Number of its type: most send nothing.</param>
    public (StackLabel? Call, long? Timer) CallOf(ulong box, ulong type)
    {
        if ((_calls.TryGetValue(type, out CallFields? fields) && fields is null) || Machine(box) is not { } machine)
            return default;
        _calls[type] = fields ??= FieldsOf(machine.Layout.Type, machine.IsObject);
        if (fields is null)
            return default;
        HeapObject state = objects.At(machine.Address);
        return (fields.Message < 0 ? null : Call(state.At(fields.Message)), fields.Source < 0 || state.Byte(fields.IsOwn) != 1 ? null : StartOf(state.At(fields.Source)));
    }

    private StackLabel? Call(HeapObject message)
        => objects.Is(message, Message) && objects.Text(objects.Fields.Follow(message, "_method"), "_method") is { Length: > 0 } method
            && objects.Text(objects.Fields.Follow(message, "_requestUri"), "_string") is { Length: > 0 } address
            ? new(LabelNames.Call, LabelText.Cut($"{method} {WithoutUser(address)}"), LabelSource.Frame) : null;

    private long? StartOf(HeapObject source)
    {
        HeapObject timer = objects.Fields.Follow(source, "_timer");
        return objects.Fields.OffsetOf(timer, "_startTicks") is { } start && timer.Int64(start) is > 0 and var tick ? tick : null;
    }

    private CallFields? FieldsOf(ClrType machine, bool isObject)
    {
        int skipped = isObject ? objects.Target.Memory.PointerSize : 0;
        ClrInstanceField? message = machine.Fields.FirstOrDefault(IsMessage), source = null, own = null;
        if (machine.Name?.StartsWith(Client, StringComparison.Ordinal) == true)
            (source, own) = (Variable(machine, "cts"), Variable(machine, "disposeCts"));
        return message is null && (source is null || own is null) ? null
            : new(message is null ? -1 : message.Offset + skipped, source is null || own is null ? -1 : source.Offset + skipped, (own?.Offset ?? 0) + skipped);
    }

    private bool IsMessage(ClrInstanceField field)
        => field is { IsObjectReference: true, Offset: >= 0, ContainingType.Module: { } module } && modules.Of(module).Metadata?.FieldTypeOf(field.Token)?.Type?.FullName == Message;

    // A parameter has its name, a variable <name>5__2.
    private static ClrInstanceField? Variable(ClrType machine, string name)
        => machine.Fields.FirstOrDefault(field => field.Offset >= 0 && (field.Name == name || field.Name?.StartsWith($"<{name}>5__", StringComparison.Ordinal) == true));

    private BoxedStateMachine? Machine(ulong box) => box == 0 ? null : machines.StateMachineIn(box, objects.At(box).MethodTable());

    // https://name:password@host/: nobody needs that.
    private static string WithoutUser(string address)
    {
        int host = address.IndexOf("://", StringComparison.Ordinal) is > 0 and <= SchemeLimit and var scheme ? scheme + 3 : 0;
        int end = address.IndexOfAny(['/', '?', '#'], host);
        int at = (end < 0 ? address : address[..end]).LastIndexOf('@');
        return at >= host && host > 0 ? address[..host] + address[(at + 1)..] : address;
    }

    // Where a state machine has its message, and HttpClient the source of its timeout and whether that is its own; -1 for none.
    private sealed record CallFields(int Message, int Source, int IsOwn);
}
