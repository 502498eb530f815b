extern alias net11;

using System.Runtime.InteropServices;
using net11::System.Runtime.CompilerServices;

namespace Net11Fixture.Support;

/// <summary>The JIT's tables of suspension points, in native memory: one for each body, indexed by state. Here one for each place.</summary>
internal static unsafe class ResumeTables
{
    private const int States = 4;

    private static readonly Dictionary<nint, nint> Tables = [];

    /// <summary>The entry of a place, and its state.</summary>
    /// <param name="diagnosticIP">In a method's native code; 0 for what the runtime made by hand.</param>
    public static (nint Info, int State) For(nint diagnosticIP)
    {
        int state = diagnosticIP == 0 ? 0 : (int)(diagnosticIP % States);
        if (!Tables.TryGetValue(diagnosticIP, out nint table))
        {
            Tables[diagnosticIP] = table = (nint)NativeMemory.AllocZeroed(States, (nuint)sizeof(ResumeInfo));
            // Nobody calls it here; that it is not null says that the continuation can be resumed.
            ((ResumeInfo*)table)[state] = new ResumeInfo { Resume = (delegate*<void>)&NeverCalled, DiagnosticIP = (void*)diagnosticIP };
        }
        return (table + (state * sizeof(ResumeInfo)), state);
    }

    private static void NeverCalled() => throw new InvalidOperationException();
}
