using Async2.Analysis.Code;
using Async2.Analysis.Code.Metadata;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>
/// One entry for each distinct frame: the same method, await and instantiation. Stacks are sequences of these numbers until
/// somebody wants to see one, so a million frames cost a million numbers.
/// </summary>
internal sealed class FrameTable(SuspensionPoints points, GenericContext contexts)
{
    private readonly Dictionary<(ulong Resume, uint State, ulong Context), int> _ids = [];
    private readonly Dictionary<(ulong Resume, uint State), SuspensionPoint> _points = [];
    private readonly Dictionary<(LogicalFrame Frame, bool IsUser), int> _byFrame = [];
    private readonly List<FrameEntry> _entries = [];

    public FrameEntry this[int id] => _entries[id];

    /// <summary>Number of the frame that a continuation stands for.</summary>
    public int IdOf(in ContinuationRow row)
    {
        if (!_points.TryGetValue((row.Resume, row.State), out SuspensionPoint? point))
            _points[(row.Resume, row.State)] = point = points.At(row.Resume, row.State);
        ulong context = point.Method is { IsUserBody: true } method ? contexts.Find(method, row.Data, row.GCData) : 0;
        if (!_ids.TryGetValue((row.Resume, row.State, context), out int id))
            _ids[(row.Resume, row.State, context)] = id = Intern(FrameOf(point, context), point);
        return id;
    }

    /// <summary>Number of a frame that no object stands for.</summary>
    public int IdOf(LogicalFrame frame) => Intern(frame, new SuspensionPoint());

    // Two bodies of one method (tiers) give equal frames: they must be one entry, or stacks would not coalesce.
    private int Intern(LogicalFrame frame, SuspensionPoint point)
    {
        bool isUser = point.Method?.IsUserBody ?? true;
        var entry = new FrameEntry(frame, point, isUser);
        if (!_byFrame.TryGetValue((frame, isUser), out int canonical))
            _byFrame[(frame, isUser)] = canonical = _entries.Count;
        _entries.Add(entry with { Canonical = canonical });
        return _entries.Count - 1;
    }

    private LogicalFrame FrameOf(SuspensionPoint point, ulong context)
    {
        if (point.Definition is { } definition)
            return DefinitionFrame.Of(FrameKind.Continuation, definition, point.Site, point.Exactness);
        if (point.Method is not { } method)
            return new LogicalFrame { Kind = FrameKind.Continuation, Method = FrameNames.OfStub(point.StubName), Name = point.StubName };
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

/// <summary>A distinct frame.</summary>
/// <param name="Frame">What is shown, without an address.</param>
/// <param name="Point">Where it comes from.</param>
/// <param name="IsUser">False for the runtime's own steps, which are folded.</param>
internal sealed record FrameEntry(LogicalFrame Frame, SuspensionPoint Point, bool IsUser)
{
    /// <summary>The first entry that shows the same frame: what stacks are compared by.</summary>
    public int Canonical { get; init; }
}
