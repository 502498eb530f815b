using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Decodes the suspension blocks of one native body.</summary>
/// <param name="code">The machine code of the body.</param>
/// <param name="address">Its address in the target.</param>
/// <param name="resume">The resume stub that the body stores into its continuations.</param>
internal delegate ImmutableArray<SuspensionBlock> SuspensionDecoder(byte[] code, ulong address, ulong resume);

/// <summary>All decoders, by architecture: a new one is one file and one line here.</summary>
internal static class SuspensionDecoders
{
    /// <summary>Null for an architecture without a decoder: its awaits stay approximate, which is reported.</summary>
    public static SuspensionDecoder? For(Architecture architecture) => architecture switch
    {
        Architecture.X64 => X64SuspensionDecoder.Decode,
        _ => null,
    };

    /// <summary>
    /// Whether the code of a target can be decoded. An architecture with a decoder of suspension blocks has all other decoders: of calls, of control flow, of
    /// jumps out of a method, of saved variables.
    /// </summary>
    public static bool Know(Target target) => For(target.Architecture) is not null;
}

/// <summary>A call in native code whose callee may suspend.</summary>
/// <param name="Address">Address of the call instruction.</param>
/// <param name="Target">Its target; 0 for a call that depends on an object (virtual, interface, delegate).</param>
/// <param name="ThroughSlot">The target is the address of a pointer to the code, not of the code.</param>
internal sealed record AwaitCall(ulong Address, ulong Target, bool ThroughSlot);

/// <summary>
/// The native code that stores a method's locals into a new continuation when its callee suspends: it stores the state and
/// follows one call, the await. There is one block for each state of a body.
/// </summary>
/// <param name="State">The value it stores as <c>Continuation.State</c>.</param>
/// <param name="Address">First instruction of the block.</param>
/// <param name="Calls">The calls from which the block is reached; one, unless the JIT merged blocks.</param>
internal sealed record SuspensionBlock(uint State, ulong Address, ImmutableArray<AwaitCall> Calls)
{
    /// <summary>The resume stub that it stores.</summary>
    public ulong Resume { get; init; }

    /// <summary>The body has its locals around a register of its own, not only around the stack pointer. On Windows optimised code often uses that register for something else.</summary>
    public bool HasFramePointer { get; init; } = true;
}
