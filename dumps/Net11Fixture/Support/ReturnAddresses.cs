using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Net11Fixture.Support;

/// <summary>
/// Where in native code an exception passed through: what the runtime itself keeps for its stack trace (coreclr 10.0,
/// src/coreclr/vm/clrex.h: a header of 16 bytes, then elements of ip, sp, method desc and flags).
/// </summary>
internal static class ReturnAddresses
{
    private const int HeaderWords = 2;
    private const int ElementWords = 4;

    /// <summary>Innermost first, from the first method that is not <see cref="Trail"/>'s.</summary>
    public static nint[] Of(Exception exception, int count)
    {
        StackFrame[] frames = new StackTrace(exception).GetFrames();
        int first = Array.FindIndex(frames, f => f.GetMethod()?.DeclaringType != typeof(Trail));
        object kept = typeof(Exception).GetField("_stackTrace", BindingFlags.NonPublic | BindingFlags.Instance)!.GetValue(exception)!;
        var bytes = (sbyte[])(kept is object[] withKeepAlives ? withKeepAlives[0] : kept);
        ReadOnlySpan<long> words = MemoryMarshal.Cast<sbyte, long>(bytes);
        if ((int)words[0] < first + count)
            throw new InvalidOperationException($"the exception passed through {(int)words[0]} methods, not {first + count}: was runtime-async on?");
        var addresses = new nint[count];
        for (int i = 0; i < count; i++)
            addresses[i] = (nint)words[HeaderWords + ((first + i) * ElementWords)];
        return addresses;
    }
}
