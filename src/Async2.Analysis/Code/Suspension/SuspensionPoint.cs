using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Suspension;

/// <summary>
/// Where a method stopped. All continuations with the same resume stub and state share one, so it is decoded once however many
/// frames there are.
/// </summary>
internal sealed record SuspensionPoint
{
    /// <summary>The method; null when its code was not found.</summary>
    public AsyncMethod? Method { get; init; }

    /// <summary>What is known when <see cref="Method"/> is not: the name in the resume stub's name, without type.</summary>
    public string? StubName { get; init; }

    /// <summary>The await; null if it could not be determined.</summary>
    public AwaitSite? Site { get; init; }

    /// <summary>Set instead of <see cref="Site"/> where only the statement is known: a tasklet stands behind a call. Beside it what the debug info says.</summary>
    public int? ILOffset { get; init; }

    /// <summary>What kind of object said so.</summary>
    public SiteKind Kind { get; init; }

    /// <summary>A step of the runtime on the way of an await.</summary>
    public bool IsHidden { get; init; }

    /// <summary>The runtime made it by hand, to wait for a task or a source in the name of the method behind it.</summary>
    public bool WaitsForMethod { get; init; }

    /// <summary>Where a frame was to say where it stands, and memory had no answer; 0 otherwise.</summary>
    public ulong Unreadable { get; init; }

    /// <summary>No code of the body that made the frame stores the state that it says: the frame is damaged.</summary>
    public bool IsImpossible { get; init; }

    /// <summary>What the JIT says that it saves here; null where it does not, or where state and place contradict each other.</summary>
    public AsyncPoint? AsyncPoint { get; init; }

    public Exactness Exactness { get; init; }

    public SourceLine? Source { get; init; }

    /// <summary>The method that the native code calls at this await; null if the call goes through an object.</summary>
    public AsyncMethod? CallTarget { get; init; }

    /// <summary>The methods that the native body calls at its awaits, in any order; empty if it could not be decoded.</summary>
    public IReadOnlyList<AsyncMethod?> BodyCalls { get; init; } = [];

    /// <summary>All suspension points of the same native body whose code belongs to the same stretch of IL, in native order.</summary>
    public IReadOnlyList<CalleeName?> Neighbours { get; init; } = [];

    /// <summary>The native body that made the continuation; null if it was not found.</summary>
    public NativeBody? Body { get; init; }

    /// <summary>The code in it that saves the method's variables; null if it was not found.</summary>
    public SuspensionBlock? Block { get; init; }

    /// <summary>Position among <see cref="Neighbours"/>; -1 when not known.</summary>
    public int Position { get; init; } = -1;
}
