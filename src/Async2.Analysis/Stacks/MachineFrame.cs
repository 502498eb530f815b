using Async2.Analysis.Code;
using Async2.Analysis.Code.Metadata;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>Shows where a state machine stopped as a frame of the method that the developer wrote.</summary>
internal static class MachineFrame
{
    public static (LogicalFrame Frame, FrameOrigin Origin) Of(MachinePoint point, NodeKind kind)
        => (FrameOf(point, kind), point.IsFramework ? FrameOrigin.Framework : FrameOrigin.User);

    private static LogicalFrame FrameOf(MachinePoint point, NodeKind kind)
    {
        string? machine = point.RuntimeTypeName is { } runtimeName ? TypeName.FromRuntimeName(runtimeName) : null;
        MethodName? name = point.MoveNext is { } method
            ? method.Module.Metadata?.NameOf(method.Facts.Token, point.RuntimeTypeName is { } type ? TypeName.ArgumentsOf(type) : null)
            : null;
        return new LogicalFrame
        {
            Kind = kind == NodeKind.Pooled ? FrameKind.Pooled : FrameKind.StateMachine,
            Method = name?.Full ?? machine ?? "<unknown state machine>",
            Type = name?.TypeName,
            Name = name?.Name,
            Module = point.MoveNext?.Module.FileName,
            File = point.Source?.Document,
            Line = point.Source?.Line,
            ILOffset = point.Await?.ILOffset,
            AwaitNumber = point.Await?.Ordinal + 1,
            Note = point is { Await: { } await, MoveNext: { } moveNext } ? moveNext.Module.Symbols.DisposalAt(moveNext.Facts.Token, await.ILOffset, await.OpenedOffset) : null,
            Exactness = point.Await is null ? Exactness.None : Exactness.Exact,
        };
    }
}
