using Async2.Analysis.Code.Modules;

namespace Async2.Analysis.Code.Suspension;

/// <summary>A call in native code.</summary>
/// <param name="Offset">Of the instruction, from the start of the body.</param>
/// <param name="End">Behind it: what a frame has for its return address.</param>
/// <param name="Callee">The managed method that the code names; null if it names none.</param>
/// <param name="IsOpen">The code does not say what is called: an object does.</param>
internal sealed record NativeCall(uint Offset, uint End, CalleeName? Callee, bool IsOpen);
