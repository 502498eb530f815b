using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Json;

/// <summary>From the records of JSON back to what they were made of. Nothing is believed: what must be there may be null.</summary>
internal static class ViewRecords
{
    private const string Separator = ", ";

    /// <summary>What must be there.</summary>
    /// <exception cref="InvalidDataException">It is null.</exception>
    public static T Known<T>(T? value, string name)
        where T : class
        => value ?? throw new InvalidDataException($"{name} is null, which no answer has");

    public static TargetFacts Of(TargetRecord target) => new()
    {
        Kind = target.Kind,
        Pid = target.Pid,
        Path = target.Path,
        Os = Known(target.Os, "target.os"),
        Architecture = Known(target.Architecture, "target.architecture"),
        Runtime = target.Runtime,
        Families = [.. Known(target.Families, "target.families").Select(family => Known(family, "a family"))],
        Layouts = [.. (target.Layouts ?? []).Select(Of)],
        FreezeMs = target.FreezeMs,
        Looks = target.Looks,
        ApartMs = target.ApartMs,
        LastTick = target.LastTick,
        LastTickFrom = target.LastTickFrom,
        Pool = target.Pool?.Facts(),
        Held = target.Held == true,
    };

    public static SnapshotTotals Of(TotalsRecord totals) => new(totals.Stacks, totals.Frames, totals.Groups) { Idle = totals.Idle ?? 0 };

    /// <param name="stack">The record.</param>
    /// <param name="shared">Addresses of resources by which stacks are distinguished.</param>
    public static LogicalStack Of(StackRecord? stack, IReadOnlySet<ulong> shared)
    {
        StackRecord known = Known(stack, "a stack");
        return new()
        {
            Id = Known(known.Id, "a stack's id"),
            Key = known.Key,
            Count = known.Count,
            State = known.State,
            Task = Address(known.Task),
            Thread = known.Thread,
            WaitingOn = known.WaitingOn is { } wait ? Of(wait, shared) : null,
            AwaitedBy = [.. (known.AwaitedBy ?? []).Select(id => Known(id, "an id in awaitedBy"))],
            Idle = known.Idle,
            Labels = LabelNames.Sorted((known.Labels ?? new Dictionary<string, string>()).Select(label => Of(label.Key, label.Value, known))),
            Age = known.Age?.Age(known.Count),
            Frames = [.. Known(known.Frames, "a list of frames").Select(Of)],
        };
    }

    private static StackLabel Of(string name, string? value, StackRecord stack)
    {
        LabelRecord? facts = stack.LabelFacts?.GetValueOrDefault(name);
        return new(name, Known(value, "the value of a label"), facts?.Source ?? LabelSource.Connection) { Stacks = facts?.Stacks ?? stack.Count, Values = facts?.Values ?? 1 };
    }

    public static Finding Of(FindingRecord? finding)
    {
        FindingRecord known = Known(finding, "a finding");
        return new(Known(known.Rule, "a finding's rule"), known.Severity, known.Confidence, Known(known.Text, "a finding's text"),
            [.. Known(known.Stacks, "a finding's stacks").Select(id => Known(id, "an id in a finding"))])
        {
            Id = known.Id ?? "",
            Key = known.Key ?? "",
            Blocked = known.Blocked ?? 0,
            Evidence = [.. (known.Evidence ?? []).Select(Of)],
            Motion = known.Motion ?? Motion.Unknown,
            Still = known.Still is { } still ? new(still.AtLeastMs, still.Looks, still.OfLooks) : null,
            Age = known.Age?.Age(known.Age.Stacks ?? 0),
            Labels = [.. (known.Labels ?? []).Select(Of)],
            DisprovedBy = known.DisprovedBy,
            Next = known.Next,
        };
    }

    private static FindingLabel Of(FindingLabelRecord? label)
    {
        FindingLabelRecord known = Known(label, "a label of a finding");
        return new(Known(known.Name, "the name of a label"), known.Count, known.Values, [.. Known(known.Largest, "the values of a label").Select(Of)]);
    }

    private static LabelShare Of(LabelShareRecord? share)
    {
        LabelShareRecord known = Known(share, "a value of a label");
        return new(Known(known.Value, "a value of a label"), known.Count) { Trace = known.Trace };
    }

