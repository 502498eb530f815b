extern alias experiment;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Scenarios.Support;
using experiment::TaskletFixture.Runtime;
using Owner = experiment::System.Runtime.CompilerServices.RuntimeHelpers.RuntimeAsyncMaintainedData;

namespace TaskletFixture;

/// <summary>
/// One position on one logical stack, and the pencil that notes the truth about it, as in dumps/Scenarios: a method calls
/// <see cref="At"/> in the very statement that awaits and hands the result to what it awaits. Besides, it knows the addresses of what
/// each frame keeps, for the tasklets' own map of references.
/// </summary>
public sealed class Trail
{
    [ThreadStatic]
    private static Trail? current;

    private static readonly HashSet<object> Pinned = new(ReferenceEqualityComparer.Instance);

    private readonly Trail? _caller;
    private Trail? _callee;
    private FrameTruth? _frame;
    private List<LocalTruth> _locals = [];
    private List<(bool IsByRef, nint Value)> _kept = [];

    internal Trail(StackTruth stack, Trail? caller = null) => (Stack, _caller) = (stack, caller);

    internal StackTruth Stack { get; }

    /// <summary>Notes the caller's line, forgets what was deeper and opens the position of what is awaited.</summary>
    /// <param name="kind">Of a frame that is no tasklet: <c>classic</c>, <c>thread</c>.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public Trail At(string? kind = null, [CallerMemberName] string method = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        _frame = new FrameTruth(method, Path.GetFileName(file), line, kind, _locals.Count == 0 ? null : [.. _locals]);
        current = this;
        return _callee = new Trail(Stack, this);
    }

    /// <summary>A task that was started before is awaited here: takes the new line and keeps what is deeper.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public T Again<T>(T awaited, [CallerLineNumber] int line = 0)
    {
        _frame = _frame! with { Line = line };
        current = this;
        return awaited;
    }

    /// <summary>What the innermost frame waits for: never completes unless the situation says so.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public Task<int> Gate()
    {
        Rest("TaskCompletionSource");
        return Stack.Gate.Task;
    }

    /// <summary>Says what the innermost frame waits for; null when it runs.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Rest(string? leaf) => Stack.Leaf = leaf;

    /// <summary>Records an object that this frame uses after its await. It is pinned: nothing tells the GC where copied frames are.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Local<T>(T value, [CallerArgumentExpression(nameof(value))] string name = "")
        where T : class
    {
        _locals.Add(LocalText.Of(name, value));
        _kept.Add((false, AddressOf(value)));
    }

    /// <summary>Records a value that is no object.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Value<T>(T value, [CallerArgumentExpression(nameof(value))] string name = "")
        where T : struct => _locals.Add(LocalText.Of(name, value));

    /// <summary>Records a variable of a caller that this frame has by reference.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public unsafe void Reference<T>(ref T variable) => _kept.Add((true, (nint)Unsafe.AsPointer(ref variable)));

    /// <summary>Where an object is and stays.</summary>
    public static nint AddressOf(object value)
    {
        lock (Pinned)
        {
            if (Pinned.Add(value))
                _ = new PinnedGCHandle<object>(value);
        }
        return Unsafe.As<object, nint>(ref value);
    }

    /// <summary>What the frames of the stack keep that suspends on this thread now, from the one that called <see cref="At"/> last.</summary>
    internal static Note[] Notes()
    {
        var notes = new List<Note>();
        int frame = 0;
        for (Trail? at = current; at is not null; at = at._caller)
        {
            foreach ((bool isByRef, nint value) in at._kept)
                notes.Add(new Note(frame, isByRef, value));
            frame++;
        }
        return [.. notes];
    }

    /// <summary>What is suspended on this thread from now on belongs to no stack of the truth.</summary>
    internal static void Stop() => current = null;

    /// <summary>The stack on this thread was suspended.</summary>
    internal static void Suspended(Owner owner)
    {
        if (current is { } at)
            at.Stack.Owner = owner;
    }

    /// <summary>Takes this frame and what is deeper out of the truth.</summary>
    public void Forget() => _frame = null;

    /// <summary>Frames from this position inwards, outermost first.</summary>
    internal IEnumerable<FrameTruth> Frames()
    {
        for (Trail? at = this; at?._frame is { } frame; at = at._callee)
            yield return frame;
    }
}
