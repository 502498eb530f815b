using System.Globalization;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;

namespace Async2.Sos.Text;

/// <summary>
/// The columns that SOS users expect before a method: the frame's object, its method table, and the state in parentheses. A state machine's
/// state is the number of its await from 0; that of runtime-async is a JIT number, so the await's number is shown instead.
/// </summary>
internal static class ObjectColumn
{
    private const int Digits = 16;
    private const int StateWidth = 5;

    /// <summary>Address, method table, state.</summary>
    public static FrameColumn Of(ObjectTypes types) => new(Digits + 1 + Digits + 1 + StateWidth, (text, frame) =>
    {
        text.Write(TextRole.Address, Hex(frame.Address));
        text.Write(" ");
        WriteTypeAndState(text, frame, types);
    });

    /// <summary>A count in brackets, method table, state.</summary>
    /// <param name="types">Types of objects.</param>
    /// <param name="countWidth">Columns of the widest count, brackets included.</param>
    /// <param name="count">The count at the time.</param>
    public static FrameColumn Of(ObjectTypes types, int countWidth, Func<long> count) => new(countWidth + 1 + Digits + 1 + StateWidth, (text, frame) =>
    {
        text.Write(TextRole.Count, $"[{DisplayText.Number(count())}]".PadRight(countWidth + 1));
        WriteTypeAndState(text, frame, types);
    });

    /// <summary>An address in full; spaces if there is none.</summary>
    public static string Hex(ulong? address) => address is > 0 and var known ? known.ToString("x16", CultureInfo.InvariantCulture) : new string(' ', Digits);

    private static void WriteTypeAndState(StyledText text, LogicalFrame frame, ObjectTypes types)
    {
        text.Write(TextRole.Type, Hex(frame.Address is { } address ? types.MethodTableOf(address) : null));
        string state = frame.Address is null ? "" : frame.AwaitNumber is { } number ? $"({(number - 1).ToString(CultureInfo.InvariantCulture)})" : "()";
        text.Write(TextRole.Dim, " " + state.PadRight(StateWidth));
    }
}
