using System.Buffers.Binary;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Runtimes;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Decoding;

/// <summary>
/// Resolves the target of a native call to a method, through slots and through the runtime's precode stubs
/// (x64 coreclr 10.0.12, src/coreclr/vm/amd64: FixupPrecode, StubPrecode, CallCountingStub).
/// </summary>
internal sealed class CallTargets(Target target)
{
    private const int StubSize = 24;

    private readonly Dictionary<AwaitCall, ClrMethod?> _known = [];

    /// <summary>Null if the call goes through an object, or its target is not a managed method.</summary>
    public ClrMethod? Resolve(AwaitCall call)
    {
        AwaitCall key = call with { Address = 0 };
        if (call.Target == 0)
            return null;
        if (!_known.TryGetValue(key, out ClrMethod? method))
            _known[key] = method = Find(call);
        return method;
    }

    private ClrMethod? Find(AwaitCall call)
    {
        ulong address = call.Target;
        if (call.ThroughSlot && !target.Memory.TryReadPointer(address, out address))
            return null;
        return CodeAt(address);
    }

    /// <summary>The method whose code, or a stub that leads to it, is at an address: a delegate has one of the two. Null if that is not known, or the library has crashed too often to be asked.</summary>
    public ClrMethod? MethodAt(ulong address) => DacCrash.LeavesThreadsOut ? null : CodeAt(address);

    // The data access library of 10.0.12 crashes on the address of a stub of a method that was made at run time, so stubs are not shown to it.
    private ClrMethod? CodeAt(ulong address)
    {
        Span<byte> code = stackalloc byte[StubSize];
        return address == 0 ? null : target.Memory.TryRead(address, code) && IsStub(code) ? ThroughPrecode(address, code) : target.Runtime.GetMethodByInstructionPointer(address);
    }

    private static bool IsStub(ReadOnlySpan<byte> code) => (IsJump(code) && IsLoadR10(code[6..])) || IsCounting(code) || (IsLoadR10(code) && IsJump(code[7..]));

    private static bool IsCounting(ReadOnlySpan<byte> code) => code.StartsWith((ReadOnlySpan<byte>)[0x48, 0x8B, 0x05]) && code[7..12].SequenceEqual((ReadOnlySpan<byte>)[0x66, 0xFF, 0x08, 0x74, 0x06]) && IsJump(code[12..]);

    private ClrMethod? ThroughPrecode(ulong address, ReadOnlySpan<byte> code)
    {
        // FixupPrecode: jmp [rip+target]; mov r10, [rip+methodDesc]; jmp ...
        if (IsJump(code) && IsLoadR10(code[6..]))
            return MethodAt(address + 13, code[9..]) ?? CodeAt(address + 6, code[2..]);
        // CallCountingStub: mov rax, [rip+counter]; dec word [rax]; je reached; jmp [rip+target]
        if (IsCounting(code))
            return CodeAt(address + 18, code[14..]);
        // StubPrecode: mov r10, [rip+methodDesc]; jmp [rip+target]
        return MethodAt(address + 7, code[3..]) ?? CodeAt(address + 13, code[9..]);
    }

    private static bool IsJump(ReadOnlySpan<byte> code) => code[0] == 0xFF && code[1] == 0x25;

    private static bool IsLoadR10(ReadOnlySpan<byte> code) => code[0] == 0x4C && code[1] == 0x8B && code[2] == 0x15;

    private ClrMethod? MethodAt(ulong nextInstruction, ReadOnlySpan<byte> displacement)
        => target.Memory.TryReadPointer(Slot(nextInstruction, displacement), out ulong methodDesc) && methodDesc != 0 && !MethodDescLayout.IsDynamic(target.Memory, methodDesc)
            ? target.Runtime.GetMethodByHandle(methodDesc) : null;

    private ClrMethod? CodeAt(ulong nextInstruction, ReadOnlySpan<byte> displacement)
        => target.Memory.TryReadPointer(Slot(nextInstruction, displacement), out ulong code) && !IsStub(code)
            ? target.Runtime.GetMethodByInstructionPointer(code) : null;

    private bool IsStub(ulong address)
    {
        Span<byte> code = stackalloc byte[StubSize];
        return target.Memory.TryRead(address, code) && IsStub(code);
    }

    private static ulong Slot(ulong nextInstruction, ReadOnlySpan<byte> displacement)
        => nextInstruction + (ulong)BinaryPrimitives.ReadInt32LittleEndian(displacement);
}
