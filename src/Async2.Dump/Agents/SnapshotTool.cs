using System.Text.Json.Nodes;
using Async2.Analysis.Targets.Windows;
using static Async2.Dump.Agents.AgentSchema;

namespace Async2.Dump.Agents;

/// <summary>Saves a capture for people and other tools.</summary>
internal sealed class SnapshotTool : AgentTool
{
    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    public override string Name => "snapshot";

    public override string About => "Saves a capture as a .async2snap file in an allowed folder, for people and for later: every command of dotnet-async2 reads it. Replaces nothing.";

    public override bool Writes => true;

    public override (string Name, JsonObject Type)[] Arguments => [("capture!", Text("Id that analyze returned, or a target that is read now.")), ("file!", Text("A new file in an allowed folder."))];

    public override JsonObject Answer => Record(("capture!", Text()), ("file!", Text()), ("bytes!", Number()));

    public override async Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation)
    {
        _ = call.Budget();
        string file = call.Captures.Allowed.ToWrite(call.Needed("file"));
        Capture capture = await call.Captures.Of(call.Needed("capture"), cancellation).ConfigureAwait(false);
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = Owner;
        long bytes;
        using (FileStream source = File.OpenRead(capture.File), copy = OperatingSystem.IsWindows() ? PrivateFile.Create(file) : new(file, options))
        {
            source.CopyTo(copy);
            bytes = copy.Length;
        }
        return new($"Saved {capture.Id}: {bytes} bytes.", new() { ["capture"] = capture.Id, ["file"] = AgentJson.Safe(file), ["bytes"] = bytes });
    }
}
