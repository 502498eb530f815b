using System.Reflection.Metadata;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Code.Suspension;

/// <summary>
/// Has loaded what reading code needs, tables of the disassembler above all, while the target is being opened: that takes as long
/// as to decode all methods of a small program, and waits for nothing.
/// </summary>
internal static class CodeWarmup
{
    // MethodDef tokens of this very assembly; which methods they are does not matter.
    private const int FirstMethod = 0x06000001;
    private const int Methods = 8;

    private const ulong Resume = 0x1020304050607080;

    // call next; test rax, rax; jne next; mov rdx, Resume; mov [rcx+16], rdx; mov dword [rcx+24], 3; ret
    private static readonly byte[] Code =
    [
        0xE8, 0, 0, 0, 0, 0x48, 0x85, 0xC0, 0x75, 0x00, 0x48, 0xBA, 0x80, 0x70, 0x60, 0x50, 0x40, 0x30, 0x20, 0x10,
        0x48, 0x89, 0x51, 0x10, 0xC7, 0x41, 0x18, 3, 0, 0, 0, 0xC3,
    ];

    /// <summary>Begins on a thread of its own and returns at once.</summary>
    public static void Begin() => new Thread(() => UntrustedBytes.Read(Code, () => (int?)Run())) { IsBackground = true }.Start();

    /// <summary>Decodes a few instructions and names a few methods.</summary>
    /// <returns>How much of that was possible: blocks of code and names.</returns>
    public static int Run()
    {
        const ulong address = 0x1000;
        int done = X64SuspensionDecoder.Decode(Code, address, Resume).Length + X64FlowDecoder.Decode(Code, address).Blocks.Length;
        if (ModuleMetadata.Open(OwnMetadata()) is not { } metadata)
            return done;
        for (int token = FirstMethod; token < FirstMethod + Methods; token++)
            done += metadata.NameOf(token) is not null && metadata.FactsOf(token) is not null ? 1 : 0;
        return done;
    }

    private static unsafe byte[] OwnMetadata()
        => typeof(CodeWarmup).Assembly.TryGetRawMetadata(out byte* bytes, out int length) ? new ReadOnlySpan<byte>(bytes, length).ToArray() : [];
}
