namespace Async2.Analysis.Layouts;

/// <summary>What the address in a <see cref="Site"/> is.</summary>
internal enum SiteKind
{
    /// <summary>The stub that resumes a continuation of .NET 10's family.</summary>
    ResumeStub,

    /// <summary>The <c>ResumeInfo</c> of a continuation of .NET 11's family.</summary>
    ResumeInfo,

    /// <summary>The return address at which a tasklet goes on.</summary>
    RestoreIP,
}

/// <summary>Where a suspended frame stands, as its object says it; equal for all frames that stand there.</summary>
/// <param name="Address">
/// A stub or a ResumeInfo, 0 for the final continuation of a chain, which only holds the result; or a return address.
/// </param>
/// <param name="State">Number of the suspension point in the native body; 0 of a tasklet.</param>
/// <param name="Kind">What the address is.</param>
internal readonly record struct Site(ulong Address, uint State, SiteKind Kind = SiteKind.ResumeStub)
{
    /// <summary>It ends a chain and has no frame.</summary>
    public bool IsFinal => Address == 0 && Kind == SiteKind.ResumeStub;
}
