using System.Runtime.InteropServices;
using System.Threading.Tasks;

namespace System.Runtime.CompilerServices;

/// <summary>Lies in the frame of the method that resumes a chain; debuggers find it by the name of its field.</summary>
[StructLayout(LayoutKind.Explicit)]
public unsafe ref struct AsyncDispatcherInfo
{
    [FieldOffset(0)]
    public AsyncDispatcherInfo* Next;

    /// <summary>What runs when the resumed method returns: its caller's.</summary>
    [FieldOffset(8)]
    public Continuation? NextContinuation;

    [FieldOffset(16)]
    public Task? CurrentTask;

    [ThreadStatic]
    public static AsyncDispatcherInfo* t_current;
}