    public static Evidence Of(EvidenceRecord? step)
    {
        EvidenceRecord known = Known(step, "a step of a finding");
        return new(Known(known.Text, "the text of a step"))
        {
            Method = known.Method,
            File = known.File,
            Line = known.Line,
            Stack = known.Stack,
            Relation = known.Relation,
            To = Address(known.To),
        };
    }

    public static Problem Of(ProblemRecord? problem)
    {
        ProblemRecord known = Known(problem, "a problem");
        return new(Known(known.Code, "a problem's code"), Known(known.Text, "a problem's text"), Address(known.Address));
    }

    public static ViewEdge Of(EdgeRecord? edge)
    {
        EdgeRecord known = Known(edge, "an edge");
        return new(Known(known.From, "an edge's from"), known.Relation, known.To, known.Known, known.Count) { Targets = known.Targets ?? 0 };
    }

    public static ViewNode Of(ResourceRecord? resource)
    {
        ResourceRecord known = Known(resource, "a resource");
        return new(Known(known.Id, "a resource's id"), known.Node)
        {
            Address = Address(known.Address),
            ResourceKind = known.Kind ?? WaitKind.None,
            Type = known.Type,
            Name = known.Name,
            Text = known.Text,
            Waiting = known.Waiting,
            HeldBy = [.. known.HeldBy ?? []],
            IsShared = known.Shared == true,
            Generation = known.Generation,
        };
    }

    public static ViewNode Of(ThreadRecord? thread)
    {
        ThreadRecord known = Known(thread, "a thread");
        return new(Known(known.Id, "a thread's id"), Model.Graph.AsyncNodeKind.Thread) { Thread = known.Thread, State = known.State };
    }

    private static LayoutUse Of(LayoutRecord? layout)
    {
        LayoutRecord known = Known(layout, "a layout");
        return new(Known(known.Contract, "a layout's contract"), Known(known.Version, "a layout's version"), Known(known.Source, "a layout's source"));
    }

    // The text has the name and the detail in it, each behind a comma.
    private static WaitingOn Of(WaitRecord wait, IReadOnlySet<ulong> shared)
    {
        string full = Known(wait.Text, "a text in waitingOn");
        ulong? address = Address(wait.Resource);
        string? name = address is null ? null : wait.Name, detail = wait.Detail;
        string end = (name is null ? "" : Separator + name) + (detail is null ? "" : Separator + detail);
        if (!full.EndsWith(end, StringComparison.Ordinal))
            throw new InvalidDataException("a text in waitingOn does not end in its name and detail");
        return new(wait.Kind, full[..^end.Length], Address(wait.Address), wait.Type, wait.Stack)
        {
            Detail = detail,
            IsDone = wait.Done == true,
            Pending = [.. (wait.Pending ?? []).Select(id => Known(id, "an id in pending"))],
            Resource = address is { } resource ? new(resource, wait.ResourceType, name) { IsShared = shared.Contains(resource) } : null,
        };
    }

    private static LogicalFrame Of(FrameRecord? frame)
    {
        FrameRecord known = Known(frame, "a frame");
        return new()
        {
            Kind = known.Kind,
            Method = Known(known.Method, "a frame's method"),
            Type = known.Type,
            Name = known.Name,
            Endpoint = known.Endpoint,
            Module = known.Module,
            File = known.File,
            Line = known.Line,
            ILOffset = known.IlOffset,
            MethodToken = known.Token is null ? null : unchecked((int)Hex(known.Token, sizeof(int))),
            ModuleVersion = known.Mvid is null ? null : Guid.TryParseExact(known.Mvid, "D", out Guid mvid) ? mvid : throw new InvalidDataException("a frame's mvid is not a GUID"),
            Exactness = known.Exactness,
            Folded = known.Folded ?? 0,
            Address = Address(known.Address),
            Note = known.Note,
            IsFramework = known.Framework == true,
            Age = known.Age?.Age(1),
            Locals = [.. (known.Locals ?? []).Select(Of)],
        };
    }

    private static LocalValue Of(LocalRecord? local)
    {
        LocalRecord known = Known(local, "a local");
        return new(Known(known.Name, "a local's name"), known.Type, Known(known.Value, "a local's value"));
    }

    private static ulong? Address(string? text) => text is null ? null : Hex(text, sizeof(ulong));

    private static ulong Hex(string text, int bytes)
        => text.StartsWith("0x", StringComparison.Ordinal) && text.Length <= 2 + (2 * bytes)
            && ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value) ? value
            : throw new InvalidDataException("an address or a token is not a hexadecimal number");
}
