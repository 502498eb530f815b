namespace Async2.Dump.Dap.Protocol;

/// <summary>What a client says about itself in <c>initialize</c>.</summary>
/// <param name="ShowsProgress">It supports progress events.</param>
/// <param name="FirstLine">Its number of the first line of a file.</param>
/// <param name="FirstColumn">Its number of the first column of a line.</param>
/// <param name="DelaysFrames">
/// Whether partial stacks are worth it for this client. VS Code asks for one frame and half a second later for more, and shows
/// nothing until then, because the first frame here is a label, which it cannot open; without this feature it asks for twenty at once.
/// </param>
internal sealed record ClientFeatures(bool ShowsProgress = false, int FirstLine = 1, int FirstColumn = 1, bool DelaysFrames = true)
{
    public static ClientFeatures Read(DapRequest request) => new(
        request.Switch("supportsProgressReporting", false),
        request.Switch("linesStartAt1", true) ? 1 : 0,
        request.Switch("columnsStartAt1", true) ? 1 : 0,
        request.Text("clientID") != "vscode");

    /// <summary>A line number as the client counts.</summary>
    public int Line(int line) => Math.Max(line - 1 + FirstLine, 0);
}
