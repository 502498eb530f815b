using System.Runtime.CompilerServices;

namespace Scenarios.Support;

/// <summary>
/// One position on one logical stack, and the pencil that notes the truth about it. A frame is handed the trail of its
/// own position, calls <see cref="At"/> right before each of its awaits, and hands the result to the method it awaits.
/// The compiler fills in member, file and line, so the truth cannot drift from the source.
/// </summary>
/// <remarks>
/// A position is a fresh object per call on purpose: a frame that was left behind (a loser of WhenAny, an earlier loop
/// round) keeps writing to a position that hangs on no stack any more, and cannot spoil the truth.
/// Nothing here is inlined, so the code under study stays as the JIT would have compiled it around any other call.
/// </remarks>
public sealed class Trail
{
    private readonly StackTruth _stack;
    private FrameTruth? _frame;
    private Trail? _callee;
    private List<LocalTruth> _locals = [];

    internal Trail(StackTruth stack) => _stack = stack;

    /// <summary>Notes the caller's line at this position, forgets everything deeper, and opens the callee's position.</summary>
    /// <param name="up">
    /// How many lines above this call the awaiting statement starts (negative: below); its first line is its sequence point.
    /// </param>
    /// <param name="site">Ordinal of the await in its method, from 1, in order of IL; 0 where the line alone tells.</param>
    /// <param name="kind">One of <see cref="FrameKind"/>, if the frame is a state machine in both builds.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public Trail At(
        int up = 0,
        int site = 0,
        string? kind = null,
        [CallerMemberName] string method = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
    {
        _frame = new FrameTruth(method, Path.GetFileName(file), line - up, site, kind) { Locals = _locals };
        _locals = [];
        return _callee = new Trail(_stack);
    }

    /// <summary>
    /// Records an argument or a local for the next <see cref="At"/>: name and value as text, so that nothing is kept alive by it. Only
    /// for variables that are used after the await; the others may be gone when somebody looks.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Local<T>(T value, [CallerArgumentExpression(nameof(value))] string name = "") => _locals.Add(LocalText.Of(name, value));

    /// <summary>Moves this frame to another line and keeps what is deeper: a task started earlier is awaited here.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Again(int up = 0, int site = 0, [CallerLineNumber] int line = 0) =>
        _frame = _frame! with { Line = line - up, Site = site };

    /// <summary>What the innermost frame waits for in the end: never completes in the final run, soon in a rehearsal.</summary>
    public Task Gate
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        get => GateFor(0);
    }

    /// <summary>As <see cref="Gate"/>, with a value for the rehearsal to bring.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public Task<T> GateFor<T>(T value)
    {
        Rest("TaskCompletionSource");
        // The name tells a test which stack it is that waits for this task.
        var gate = new TaskCompletionSource<T>(_stack.Name, TaskCreationOptions.RunContinuationsAsynchronously);
        _stack.Keep(gate);
        if (!IsFinal) Soon(() => gate.SetResult(value));
        return gate.Task;
    }

    /// <summary>The last delay in milliseconds: infinite in the final run.</summary>
    public int Delay
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        get
        {
            Rest("Task.Delay");
            return IsFinal ? Timeout.Infinite : 1;
        }
    }

    /// <summary>An await on the way: suspends and is resumed in every run.</summary>
    public Task Step
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        get => Task.Delay(1);
    }

    /// <summary>The last gate if this is the place to stop, else a step on the way.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public Task GateIf(bool here) => here ? Gate : Step;

    /// <summary>Declares that this stack comes to rest at something of the scenario's own.</summary>
    /// <param name="leaf">What the innermost frame awaits, as a user would name it.</param>
    /// <param name="release">Ends the wait; called soon in a rehearsal and never in the final run. None: others end it.</param>
    /// <param name="wait">What the awaited object says about itself, with <c>{time}</c>, <c>{number}</c> where that varies.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Rest(string leaf, Action? release = null, string? wait = null)
    {
        _stack.Arrive(leaf, wait);
        if (release is null) return;
        _stack.Keep(release);
        if (!IsFinal) Soon(release);
    }

    /// <summary>Opens another logical stack of the same scenario.</summary>
    /// <param name="name">Its name within the scenario.</param>
    /// <param name="awaitedBy">The stacks whose innermost frame awaits it, directly or through WhenAll and the like.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public Trail Fork(string name, params Trail[] awaitedBy) =>
        _stack.Run.Open(name, Array.ConvertAll(awaitedBy, t => t._stack.Name));

    /// <summary>What a reader of the truth must know about this stack.</summary>
    public void Note(string note) => _stack.Note = note;

    /// <summary>False in a rehearsal, where everything must complete.</summary>
    public bool IsFinal => _stack.Run.IsFinal;

    /// <summary>The frames noted from this position inwards, outermost first.</summary>
    internal IEnumerable<FrameTruth> Frames()
    {
        for (Trail? position = this; position?._frame is { } frame; position = position._callee) yield return frame;
    }

    // Two milliseconds: the await has then suspended in almost every rehearsal, as it will in the final run.
    private static void Soon(Action release) =>
        Task.Delay(2).ContinueWith(_ => release(), TaskScheduler.Default);
}
