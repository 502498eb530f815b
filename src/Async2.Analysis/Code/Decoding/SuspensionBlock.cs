using System.Collections.Immutable;

namespace Async2.Analysis.Code.Decoding;

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
}
