namespace Async2.Analysis.Code.Suspension;

/// <summary>
/// The name that the runtime gives to a resume stub: <c>IL_STUB_AsyncResume_PayAsync_Tier0</c> (10.0.12). It has the method's
/// simple name, and no type or module.
/// </summary>
internal static class ResumeStubName
{
    private const string Prefix = "IL_STUB_AsyncResume_";

    /// <summary>Null for another name.</summary>
    public static string? MethodIn(string? stubName)
    {
        if (stubName is null || stubName.Length == Prefix.Length || !stubName.StartsWith(Prefix, StringComparison.Ordinal))
            return null;
        string name = stubName[Prefix.Length..];
        int tier = name.LastIndexOf('_');
        return tier > 0 ? name[..tier] : name;
    }
}
