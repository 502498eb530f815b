using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// What tells that asyncs of F# (<c>async { }</c>) were started: each that starts, or comes back from a wait, has a trampoline
/// (FSharp.Core 10, async.fs). They are closures that call closures, and no tasks.
/// </summary>
internal static class FSharpAsyncLayout
{
    private const string TrampolineHolder = "Microsoft.FSharp.Control.TrampolineHolder";

    public static bool IsStarted(ClrType type) => type.Name == TrampolineHolder;
}
