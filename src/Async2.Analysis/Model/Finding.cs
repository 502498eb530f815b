using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Model;

/// <summary>A conclusion of an analysis: what is wrong, how it is known, and what to do. Made from a whole model, before any filter.</summary>
/// <param name="Rule">Id of the rule: <c>deadlock</c>, <c>sync-over-async</c>, ...; docs/findings has a page for each.</param>
/// <param name="Severity">How bad it is if it is true.</param>
/// <param name="Confidence">How certain it is.</param>
/// <param name="Text">One sentence in the words of the program.</param>
/// <param name="Stacks">Ids of the stacks that prove it, as far as the answer shows them.</param>
public sealed record Finding(string Rule, Severity Severity, Confidence Confidence, string Text, ImmutableArray<string> Stacks)
{
    /// <summary>Id in this answer: <c>f1</c> is the worst.</summary>
    public string Id { get; init; } = "";

    /// <summary>The same in every run of a program, also when lines move: rule and methods.</summary>
    public string Key { get; init; } = "";

    /// <summary>How many stacks cannot continue because of it, those that prove it included; 0 if that is not what it is about.</summary>
    public long Blocked { get; init; }

    /// <summary>What it follows from, in the order in which a reader follows it.</summary>
    public ImmutableArray<Evidence> Evidence { get; init; } = [];

    /// <summary>What would show that it is wrong: one sentence; null if it follows from memory alone.</summary>
    public string? DisprovedBy { get; init; }

    /// <summary>What to do next: one sentence; null for nothing.</summary>
    public string? Next { get; init; }

    /// <summary>Whether what it is about has moved between two looks; unknown after one.</summary>
    public Motion Motion { get; init; }

    /// <summary>For how long what it is about has not moved; null if it has, and after one look.</summary>
    public StillFor? Still { get; init; }

    /// <summary>For how long those that it is about have waited, as far as is known: the oldest of them. Of rules that say so; null otherwise.</summary>
    public StackAge? Age { get; init; }

    /// <summary>For whom the stacks work that hang on it: requests first, then the program's own AsyncLocals; nothing if no label is known.</summary>
    public ImmutableArray<FindingLabel> Labels { get; init; } = [];

    /// <summary>What it rests on; null if looking again cannot tell anything of it.</summary>
    internal Standstill? Rests { get; init; }

    /// <summary>Numbers of the stacks that prove it.</summary>
    internal ImmutableArray<int> Members { get; init; } = [];

    /// <summary>Numbers of the stacks that hang on it: nothing else has to be said of what they wait for. Of rules that explain it.</summary>
    internal ImmutableArray<int> Behind { get; init; } = [];

    /// <summary>Numbers of the stacks that cannot continue because of it; null for those that prove it. Known while the rules work.</summary>
    internal IEnumerable<int>? Hanging { get; init; }
}

/// <summary>One step of a finding: who waits for whom, and where.</summary>
/// <param name="Text">One sentence.</param>
public sealed record Evidence(string Text)
{
    /// <summary>Full C# form of the method, <c>Shop.Orders.PayAsync(int)</c>; null if there is none.</summary>
    public string? Method { get; init; }

    /// <summary>Source file, as the PDB has it; null if unknown.</summary>
    public string? File { get; init; }

    /// <summary>1-based source line; null if unknown.</summary>
    public int? Line { get; init; }

    /// <summary>Id of the stack, if the answer shows it.</summary>
    public string? Stack { get; init; }

    /// <summary>What it has to do with <see cref="To"/>; null if the step is not an edge.</summary>
    public EdgeKind? Relation { get; init; }

    /// <summary>Address of the object to which the edge leads; null for threads, and if the step is not an edge.</summary>
    public ulong? To { get; init; }

    /// <summary>Number of the stack; -1 for none.</summary>
    internal int Member { get; init; } = -1;
}

/// <summary>What has to stay where it is if a finding is right. A second look tells.</summary>
internal sealed record Standstill
{
    /// <summary>Numbers of stacks that cannot go on.</summary>
    public IEnumerable<int> Stacks { get; init; } = [];

    /// <summary>Number of the node whose waiters stay in its queue; -1 for none.</summary>
    public int Queue { get; init; } = -1;

    /// <summary>The thread pool takes nothing from its queue.</summary>
    public bool Pool { get; init; }

    /// <summary>How sure it is, at least, when nothing has moved; null if the same is true of healthy programs.</summary>
    public Confidence? IfStill { get; init; }

    /// <summary>What moves is under load, and no more than that.</summary>
    public bool IsLoadIfMoved { get; init; }

    /// <summary>Only an error from likely on; a warning below.</summary>
    public bool IsErrorIfLikely { get; init; }
}

/// <summary>Whether something has moved between two looks at a process.</summary>
public enum Motion
{
    /// <summary>There was one look, or its objects cannot be told from others.</summary>
    Unknown,

    /// <summary>It is where it was.</summary>
    Still,

    /// <summary>It went on.</summary>
    Moved,
}

/// <summary>How long something has not moved, as far as looks tell.</summary>
/// <param name="Motion">Between the last two looks.</param>
/// <param name="Looks">In how many looks, the last one included, it was where it is; 1 if it was elsewhere before, or that is not known.</param>
/// <param name="Ms">Milliseconds from the first of these looks to the last.</param>
/// <param name="HasMoved">It is known to have moved between earlier looks.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct Stillness(Motion Motion, int Looks, long Ms, bool HasMoved)
{
    /// <summary>What follows for findings: what stood once and has moved once is not taken to stand.</summary>
    public Motion Proof => Motion == Motion.Still && HasMoved && Looks == 2 ? Motion.Moved : Motion;
}

/// <summary>What is left of the looks before one: numbers only, so that looks may be many, and that a file has them.</summary>
/// <param name="Stacks">By the number of its stacks.</param>
/// <param name="Queues">By the address of what is waited for.</param>
/// <param name="Pool">The thread pool.</param>
internal sealed record StandingFacts(Stillness[] Stacks, IReadOnlyDictionary<ulong, Stillness> Queues, Stillness Pool)
{
    /// <summary>Who got through between the last two looks, by the address of what is waited for: known of a file only.</summary>
    public IReadOnlyDictionary<ulong, QueueProgress> Progress { get; init; } = new Dictionary<ulong, QueueProgress>();
}

/// <summary>How many stacks waited for something at the look before, and how many of them wait for it no more, or wait again.</summary>
/// <param name="Waited">At the look before.</param>
/// <param name="GoneOn">Of them.</param>
/// <param name="Ms">Milliseconds since.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct QueueProgress(int Waited, int GoneOn, long Ms);

/// <summary>For how long looks have seen something in the same place.</summary>
/// <param name="AtLeastMs">Milliseconds from the first of these looks to the last.</param>
/// <param name="Looks">In how many, the last one included.</param>
/// <param name="OfLooks">How many there were.</param>
public sealed record StillFor(long AtLeastMs, int Looks, int OfLooks);

/// <summary>How bad a finding is.</summary>
public enum Severity
{
    /// <summary>Worth knowing.</summary>
    Info,

    /// <summary>Likely to hurt.</summary>
    Warning,

    /// <summary>The program cannot make progress, or will not.</summary>
    Error,
}

/// <summary>How certain a finding is.</summary>
public enum Confidence
{
    /// <summary>Fits the facts, as other explanations do.</summary>
    Possible,

    /// <summary>Most likely.</summary>
    Likely,

    /// <summary>Follows from the data.</summary>
    Certain,
}
