using System.Runtime.InteropServices;
using System.Text;

namespace TaskletFixture.Runtime;

/// <summary>Functions of one shape of the native library.</summary>
public static unsafe class NativeTasklets
{
    /// <summary>Fills tasklets from the caller's callers.</summary>
    internal static delegate* unmanaged[Cdecl, SuppressGCTransition]<CaptureRequest*, void*> CapturePointer;

    /// <summary>Return addresses of the caller and its callers.</summary>
    internal static delegate* unmanaged[Cdecl, SuppressGCTransition]<nint*, int, byte*, int> ChainPointer;

    private static nint library;
    private static delegate* unmanaged[Cdecl]<nint, nint, int> learn;
    private static delegate* unmanaged[Cdecl]<void*, void*> next;
    private static delegate* unmanaged[Cdecl]<void*, int, int, void> setGeneration;
    private static delegate* unmanaged[Cdecl]<void*, void> delete;

    /// <summary>Loads a shape: <c>v4</c>, <c>v3</c>, <c>v2</c>, <c>shuffled</c>, with <c>-nocontract</c> behind it for one that does not describe itself.</summary>
    public static void Load(string shape)
    {
        string path = Path.Join(AppContext.BaseDirectory, $"libtasklets-{shape}.so");
        if (!File.Exists(path))
            throw new FileNotFoundException($"libtasklets-{shape}.so was not built: sudo apt-get install gcc libc6-dev, and build dumps/TaskletFixture again");
        library = NativeLibrary.Load(path);
        CapturePointer = (delegate* unmanaged[Cdecl, SuppressGCTransition]<CaptureRequest*, void*>)Export("tl_capture");
        ChainPointer = (delegate* unmanaged[Cdecl, SuppressGCTransition]<nint*, int, byte*, int>)Export("tl_chain");
        learn = (delegate* unmanaged[Cdecl]<nint, nint, int>)Export("tl_learn");
        next = (delegate* unmanaged[Cdecl]<void*, void*>)Export("tl_next");
        setGeneration = (delegate* unmanaged[Cdecl]<void*, int, int, void>)Export("tl_set_generation");
        delete = (delegate* unmanaged[Cdecl]<void*, void>)Export("tl_delete");
    }

    /// <summary>Address of a function of the library, for code that is made at run time.</summary>
    public static nint Export(string name) => NativeLibrary.GetExport(library, name);

    /// <summary>Name of the first rule that a stack breaks; null when all is well.</summary>
    public static string? Verify(nint innermost, out int good)
    {
        fixed (int* count = &good)
            return Marshal.PtrToStringUTF8((nint)((delegate* unmanaged[Cdecl]<nint, int*, byte*>)Export("tl_verify"))(innermost, count));
    }

    /// <summary>The same for the live list.</summary>
    public static string? VerifyList(out long tasklets)
    {
        fixed (long* count = &tasklets)
            return Marshal.PtrToStringUTF8((nint)((delegate* unmanaged[Cdecl]<long*, byte*>)Export("tl_verify_list"))(count));
    }

    public static bool Damage(string kind, nint innermost, int index)
    {
        fixed (byte* name = Encoding.UTF8.GetBytes(kind + "\0"))
            return ((delegate* unmanaged[Cdecl]<byte*, nint, int, int>)Export("tl_damage"))(name, innermost, index) != 0;
    }

    public static void SetAddress(nint innermost, int index, nint address)
        => ((delegate* unmanaged[Cdecl]<nint, int, nint, void>)Export("tl_set_ip"))(innermost, index, address);

    public static void Unregister(nint innermost) => ((delegate* unmanaged[Cdecl]<nint, void>)Export("tl_unregister"))(innermost);

    public static void SetGeneration(nint tasklet, int generation, bool callersToo) => setGeneration((void*)tasklet, generation, callersToo ? 1 : 0);

    public static nint Next(nint tasklet) => (nint)next((void*)tasklet);

    /// <summary>The layout as a file for the tool.</summary>
    public static string ContractFile()
    {
        byte[] buffer = new byte[16384];
        fixed (byte* first = buffer)
            return Encoding.UTF8.GetString(buffer, 0, ((delegate* unmanaged[Cdecl]<byte*, int, int>)Export("tl_contract_file"))(first, buffer.Length));
    }

    internal static int Learn(nint address, nint start) => learn(address, start);

    internal static void* Next(void* tasklet) => next(tasklet);

    internal static void SetGeneration(void* tasklet, int generation, int callersToo) => setGeneration(tasklet, generation, callersToo);

    internal static void Delete(void* tasklet) => delete(tasklet);
}
