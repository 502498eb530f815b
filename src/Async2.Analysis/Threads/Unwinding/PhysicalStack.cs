using System.Runtime.CompilerServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>
/// The physical frames of a thread as the data access library finds them, and whether it finds the end. On a damaged stack it may follow a
/// cycle: the runtime's own frames (coreclr, frames.h) are a list, and nothing stops a wrong link from leading back. Reading the frames has a
/// limit then; asking for the objects of the frames has none and never returns, so nobody may ask.
/// </summary>
internal sealed class PhysicalStack
{
    // Enough for all but endless recursion; what ClrMD takes if nobody says.
    private const int UsualLimit = 8096;

    // More frames than fit on the largest stack that ulimit and maxStackSize allow in practice.
    private const int FrameLimit = 100_000;

    // A stack pointer with the same instruction pointer comes twice at most: a runtime's frame, and the method that it stands for.
    private const int Often = 8;
    private const int Outermost = 1000;

    private static readonly ConditionalWeakTable<ClrThread, PhysicalStack> Known = [];

    private PhysicalStack(ClrStackFrame[] frames, bool repeats, bool isCut) => (Frames, Repeats, IsCut) = (frames, repeats, isCut);

    private PhysicalStack(PhysicalStack other, bool hasCalled)
        : this([.. other.Frames], other.Repeats, other.IsCut) => HasCalled = hasCalled;

    /// <summary>Innermost first; of a stack that repeats itself, those before it does.</summary>
    public IReadOnlyList<ClrStackFrame> Frames { get; }

    /// <summary>It leads back to itself: its objects cannot be asked for.</summary>
    public bool Repeats { get; }

    /// <summary>It has more frames than are read; the outer ones are missing.</summary>
    public bool IsCut { get; }

    /// <summary>The innermost frame has called native code in which the thread stands.</summary>
    public bool HasCalled { get; }

    /// <summary>Begins at the caller of native code, which the target shows as the thread's place from now on.</summary>
    public static void BeginAtCaller(ClrThread thread) => Known.AddOrUpdate(thread, new(Read(thread), hasCalled: true));

    /// <summary>The stack of a thread; read once.</summary>
    public static PhysicalStack Of(ClrThread thread) => Known.GetValue(thread, Read);

    private static PhysicalStack Read(ClrThread thread)
    {
        ClrStackFrame[] frames = [.. thread.EnumerateStackTrace(includeContext: false, UsualLimit)];
        if (frames.Length >= UsualLimit && !RepeatsAtEnd(frames))
            frames = [.. thread.EnumerateStackTrace(includeContext: false, FrameLimit)];
        return frames.Length < UsualLimit ? new(frames, repeats: false, isCut: false)
            : RepeatsAtEnd(frames) ? new(BeforeRepetition(frames), repeats: true, isCut: false)
            : new(frames, repeats: false, isCut: frames.Length >= FrameLimit);
    }

    private static bool RepeatsAtEnd(ClrStackFrame[] frames)
    {
        var times = new Dictionary<(ulong, ulong), int>();
        for (int i = frames.Length - Math.Min(Outermost, frames.Length); i < frames.Length; i++)
        {
            int before = times.GetValueOrDefault(PlaceOf(frames[i]));
            if (before >= Often)
                return true;
            times[PlaceOf(frames[i])] = before + 1;
        }
        return false;
    }

    private static ClrStackFrame[] BeforeRepetition(ClrStackFrame[] frames)
    {
        var seen = new HashSet<(ulong, ulong)>();
        return [.. frames.TakeWhile(frame => seen.Add(PlaceOf(frame)))];
    }

    private static (ulong StackPointer, ulong InstructionPointer) PlaceOf(ClrStackFrame frame) => (frame.StackPointer, frame.InstructionPointer);
}
