using Async2.Analysis.Code.Modules;

namespace Async2.Analysis.Threads;

/// <summary>One physical frame of a thread.</summary>
/// <param name="InstructionPointer">Where it executes; of a caller: where it goes on after the call.</param>
/// <param name="IsInnermost">Nothing was called from here: the pointer is at the instruction itself.</param>
/// <param name="Method">The method.</param>
internal sealed record ThreadFrame(ulong InstructionPointer, bool IsInnermost, AsyncMethod Method)
{
    /// <summary>Name of a method that was generated at run time, which has no metadata; null for others.</summary>
    public string? Generated { get; init; }

    /// <summary>Objects that the frame holds. Read when it is asked for: it costs more than the frame.</summary>
    public IEnumerable<ulong> Roots { get; init; } = [];

    /// <summary>The next deeper frame on the thread, whatever it is; null if the runtime's own code lies between.</summary>
    public CalleeName? Called { get; init; }
}

/// <summary>A wait for a class initializer.</summary>
/// <param name="Type">The class, as the runtime spells it.</param>
/// <param name="Thread">Managed id of the thread that runs the initializer.</param>
internal sealed record InitializerWait(string Type, int Thread);

/// <summary>
/// The frames of a thread that belong to one logical stack: from the innermost frame of the thread, or of the rest below another segment, out
/// to the frame of the runtime that resumed an async operation, or to the end of the stack.
/// </summary>
internal sealed record ThreadSegment
{
    /// <summary>Managed id of the thread.</summary>
    public required int ThreadId { get; init; }

    /// <summary>Innermost first, without the runtime's own.</summary>
    public required IReadOnlyList<ThreadFrame> Frames { get; init; }

    /// <summary>The async operation that these frames execute: a ThunkTask or a box; 0 for none.</summary>
    public ulong RunsIn { get; init; }

    /// <summary>
    /// The continuation of a chain that was resumed; 0 if it is not known. Those before it have returned. Of a chain that
    /// <see cref="HasLeftChain"/> that of its caller; 0 if the outermost method runs.
    /// </summary>
    public ulong Continuation { get; init; }

    /// <summary>What the runtime's own frames between these and the operation's hold. Read when it is asked for: it costs more than the frames.</summary>
    public IEnumerable<ulong> RuntimeRoots { get; init; } = [];

    /// <summary>What runs is not in the operation's chain any more, which begins with its caller: always so in .NET 11.</summary>
    public bool HasLeftChain { get; init; }

    /// <summary>The plain task whose delegate these frames execute; 0 for none.</summary>
    public ulong Task { get; init; }

    /// <summary>Who waits for <see cref="Task"/>: its <c>m_continuationObject</c>.</summary>
    public ulong Awaiter { get; init; }

    /// <summary>The task that the thread blocks for, or what several tasks count down; 0 for none.</summary>
    public ulong BlockedOn { get; init; }

    /// <summary>The method of the runtime in which the thread blocks; null if it runs.</summary>
    public AsyncMethod? BlockedIn { get; init; }

    /// <summary>The outermost method that is known to block, which says best for what; null if the thread runs.</summary>
    public AsyncMethod? BlockedBy { get; init; }

    /// <summary>The thread waits until another one has initialized a class; null for other waits.</summary>
    public InitializerWait? Initializer { get; init; }

    /// <summary>The thread is in the method that the compiler makes to wait for an async Main, and in no other of the user's.</summary>
    public bool IsEntryPoint { get; init; }

    /// <summary>The task for which that method waits; 0 for none.</summary>
    public ulong EntryTask { get; init; }

    /// <summary>The method of a framework that the user's code called to block; null if it runs.</summary>
    public AsyncMethod? BlockingCall { get; init; }

    /// <summary>It blocks in a call of the operating system that no known method of the runtime made.</summary>
    public bool IsInSystem { get; init; }

    /// <summary>It waits for who types, or for the process that started this one.</summary>
    public bool ReadsConsole { get; init; }

    /// <summary>The thread does not run.</summary>
    public bool IsBlocked => BlockedOn != 0 || BlockedIn is not null || Initializer is not null;

    /// <summary>Objects that the blocking frames hold, innermost first.</summary>
    public IReadOnlyList<ulong> Roots { get; init; } = [];

    /// <summary>No part of any async operation: shown only when the thread is asked for.</summary>
    public bool IsPlain { get; init; }
}
