using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Elided;

/// <summary>
/// A method that is logically on the stack without an object in memory: the JIT inlined it, or it ended in a tail await.
/// </summary>
/// <param name="Module">Its module.</param>
/// <param name="Facts">The method.</param>
/// <param name="Site">The await where it is; null if several are possible.</param>
/// <param name="Exactness">How certain <paramref name="Site"/> is; that the method is on the stack is always proven.</param>
internal sealed record ElidedFrame(LoadedModule Module, MethodFacts Facts, AwaitSite? Site, Exactness Exactness);

/// <summary>The frames between two physical frames.</summary>
/// <param name="Frames">Recovered frames, innermost first.</param>
/// <param name="IsGap">There are more that could not be recovered.</param>
internal sealed record ElidedFrames(IReadOnlyList<ElidedFrame> Frames, bool IsGap)
{
    public static ElidedFrames None { get; } = new([], IsGap: false);
}
