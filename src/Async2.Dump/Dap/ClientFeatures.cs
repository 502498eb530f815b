namespace Async2.Dump.Dap;

/// <summary>What a client says about itself in <c>initialize</c>.</summary>
/// <param name="ShowsProgress">It takes progress events.</param>
/// <param name="FirstLine">Its number of the first line of a file.</param>
/// <param name="FirstColumn">Its number of the first column of a line.</param>
internal sealed record ClientFeatures(bool ShowsProgress = false, int FirstLine = 1, int FirstColumn = 1)
{
    public static ClientFeatures Read(DapRequest request) => new(
        request.Switch("supportsProgressReporting", false),
        request.Switch("linesStartAt1", true) ? 1 : 0,
        request.Switch("columnsStartAt1", true) ? 1 : 0);

    /// <summary>A line as it counts.</summary>
    public int Line(int line) => Math.Max(line - 1 + FirstLine, 0);
}
