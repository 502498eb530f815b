using Async2.Analysis.Layouts;

namespace Async2.Analysis.Code.Suspension;

/// <summary>Finds the code behind one kind of place: behind a ResumeInfo of .NET 11, behind a return address.</summary>
internal interface ISitePoints
{
    /// <summary>The places that it knows.</summary>
    SiteKind Kind { get; }

    /// <summary>What stands there.</summary>
    SuspensionPoint At(Site site);
}
