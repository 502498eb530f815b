using System.Reflection.Metadata;
using Async2.Analysis.Code.Metadata;

namespace Async2.Analysis.Code;

/// <summary>
/// Has loaded what reading code needs, tables of the disassembler above all, while the target is being opened: that takes as long
/// as to decode all methods of a small program, and waits for nothing.
/// </summary>
internal static class CodeWarmup
{
    // MethodDef tokens of this very assembly; which methods they are does not matter.
    private const int FirstMethod = 0x06000001;
    private const int Methods = 8;

    // mov rax, imm64; mov [rcx+8], eax; call next; test rax, rax; jne next; ret
    private static readonly byte[] Code =
        [0x48, 0xB8, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x89, 0x41, 0x08, 0xE8, 0, 0, 0, 0, 0x48, 0x85, 0xC0, 0x75, 0x00, 0xC3];

    /// <summary>Begins on a thread of its own and returns at once.</summary>
    public static void Begin() => new Thread(Run) { IsBackground = true }.Start();

    private static void Run()
    {
        const ulong address = 0x1000;
        _ = X64SuspensionDecoder.Decode(Code, address, resume: 0x10);
        _ = X64FlowDecoder.Decode(Code, address);
        if (ModuleMetadata.Open(OwnMetadata()) is not { } metadata)
            return;
        for (int token = FirstMethod; token < FirstMethod + Methods; token++)
        {
            _ = metadata.NameOf(token);
            _ = metadata.FactsOf(token);
        }
    }

    private static unsafe byte[] OwnMetadata()
        => typeof(CodeWarmup).Assembly.TryGetRawMetadata(out byte* bytes, out int length) ? new ReadOnlySpan<byte>(bytes, length).ToArray() : [];
}
