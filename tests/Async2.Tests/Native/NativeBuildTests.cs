using System.IO.Compression;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Native;

/// <summary>What the native build is, and that it says the same. "npm test" makes it, and runs these tests with ASYNC2_NATIVE (scripts/native.mjs).</summary>
[Trait("Category", "Native")]
public sealed class NativeBuildTests : IDisposable
{
    private const int MostMegabytes = 30;
    private static readonly string Portable = Path.Join(AppContext.BaseDirectory, "dotnet-async2.dll");

    private readonly TemporaryFolder _folder = new();

    public static TheoryData<string> Situations => new("cycle", "blocked", "holders", "posted", "orphans", "holderMore");

    [Fact]
    public void It_is_one_small_file_that_needs_the_c_library_only()
    {
        Assert.InRange(new FileInfo(ToolRun.Native!).Length, 1, MostMegabytes * 1_000_000);
        Assert.All(SlimRoot.LibrariesOf(ToolRun.Native!), library => Assert.Matches(@"/(libc|libm|libdl|libpthread|librt|ld-linux-x86-64)\.so\.\d$", library));
    }

    [Fact]
    public void Packages_have_no_symbols_and_no_comments()
    {
        string folder = Environment.GetEnvironmentVariable("ASYNC2_NATIVE_PACKAGES") ?? throw new InvalidOperationException("ASYNC2_NATIVE_PACKAGES is not set: npm run native -- --packages");
        string[] packages = Directory.GetFiles(folder, "dotnet-async2.*.nupkg");
        Assert.Equal(["dotnet-async2.0.1.0.nupkg", "dotnet-async2.any.0.1.0.nupkg", "dotnet-async2.linux-x64.0.1.0.nupkg"], packages.Select(Path.GetFileName).Order(StringComparer.Ordinal));
        foreach (string package in packages)
        {
            using ZipArchive content = ZipFile.OpenRead(package);
            string[] names = [.. content.Entries.Select(entry => entry.FullName)];
            // The sample needs its lines.
            Assert.DoesNotContain(names, name => Path.GetExtension(name) is ".pdb" or ".dbg" && Path.GetFileName(name) != "Demo.pdb");
            Assert.Equal(["DotnetToolSettings.xml", "[Content_Types].xml"], names.Where(name => Path.GetExtension(name) == ".xml").Select(Path.GetFileName).Order(StringComparer.Ordinal));
        }
    }

    [Fact]
    public void Of_a_dump_of_all_scenarios_every_answer_is_the_same_to_the_byte()
    {
        string dump = _folder.PathOf("all.dmp");
        using (ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, []))
            Assert.Equal(0, ToolRun.Of("dump", "collect", $"{process.Pid}", "-o", dump).ExitCode);
        foreach (string options in (string[])["--all --format json --locals", "--format text", "--format html", "--format sarif"])
            Same([dump, .. options.Split(' ')]);
        string[] files = [_folder.PathOf("native.async2snap"), _folder.PathOf("portable.async2snap")];
        Assert.Equal(0, ToolRun.Of("snapshot", dump, "--locals", "-o", files[0]).ExitCode);
        Assert.Equal(0, ToolRun.OfDotnet(Portable, "snapshot", dump, "--locals", "-o", files[1]).ExitCode);
        Assert.Equal(File.ReadAllBytes(files[1]), File.ReadAllBytes(files[0]));
    }

    [Theory]
    [MemberData(nameof(Situations))]
    public void Of_a_process_every_answer_is_the_same(string situation)
    {
        foreach (ScenarioBuild build in (ScenarioBuild[])[ScenarioBuild.Situations, ScenarioBuild.SituationsClassic])
        {
            using ScenarioProcess process = ScenarioProcess.Start(build, [situation]);
            string snapshot = _folder.PathOf($"{Path.GetFileName(build.Assembly)}.async2snap");
            Assert.Equal(0, ToolRun.Of("snapshot", $"{process.Pid}", "-o", snapshot).ExitCode);
            Same([snapshot, "--all", "--format", "json"]);
            Same([snapshot, "--group-by", "waiting-on"]);
            Assert.Equal(Verdict(ToolRun.OfDotnet(Portable, $"{process.Pid}", "--findings-only")), Verdict(ToolRun.Of($"{process.Pid}", "--findings-only")));
        }
    }

    [Fact]
    public void What_travels_with_it_is_found()
    {
        ToolRun demo = ToolRun.Of("demo");
        Assert.Equal((0, ""), (demo.ExitCode, demo.Error));
        Assert.Contains("398x  awaiting  SemaphoreSlim.WaitAsync", demo.Output, StringComparison.Ordinal);
        ToolRun plugin = ToolRun.Of("sos", "path");
        Assert.Equal((0, ""), (plugin.ExitCode, plugin.Error));
        Assert.Equal(0, ToolRun.Of("check", "--self-test").ExitCode);
    }

    public void Dispose() => _folder.Dispose();

    private static void Same(string[] arguments)
    {
        ToolRun native = ToolRun.Of(arguments), portable = ToolRun.OfDotnet([Portable, .. arguments]);
        Assert.Equal((portable.ExitCode, portable.Error), (native.ExitCode, native.Error));
        Assert.Equal(portable.Output, native.Output);
    }

    // All but how long it was stopped, which no two looks have in common.
    private static (int ExitCode, string Text) Verdict(ToolRun run) => (run.ExitCode, string.Join('\n', run.Output.Split('\n').Where(line => !line.StartsWith("process ", StringComparison.Ordinal))));
}
