using Async2.Analysis.Model;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>What one awaited object says, and the object behind it that it stands for.</summary>
/// <param name="Reason">Null when the object says nothing of its own.</param>
/// <param name="Behind">0 for none.</param>
/// <param name="IsTransparent">What is behind speaks for both: a semaphore's own timeout is not a wait of its own.</param>
internal readonly record struct WaitStep(WaitReason? Reason, ulong Behind = 0, bool IsTransparent = false);

/// <summary>Reads one object of a type that a family knows.</summary>
internal delegate WaitStep WaitStepReader(ulong address);

/// <summary>A family of awaited objects.</summary>
internal interface IWaitFamily
{
    /// <summary>How to read objects of a type; null when the type is not of this family. Asked once for each method table.</summary>
    WaitStepReader? ReaderOf(ClrType type);
}
