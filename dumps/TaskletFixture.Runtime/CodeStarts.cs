using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace TaskletFixture.Runtime;

/// <summary>
/// Tells the native half where the methods on the stack begin: from there it knows which registers they saved. The runtime knows
/// how far into its method each caller is, and the chain of frame pointers has the addresses; both go through the same frames.
/// </summary>
internal static unsafe class CodeStarts
{
    private const int Deepest = 4096;

    /// <param name="end">Address in the frame behind the last one.</param>
    /// <param name="innermost">Another return address into the caller: the one of its call of the native half.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Learn(byte* end, nint innermost)
    {
        nint[] addresses = new nint[Deepest];
        int count;
        fixed (nint* first = addresses)
            count = Chain(first, Deepest, end);
        // The chain begins with the address in Chain, then that in this method; the trace begins with this method.
        StackFrame[] trace = new StackTrace(0, false).GetFrames();
        if (trace[0].GetMethod()?.Name != nameof(Learn))
            throw new InvalidOperationException($"the runtime shows another stack than there is: it begins with {Name(trace[0])}");
        for (int i = 2; i < count - 1; i++)
        {
            nint start = addresses[i] - trace[i - 1].GetNativeOffset();
            if (NativeTasklets.Learn(addresses[i], start) == 0 || (i == 2 && NativeTasklets.Learn(innermost, start) == 0))
                throw new InvalidOperationException($"{Name(trace[i - 1])} has no frame that can be captured: its code begins with {Convert.ToHexString(new ReadOnlySpan<byte>((void*)start, 24))}");
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Chain(nint* addresses, int count, byte* end)
    {
        int found = NativeTasklets.ChainPointer(addresses, count, end);
        GC.KeepAlive(found);
        return found;
    }

    private static string Name(StackFrame frame) => $"{frame.GetMethod()?.DeclaringType}.{frame.GetMethod()?.Name}";
}
