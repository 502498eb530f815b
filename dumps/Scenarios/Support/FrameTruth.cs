namespace Scenarios.Support;

/// <summary>Where one frame stood when it awaited, by the compiler's own account.</summary>
/// <param name="Method">[CallerMemberName]: for lambdas and local functions the member that holds them.</param>
/// <param name="File">File name without folders.</param>
/// <param name="Line">First line of the statement that awaits.</param>
/// <param name="Site">Ordinal of the await in its method, from 1, in order of IL; 0 where the line alone tells.</param>
/// <param name="Kind">One of <see cref="FrameKind"/>, or null for a method that follows the build's way.</param>
public sealed record FrameTruth(string Method, string File, int Line, int Site, string? Kind)
{
    /// <summary>Arguments and locals that are needed after the await, as far as the scenario recorded them.</summary>
    public IReadOnlyList<LocalTruth> Locals { get; init; } = [];
}
