using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>Short names of stacks and frames, for lists in which only the beginning of a long name is visible.</summary>
internal static class StackNames
{
    /// <summary><c>x4,312 Orders.PayAsync - SemaphoreSlim - POST /orders</c>.</summary>
    public static string Of(LogicalStack stack)
        => (stack.Count > 1 ? $"x{DisplayText.Number(stack.Count)} " : "") + $"{Place(stack)} - {Doing(stack)}{(LabelLine.RequestOf(stack) is { } request ? " - " + DapText.Name(request) : "")}";

    /// <summary>The user's innermost method, as type and name.</summary>
    public static string Place(LogicalStack stack)
        => InnermostOfUser(stack) is { } frame ? DapText.Name(MethodText.Split(DapText.Name(frame.Method)).TypeAndName) : "(no frames)";

    /// <summary>What the stack waits for or does.</summary>
    public static string Doing(LogicalStack stack)
    {
        string? wait = StackEnds.WaitOf(stack) is { } text ? DapText.Name(text) : null;
        return stack.State switch
        {
            StackState.Awaiting => wait ?? "waiting",
            StackState.Active => "running",
            StackState.Scheduled => "ready to run",
            StackState.Completed => "completed",
            _ => DisplayText.Of(stack.State) + (wait is null ? "" : ": " + wait),
        };
    }

    /// <summary>The most relevant frame for users; null in a stack without frames.</summary>
    public static LogicalFrame? InnermostOfUser(LogicalStack stack)
    {
        // Far enough for any real stack, without creating a million frames for one name.
        const int far = 1000;
        for (int i = 0; i < Math.Min(stack.Frames.Count, far); i++)
        {
            if (stack.Frames[i] is { IsFramework: false } frame)
                return frame;
        }
        return stack.Frames.Count == 0 ? null : stack.Frames[0];
    }

    /// <summary>Method, and what distinguishes the frame: <c>Shop.Orders.PayAsync(int) [elided]</c>.</summary>
    public static string Of(LogicalFrame frame) => DapText.Name(frame.Method) + frame.Kind switch
    {
        FrameKind.Elided => " [elided]",
        FrameKind.Thread => " [thread]",
        // Readers trust a line without a mark.
        _ when frame is { Exactness: Exactness.Approximate, Line: not null } => " [likely line]",
        _ => "",
    };
}
