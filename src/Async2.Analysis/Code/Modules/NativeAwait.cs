namespace Async2.Analysis.Code.Modules;

/// <summary>One suspension point of a native body, seen from the native side.</summary>
/// <param name="State">Its number in <c>Continuation.State</c>.</param>
/// <param name="Offset">Offset of the call, from the start of the body.</param>
/// <param name="Callee">The method called; null where the call goes through an object.</param>
/// <param name="IsOpen">The code does not say what is called: an object does, or a lookup in shared code.</param>
internal sealed record NativeAwait(uint State, uint Offset, CalleeName? Callee, bool IsOpen = false);

/// <summary>What a native call target is called, enough to compare it with a call in IL.</summary>
/// <param name="Type">Full metadata name of the declaring type, <c>Shop.Cache`1</c>.</param>
/// <param name="Method">Metadata name of the method.</param>
internal readonly record struct CalleeName(string Type, string Method);
