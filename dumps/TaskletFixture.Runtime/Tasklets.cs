using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Owner = System.Runtime.CompilerServices.RuntimeHelpers.RuntimeAsyncMaintainedData;

namespace TaskletFixture.Runtime;

/// <summary>What is captured and how it goes on: the door to the native library, which has the structures.</summary>
public static unsafe class Tasklets
{
    private static readonly Dictionary<nint, Action> Bodies = [];

    /// <summary>Told of each capture, by the program that knows what it suspended.</summary>
    public static Action<Owner>? Captured { get; set; }

    /// <summary>What the frames keep, as recorded by the program since the last capture; innermost user frame first.</summary>
    public static Func<Note[]> Notes { get; set; } = () => [];

    /// <summary>What runs when a tasklet is resumed; nothing when it was not said.</summary>
    public static void SetBody(nint tasklet, Action body)
    {
        lock (Bodies)
            Bodies[tasklet] = body;
    }

    internal static Action? TakeBody(void* tasklet)
    {
        lock (Bodies)
        {
            Bodies.Remove((nint)tasklet, out Action? body);
            return body;
        }
    }

    internal static void* Next(void* tasklet) => NativeTasklets.Next(tasklet);

    internal static void SetGeneration(void* tasklet, int generation, bool callersToo) => NativeTasklets.SetGeneration(tasklet, generation, callersToo ? 1 : 0);

    internal static void Delete(void* tasklet) => NativeTasklets.Delete(tasklet);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void* Capture(byte* mark, byte* end, void* callers, out int frames)
    {
        Note[] notes = Notes();
        fixed (Note* first = notes)
        {
            var request = new CaptureRequest { CrawlMark = mark, End = end, Callers = callers, Notes = first, NoteCount = notes.Length };
            void* innermost = Capture(&request);
            frames = request.Frames;
            return innermost;
        }
    }

    // No stub may be between this method and the native one: it would be one more frame. So it is called through a pointer, here.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void* Capture(CaptureRequest* request)
    {
        void* innermost;
        while ((innermost = NativeTasklets.CapturePointer(request)) == null)
        {
            if (request->Unknown == 0)
                throw new InvalidOperationException("no frame could be captured: too many of them, or none that is not the runtime's");
            CodeStarts.Learn(request->End, request->Innermost);
        }
        return innermost;
    }
}

/// <summary>An object, or an address of a variable, that a frame keeps. Frames count from the innermost user's.</summary>
[StructLayout(LayoutKind.Sequential)]
public readonly struct Note(int frame, bool isByRef, nint value)
{
    public readonly int Frame = frame;
    public readonly int IsByRef = isByRef ? 1 : 0;
    public readonly nint Value = value;
}

/// <summary>As native/tasklets.h has it.</summary>
internal unsafe struct CaptureRequest
{
    public byte* CrawlMark;
    public byte* End;
    public void* Callers;
    public Note* Notes;
    public int NoteCount;
    public int Frames;
    public nint Unknown;
    public nint Innermost;
}
