using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Waits.Libraries;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>Shows where a state machine stopped as a frame of the method that the developer wrote.</summary>
internal static class StateMachineFrame
{
    /// <param name="point">Where it stopped.</param>
    /// <param name="kind">What kind of machine it is.</param>
    /// <param name="endpoints">Routes of the handlers that methods are.</param>
    public static (LogicalFrame Frame, FrameOrigin Origin) Of(StateMachinePoint point, NodeKind kind, EndpointNames endpoints)
        => (FrameOf(point, kind, endpoints), point.IsFramework ? FrameOrigin.Framework : FrameOrigin.User);

    // The frame gets the name of the method in the source.
    private static MethodName OfClosure(MethodName invoke)
    {
        const string lambda = ".lambda";
        string name = invoke.Name.EndsWith(lambda, StringComparison.Ordinal) ? invoke.Name[..^lambda.Length] : invoke.Name;
        return invoke with { Name = name, Full = $"{invoke.TypeName}.{name}" };
    }

    private static LogicalFrame FrameOf(StateMachinePoint point, NodeKind kind, EndpointNames endpoints)
    {
        string? machine = point.RuntimeTypeName is { } runtimeName ? TypeName.FromRuntimeName(runtimeName) : null;
        MethodName? name = point.MoveNext is { } method
            ? method.Module.Metadata?.NameOf(method.Facts.Token, point.RuntimeTypeName is { } type ? TypeName.ArgumentsOf(type) : null)
            : null;
        if (point.IsClosure && name is not null)
            name = OfClosure(name);
        return new LogicalFrame
        {
            Kind = kind == NodeKind.Pooled ? FrameKind.Pooled : FrameKind.StateMachine,
            Method = name?.Full ?? machine ?? "<unknown state machine>",
            Type = name?.TypeName,
            Name = name?.Name,
            Module = point.MoveNext?.Module.FileName,
            MethodToken = point.MoveNext?.Facts.Token,
            ModuleVersion = point.MoveNext?.Module.Metadata?.Mvid,
            Endpoint = point.MoveNext is { } moveNext ? endpoints.Of(moveNext.Module, name?.Token ?? moveNext.Facts.Token) : null,
            File = point.Source?.Document,
            Line = point.Source?.Line,
            ILOffset = point.Await?.ILOffset,
            AwaitNumber = point.Await?.Ordinal + 1,
            Note = point is { Await: { } awaited, MoveNext: { } body } ? body.Module.Symbols.DisposalAt(body.Facts.Token, awaited.ILOffset, awaited.OpenedOffset) : null,
            Exactness = point.IsClosure && point.Source is not null ? Exactness.Approximate : point.Await is null ? Exactness.None : Exactness.Exact,
        };
    }
}
