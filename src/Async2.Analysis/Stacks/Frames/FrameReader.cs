using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Families;
using Async2.Analysis.Layouts;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Libraries;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>Shows places in code as frames: names from metadata, type arguments from the frame's saved context.</summary>
internal sealed class FrameReader(SuspensionPoints points, GenericContext contexts, StateMachineReader machines, ThreadPoints threads, EndpointNames endpoints) : IFrameSource
{
    /// <inheritdoc/>
    public SuspensionPoint PointAt(Site site) => points.At(site);

    /// <inheritdoc/>
    public StateMachinePoint StateMachineAt(in NodeRow row) => AsyncFamilies.Of(row).PointOf(row, machines);

    /// <inheritdoc/>
    public (LogicalFrame Frame, FrameOrigin Origin) ShowStateMachine(StateMachinePoint point, NodeKind kind) => StateMachineFrame.Of(point, kind, endpoints);

    /// <inheritdoc/>
    public bool IsShared(SuspensionPoint point) => point.Method is { IsUserBody: true } method && contexts.IsShared(method);

    /// <inheritdoc/>
    public ulong ContextOf(SuspensionPoint point, ulong data, ulong gcData) => point.Method is { } method ? contexts.Find(method, data, gcData) : 0;

    /// <inheritdoc/>
    public (LogicalFrame Frame, FrameOrigin Origin) Show(SuspensionPoint point, ulong context)
    {
        if (point.Kind == SiteKind.RestoreIP)
            return ShowCaptured(point);
        if (point.IsHidden || point.Unreadable != 0)
            return ShowNoMethod(point);
        if (point.Method is { } method)
            return (FrameOf(point, method, context), !method.IsUserBody ? FrameOrigin.Runtime : OriginOf(method.Module));
        return (new LogicalFrame { Kind = FrameKind.Continuation, Method = FrameNames.OfStub(point.StubName), Name = point.StubName }, FrameOrigin.User);
    }

    private LogicalFrame FrameOf(SuspensionPoint point, AsyncMethod method, ulong context) => Named(method, FrameKind.Continuation, context) with
    {
        File = point.Source?.Document,
        Line = point.Source?.Line,
        ILOffset = point.Site?.ILOffset ?? point.ILOffset,
        AwaitNumber = point.Site?.Ordinal + 1,
        Note = point.Site is { } site ? method.Module.Symbols.DisposalAt(method.Token, site.ILOffset, site.OpenedOffset) : null,
        Exactness = point.Exactness,
    };

    // A continuation that the runtime created itself has a method only if that is a thunk.
    private (LogicalFrame Frame, FrameOrigin Origin) ShowNoMethod(SuspensionPoint point)
    {
        if (!point.IsHidden)
            return (new LogicalFrame { Kind = FrameKind.Continuation, Method = FrameNames.OfUnreadable(point.Unreadable) }, FrameOrigin.User);
        LogicalFrame frame = point.Method is { } thunk ? Named(thunk, FrameKind.Continuation, 0)
            : new LogicalFrame { Kind = FrameKind.Continuation, Method = FrameNames.OfRuntime };
        return (frame, FrameOrigin.Runtime);
    }

    private (LogicalFrame Frame, FrameOrigin Origin) ShowCaptured(SuspensionPoint point)
    {
        if (point.Method is not { } method)
            return (new LogicalFrame { Kind = FrameKind.Tasklet, Method = FrameNames.OfNative(point.StubName) }, FrameOrigin.User);
        LogicalFrame frame = Named(method, FrameKind.Tasklet, 0) with
        {
            File = point.Source?.Document,
            Line = point.Source?.Line,
            ILOffset = point.ILOffset,
            Exactness = point.Exactness,
        };
        return (frame, point.IsHidden ? FrameOrigin.Runtime : OriginOf(method.Module));
    }

    /// <inheritdoc/>
    public (LogicalFrame Frame, FrameOrigin Origin) ShowThread(ThreadFrame physical)
    {
        if (physical.Generated is { } generated)
            return (FrameNames.OfGenerated(generated), FrameOrigin.User);
        ThreadPoint point = threads.At(physical.Method, physical.InstructionPointer, physical.IsInnermost, physical.Called);
        LogicalFrame frame = Named(physical.Method, FrameKind.Thread, 0) with
        {
            File = point.Source?.Document,
            Line = point.Source?.Line,
            ILOffset = point.ILOffset,
            Exactness = point.Exactness,
        };
        return (frame, OriginOf(physical.Method.Module));
    }

    private LogicalFrame Named(AsyncMethod method, FrameKind kind, ulong context)
    {
        (string? type, string?[] methodArguments) = contexts.Names(method, context);
        MethodName? name = method.Module.Metadata?.NameOf(
            method.Token, type is null ? null : TypeName.ArgumentsOf(type), FrameNames.Arguments(methodArguments));
        return new LogicalFrame
        {
            Kind = kind,
            Method = name?.Full ?? FrameNames.OfToken(method.Token),
            Type = name?.TypeName,
            Name = name?.Name,
            Module = method.Module.FileName,
            MethodToken = method.Token,
            ModuleVersion = method.Module.Metadata?.Mvid,
            Endpoint = endpoints.Of(method.Module, name?.Token ?? method.Token),
        };
    }

    private static FrameOrigin OriginOf(LoadedModule module) => module.IsFramework ? FrameOrigin.Framework : FrameOrigin.User;
}
