using Async2.Analysis.Code;
using Async2.Analysis.Code.Metadata;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>Shows a suspension point as a frame: names from metadata, type arguments from the frame's saved context.</summary>
internal sealed class FrameReader(SuspensionPoints points, GenericContext contexts)
{
    public FrameSource Source => new(points.At, ContextOf, Show);

    private ulong ContextOf(SuspensionPoint point, ContinuationRow row)
        => point.Method is { IsUserBody: true } method ? contexts.Find(method, row.Data, row.GCData) : 0;

    private (LogicalFrame Frame, bool IsUser) Show(SuspensionPoint point, ulong context)
    {
        if (point.Method is { } method)
            return (FrameOf(point, method, context), method.IsUserBody);
        return point.Definition is { } definition
            ? (DefinitionFrame.Of(FrameKind.Continuation, definition, point.Site, point.Exactness), true)
            : (new LogicalFrame { Kind = FrameKind.Continuation, Method = FrameNames.OfStub(point.StubName), Name = point.StubName }, true);
    }

    private LogicalFrame FrameOf(SuspensionPoint point, AsyncMethod method, ulong context)
    {
        (string? type, string?[] methodArguments) = contexts.Names(method, context);
        MethodName? name = method.Module.Metadata?.NameOf(
            method.Token, type is null ? null : TypeName.ArgumentsOf(type), FrameNames.Arguments(methodArguments));
        return new LogicalFrame
        {
            Kind = FrameKind.Continuation,
            Method = name?.Full ?? FrameNames.OfToken(method.Token),
            Type = name?.TypeName,
            Name = name?.Name,
            Module = method.Module.FileName,
            File = point.Source?.Document,
            Line = point.Source?.Line,
            ILOffset = point.Site?.ILOffset,
            AwaitNumber = point.Site?.Ordinal + 1,
            Exactness = point.Exactness,
        };
    }
}
