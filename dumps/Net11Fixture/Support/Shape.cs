extern alias net11;

using System.Runtime.CompilerServices;
using net11::System.Runtime.CompilerServices;
using AsyncHelpers = net11::System.Runtime.CompilerServices.AsyncHelpers;

namespace Net11Fixture.Support;

/// <summary>Objects must lie in memory as in .NET 11, byte for byte; else nothing that is read here proves anything.</summary>
internal static unsafe class Shape
{
    public static void Check()
    {
        var head = new RuntimeAsyncTaskContinuation();
        Expect(0x08, head, ref head.Next);
        fixed (void* resume = &head.ResumeInfo)
            Expect(0x10, head, resume);
        Expect(0x18, head, ref head.Flags);
        Expect(0x1c, head, ref head.State);
        Expect(0x20, head, ref head.Task);
        Expect(0x28, head, ref head.RuntimeAsyncTask);
        Expect(0x30, head, ref head.ContinuationContext);
        var source = new AsyncHelpers.ValueTaskSourceContinuation();
        Expect(0x20, source, ref source.Source);
        Expect(0x38, source, ref source.Token);
        var data = new Continuation_56_0_5();
        Expect(0x20, data, ref data.ExecutionContext);
        Expect(0x40, data, ref data.Second);
        Expect(0x48, data, ref data.Result);
        AsyncDispatcherInfo info = default;
        Expect(8, (byte*)Unsafe.AsPointer(ref info.NextContinuation) - (byte*)&info);
        Expect(16, (byte*)Unsafe.AsPointer(ref info.CurrentTask) - (byte*)&info);
    }

    private static void Expect<T>(int offset, object owner, ref T field) => Expect(offset, owner, Unsafe.AsPointer(ref field));

    // The collector may move an object between the two reads; then it is read again.
    private static void Expect(int offset, object owner, void* field)
        => Expect(offset, (byte*)field - *(byte**)Unsafe.AsPointer(ref owner));

    private static void Expect(long expected, long found)
    {
        if (expected != found)
            throw new InvalidOperationException($"a field lies at 0x{found:x}, and .NET 11 has it at 0x{expected:x}");
    }
}
