using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Async2.Analysis.Targets.Windows;

/// <summary>Registers of the threads of a process, in the form in which Windows gives them and the DAC wants them (CONTEXT of winnt.h).</summary>
[SupportedOSPlatform("windows")]
internal static unsafe class ThreadContextReader
{
    /// <summary>Bytes of a CONTEXT.</summary>
    public static int Size => IsArm64 ? 912 : 1232;

    // ContextFlags: where they are, and those that say: all of the integer and floating point registers.
    private static int FlagsAt => IsArm64 ? 0 : 0x30;
    private static uint Wanted => IsArm64 ? 0x400007u : 0x10000fu;

    // Wine says after a tenth of a second that it is not permitted, if the thread had no processor to stop on until then.
    private const int Tries = 20;

    /// <summary>The stack pointer among registers.</summary>
    public static ulong StackPointer(byte[] context) => BinaryPrimitives.ReadUInt64LittleEndian(context.AsSpan(IsArm64 ? 0x100 : 0x98));

    private static bool IsArm64 => RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    /// <summary>Registers by thread id. The call returns when a thread that is to be suspended is: only then does it have registers to tell. Threads that are ending have none.</summary>
    public static Dictionary<uint, byte[]> Read(WindowsProcess process)
    {
        var threads = new Dictionary<uint, byte[]>();
        nint thread = 0;
        while (WindowsCalls.NtGetNextThread(process.Handle, thread, WindowsCalls.GetContext | WindowsCalls.QueryThread, 0, 0, out nint next) == 0)
        {
            Close(thread);
            thread = next;
            if (Context(thread) is { } context)
                threads[WindowsCalls.GetThreadId(thread)] = context;
        }
        Close(thread);
        return threads;
    }

    private static byte[]? Context(nint thread)
    {
        // On a multiple of 16.
        byte* memory = (byte*)NativeMemory.AlignedAlloc((nuint)Size, 16);
        try
        {
            NativeMemory.Clear(memory, (nuint)Size);
            *(uint*)(memory + FlagsAt) = Wanted;
            for (int i = 0; i < Tries; i++)
            {
                if (WindowsCalls.GetThreadContext(thread, memory) != 0)
                    return new Span<byte>(memory, Size).ToArray();
                if (Marshal.GetLastPInvokeError() != WindowsCalls.AccessDenied)
                    break;
            }
            return null;
        }
        finally
        {
            NativeMemory.AlignedFree(memory);
        }
    }

    private static void Close(nint thread)
    {
        if (thread != 0)
            _ = WindowsCalls.CloseHandle(thread);
    }
}
