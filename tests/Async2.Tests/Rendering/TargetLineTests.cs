using Async2.Analysis.Model;
using Async2.Analysis.Rendering;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

public sealed class TargetLineTests
{
    private static readonly TargetFacts Bare = new() { Kind = TargetKind.Process, Pid = 12, Os = "linux", Architecture = "arm64" };

    [Fact]
    public void A_frozen_process_says_how_long_it_was_stopped()
        => Assert.Equal("process 12 (/app/shop), .NET 10.0.12, linux arm64, runtime-async, frozen for 1,234.5 ms",
            Line(Bare with { Path = "/app/shop", Runtime = "10.0.12", Families = ["runtime-async"], FreezeMs = 1234.54 }));

    [Fact]
    public void A_process_held_by_a_debugger_is_stopped()
        => Assert.Equal("process 12, .NET 10.0.12, linux arm64, held by a debugger", Line(Bare with { Runtime = "10.0.12", Held = true }));

    [Fact]
    public void Unknown_facts_are_reported()
        => Assert.Equal("process 12, runtime of unknown version, linux arm64, not frozen", Line(Bare));

    [Fact]
    public void A_dump_was_not_frozen_by_us()
        => Assert.Equal("dump /d/x.dmp, runtime of unknown version, linux arm64", Line(Bare with { Kind = TargetKind.Dump, Pid = null, Path = "/d/x.dmp" }));

    [Fact]
    public void Only_verbose_shows_the_layouts()
    {
        var drawing = new SnapshotDrawing { Target = Bare with { Layouts = [new("Async2Tasklets", "1", "file my.json")] } };
        Assert.DoesNotContain("my.json", Rendered.Text(drawing.Snapshot()), StringComparison.Ordinal);
        Assert.Equal("layout Async2Tasklets 1, from file my.json", Rendered.Text(drawing.Snapshot(), options: new RenderOptions { Verbose = true }).Split('\n')[2]);
        Assert.Contains("\"contract\": \"Async2Tasklets\",", Rendered.Json(drawing.Snapshot()), StringComparison.Ordinal);
    }

    private static string Line(TargetFacts facts)
        => Rendered.Text(new SnapshotDrawing { Target = facts }.Snapshot()).Split('\n')[1];
}
