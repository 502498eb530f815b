using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Model.Members;

namespace Async2.Analysis.Snapshots;

/// <summary>The JSON part of a snapshot file: few and varied values, whereas columns are many and uniform.</summary>
internal sealed record SnapshotTables
{
    public required TargetFacts Target { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public required bool Complete { get; init; }

    public required IReadOnlyList<Problem> Problems { get; init; }

    public required IReadOnlyList<PlaceRecord> Places { get; init; }

    public required IReadOnlyList<WaitRecord> Waits { get; init; }

    public required IReadOnlyList<string?> Idle { get; init; }

    /// <summary>Why awaited objects have not happened, each distinct reason once.</summary>
    public required IReadOnlyList<ReasonRecord> Reasons { get; init; }

    /// <summary>Number of the reason of each object that has one, by address.</summary>
    public required IReadOnlyDictionary<ulong, int> ReasonOf { get; init; }

    /// <summary>Semaphores, locks and channels that are waited for, by address.</summary>
    public IReadOnlyList<WaitResource> Resources { get; init; } = [];

    public required IReadOnlyList<TypeRecord> Types { get; init; }

    /// <summary>Contexts and schedulers on which something goes on.</summary>
    public IReadOnlyList<ContextRecord> Contexts { get; init; } = [];

    /// <summary>Tasks in the queues of schedulers.</summary>
    public IReadOnlyList<QueuedRow> Queued { get; init; } = [];

    /// <summary>Failures of which nobody has heard.</summary>
    public IReadOnlyList<FaultRow> Faults { get; init; } = [];

    /// <summary>Managed ids of threads under a context of their own.</summary>
    public IReadOnlyList<int> ContextThreads { get; init; } = [];

    /// <summary>Nodes of threads that block for a limited time.</summary>
    public IReadOnlyList<int> TimeLimited { get; init; } = [];

    /// <summary>Texts of labels, each once.</summary>
    public IReadOnlyList<LabelRecord> Labels { get; init; } = [];

    /// <summary>What somebody has noted about stacks.</summary>
    public IReadOnlyList<StackNote> Notes { get; init; } = [];

    /// <summary>Numbers of the combinators for which one part is enough.</summary>
    public IReadOnlyList<int> AnyOf { get; init; } = [];
}

/// <summary>For whom stacks work.</summary>
internal sealed record LabelRecord(string Name, string Value, LabelSource Source)
{
    public static LabelRecord Of(StackLabel label) => new(label.Name, label.Value, label.Source);

    public StackLabel Label => new(Name, Value, Source);
}

/// <summary>A context, a scheduler or the pool.</summary>
internal sealed record ContextRecord(ulong Address, string? Name, IReadOnlyList<int>? Threads, bool IsInferred, bool NeedsAll, bool HasNobody)
{
    public static ContextRecord Of(ContextRow context) => new(context.Address, context.Name, context.Threads.Count == 0 ? null : context.Threads, context.IsInferred, context.NeedsAll, context.HasNobody);

    public ContextRow Row => new(Address, Name, Threads ?? [], IsInferred) { NeedsAll = NeedsAll, HasNobody = HasNobody };
}

/// <summary>A distinct frame.</summary>
internal sealed record PlaceRecord(
    FrameKind Kind, string Method, string? Type, string? Name, string? Endpoint, string? Module, int? Token, Guid? Mvid, string? File, int? Line, int? ILOffset, int? AwaitNumber,
    Exactness Exactness, string? Note, FrameOrigin Origin, int Same)
{
    public static PlaceRecord Of(FramePlace place) => place.Frame is var frame ? new(
        frame.Kind, frame.Method, frame.Type, frame.Name, frame.Endpoint, frame.Module, frame.MethodToken, frame.ModuleVersion, frame.File, frame.Line, frame.ILOffset, frame.AwaitNumber,
        frame.Exactness, frame.Note, place.Origin, place.Same) : throw new ArgumentException(null, nameof(place));

    public FramePlace Place => new(
        new LogicalFrame
        {
            Kind = Kind,
            Method = Method,
            Type = Type,
            Name = Name,
            Endpoint = Endpoint,
            Module = Module,
            MethodToken = Token,
            ModuleVersion = Mvid,
            File = File,
            Line = Line,
            ILOffset = ILOffset,
            AwaitNumber = AwaitNumber,
            Exactness = Exactness,
            Note = Note,
        },
        Origin, Same);
}

/// <summary>What stacks wait for.</summary>
internal sealed record WaitRecord(WaitKind Kind, string Text, ulong? Address, string? Type, string? Detail, bool IsDone)
{
    public static WaitRecord Of(WaitingOn wait) => new(wait.Kind, wait.Text, wait.Address, wait.Type, wait.Detail, wait.IsDone);

    public WaitingOn Wait => new(Kind, Text, Address, Type) { Detail = Detail, IsDone = IsDone };
}

/// <summary>Why an awaited object has not happened.</summary>
internal sealed record ReasonRecord(
    WaitKind Kind, string? Subject, WaitAction Action, ulong Resource, IReadOnlyList<FactRecord>? Shared, IReadOnlyList<FactRecord>? Own, ReasonRecord? Behind, int? Owner, IReadOnlyList<int>? Holders)
{
    public static ReasonRecord Of(WaitReason reason) => new(
        reason.Kind, reason.Subject, reason.Action, reason.Resource, FactRecord.Of(reason.Shared), FactRecord.Of(reason.Own),
        reason.Behind is { } behind ? Of(behind) : null, reason.Owner, reason.Holders.IsEmpty ? null : reason.Holders);

    public WaitReason Reason => new(Kind, Subject, Action)
    {
        Resource = Resource,
        Shared = [.. (Shared ?? []).Select(fact => fact.Fact)],
        Own = [.. (Own ?? []).Select(fact => fact.Fact)],
        Behind = Behind?.Reason,
        Owner = Owner,
        Holders = [.. Holders ?? []],
    };
}

/// <summary>A fact of an object about a wait.</summary>
internal sealed record FactRecord(WaitFactKey Key, long Number, string? Text, long? Bound, bool IsBound)
{
    public static IReadOnlyList<FactRecord>? Of(ImmutableArray<WaitFact> facts)
        => facts.IsEmpty ? null : [.. facts.Select(fact => new FactRecord(fact.Key, fact.Number, fact.Text, fact.Of, fact.IsBound))];

    public WaitFact Fact => new(Key, Number, Text) { Of = Bound, IsBound = IsBound };
}

/// <summary>A type of objects.</summary>
internal sealed record TypeRecord(ulong MethodTable, string? Name);

/// <summary>Variables of one frame.</summary>
internal sealed record VariablesRecord(int Place, ulong Address, IReadOnlyList<VariableRecord> Variables);

/// <summary>A variable.</summary>
internal sealed record VariableRecord(string Name, string? Type, string Value, Exactness Exactness);

/// <summary>Generated serializers. Enums are numbers: they are short, and their order is part of the format.</summary>
[JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Metadata, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault, MaxDepth = 64)]
[JsonSerializable(typeof(SnapshotTables))]
[JsonSerializable(typeof(List<VariablesRecord>))]
internal sealed partial class SnapshotJson : JsonSerializerContext;
