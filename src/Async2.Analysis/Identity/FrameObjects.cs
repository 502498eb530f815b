using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model.Labels;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>Objects in the state machines of libraries that say what a stack is about: the server's object of a request, and a request that is sent.</summary>
/// <param name="objects">The target's objects.</param>
/// <param name="machines">State machines in their boxes.</param>
internal sealed class FrameObjects(LabelObjects objects, StateMachineLayouts machines)
{
    private const string Message = "System.Net.Http.HttpRequestMessage";
    private const int SchemeLimit = 16;

    private readonly Dictionary<ulong, int> _messages = [];

    /// <summary>The object whose method a state machine is; at address 0 if it has none.</summary>
    /// <param name="box">The box.</param>
    public HeapObject ThisOf(ulong box)
        => Machine(box) is { Layout.This: >= 0 } machine ? objects.At(machine.Address).At(machine.Layout.This) : objects.At(0);

    /// <summary>The request that a state machine sends, as a label; null if it sends none.</summary>
    public StackLabel? CallOf(ulong box)
    {
        if (Machine(box) is not { } machine || MessageIn(machine.Layout.Type, machine.IsObject) is not (>= 0 and var offset))
            return null;
        HeapObject message = objects.At(machine.Address).At(offset);
        return objects.Is(message, Message) && objects.Text(objects.Fields.Follow(message, "_method"), "_method") is { Length: > 0 } method
            && objects.Text(objects.Fields.Follow(message, "_requestUri"), "_string") is { Length: > 0 } address
            ? new(LabelNames.Call, LabelText.Cut($"{method} {WithoutUser(address)}"), LabelSource.Frame) : null;
    }

    private BoxedStateMachine? Machine(ulong box) => box == 0 ? null : machines.StateMachineIn(box, objects.At(box).MethodTable());

    private int MessageIn(ClrType machine, bool isObject)
    {
        if (!_messages.TryGetValue(machine.MethodTable, out int offset))
        {
            ClrInstanceField? field = machine.Fields.FirstOrDefault(field => field is { IsObjectReference: true, Offset: >= 0, Type.Name: Message });
            _messages[machine.MethodTable] = offset = field is null ? -1 : field.Offset + (isObject ? objects.Target.Memory.PointerSize : 0);
        }
        return offset;
    }

    // https://name:password@host/: nobody needs that.
    private static string WithoutUser(string address)
    {
        int host = address.IndexOf("://", StringComparison.Ordinal) is > 0 and <= SchemeLimit and var scheme ? scheme + 3 : 0;
        int end = address.IndexOfAny(['/', '?', '#'], host);
        int at = (end < 0 ? address : address[..end]).LastIndexOf('@');
        return at >= host && host > 0 ? address[..host] + address[(at + 1)..] : address;
    }
}
