using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Situations;

/// <summary>Code outside of .NET that a thread calls.</summary>
internal static class Natives
{
    private static volatile bool _ends;

    /// <summary>Waits for nothing, in the system.</summary>
    [DllImport("libc", EntryPoint = "poll")]
    public static extern int Poll(nint descriptors, nint count, int milliseconds);

    /// <summary>A pipe into which nobody writes.</summary>
    public static FileStream Pipe()
    {
        int[] ends = new int[2];
        if (MakePipe(ends) != 0)
            throw new InvalidOperationException("pipe");
        return new FileStream(new SafeFileHandle(ends[0], ownsHandle: true), FileAccess.Read, bufferSize: 0);
    }

    /// <summary>A thread that is in native code most of the time, and never in the system.</summary>
    public static void Compute()
    {
        new Thread(() =>
        {
            for (int i = 0; !_ends; i++)
                Blocked.Use(Absolute(i));
        }) { IsBackground = true, Priority = ThreadPriority.Lowest }.Start();
    }

    /// <summary>Makes a pipe whose ends each process inherits that is started before they are closed: the one that is read, then the other.</summary>
    [DllImport("libc", EntryPoint = "pipe")]
    public static extern int MakePipe(int[] ends);

    [DllImport("libc", EntryPoint = "abs")]
    private static extern int Absolute(int value);
}
