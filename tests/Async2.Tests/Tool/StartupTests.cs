using System.Diagnostics;
using System.Globalization;
using System.Reflection.PortableExecutable;
using Async2.Analysis.Targets.Processes;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>What keeps the tool's start short. No time is measured: what is not loaded or compiled takes none.</summary>
[Collection(ToolCollection.Name)]
public sealed class StartupTests(RunningSample sample)
{
    [Theory]
    [InlineData("dotnet-async2")]
    [InlineData("Async2.Analysis")]
    [InlineData("Microsoft.Diagnostics.Runtime")]
    [InlineData("Microsoft.Diagnostics.NETCore.Client")]
    [InlineData("Iced")]
    [InlineData("System.CommandLine")]
    [InlineData("Spectre.Console")]
    [InlineData("sos/10/Async2.Sos")]
    [InlineData("sos/10/Async2.Analysis")]
    [InlineData("sos/10/Iced")]
    public void The_tool_is_compiled_ahead_of_time(string assembly)
    {
        Assert.SkipUnless(AppContext.BaseDirectory.Contains("/Release/", StringComparison.Ordinal), "only Release builds are");
        Assert.SkipUnless(HasCrossgen, "crossgen2 could not be restored: see the note of the build");
        using FileStream file = File.OpenRead(Path.Join(AppContext.BaseDirectory, assembly + ".dll"));
        using var image = new PEReader(file);
        Assert.True(image.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size > 0);
    }

    /// <summary>Without the list of methods for crossgen2 it was 1,240. Does it grow: <c>npm run startup-methods</c>, then build again.</summary>
    [Fact]
    public void Few_methods_are_left_to_the_JIT()
    {
        Assert.SkipUnless(AppContext.BaseDirectory.Contains("/Release/", StringComparison.Ordinal), "only Release builds are compiled ahead of time");
        Assert.SkipUnless(HasCrossgen, "crossgen2 could not be restored: see the note of the build");
        string folder = Directory.CreateTempSubdirectory("compiled").FullName;
        Assert.Equal(0, ToolRun.Shell($"DOTNET_STARTUP_HOOKS='{Hook}' STARTUP_COUNT='{folder}' $TOOL {sample.PidText}").ExitCode);
        int[] counts = [.. Directory.GetFiles(folder).Select(file => int.Parse(File.ReadAllText(file), CultureInfo.InvariantCulture))];
        Directory.Delete(folder, recursive: true);
        // One of them is the supervisor's.
        Assert.Equal(2, counts.Length);
        Assert.InRange(counts.Max(), 50, 600);
    }

    [Fact]
    public void A_supervisor_does_not_parse_its_command_line()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "looks into /proc");
        Process tool = ToolRun.Start(sample.PidText, "--limit", "1");
        int reader = 0;
        ProcessFacts.WaitUntil(() => (reader = ProcessFacts.Children(tool.Id).FirstOrDefault()) != 0, "a reader is started");
        ProcessFacts.Signal(reader, "STOP");
        string[] unneeded = ["System.CommandLine.dll", "Spectre.Console.dll", "System.Diagnostics.Process.dll", "Async2.Analysis.dll", "Microsoft.Diagnostics.Runtime.dll"];
        string[] loaded = [.. unneeded.Where(library => ProcessFacts.Maps(tool.Id, library))];
        ProcessFacts.Signal(reader, "CONT");
        Assert.Equal(0, ToolRun.Finish(tool).ExitCode);
        Assert.Empty(loaded);
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public void A_worker_that_is_asked_to_stop_before_it_listens_was_interrupted(string signal)
    {
        Process tool = ToolRun.Start([("DOTNET_STARTUP_HOOKS", Hook), ("STARTUP_STOP", OwnProcesses.SupervisorVariable)], sample.PidText);
        int reader = 0;
        try
        {
            // It stops itself before its first line: however long this test is kept waiting, the reader gets no further.
            ProcessFacts.WaitUntil(() => (reader = ProcessFacts.Children(tool.Id).FirstOrDefault()) != 0 && ProcessFacts.Status(reader, "State")?.Contains('T') == true, "a reader is started");
            ProcessFacts.Signal(tool.Id, signal);
            // The supervisor passes it on.
            ProcessFacts.WaitUntil(() => ProcessFacts.Status(reader, "ShdPnd") is { } pending && pending != "0000000000000000", "the reader is asked to stop");
            ProcessFacts.Signal(reader, "CONT");
            ToolRun run = ToolRun.Finish(tool);
            Assert.Equal(130, run.ExitCode);
            Assert.True(run.Output.Contains("A2D3003", StringComparison.Ordinal) || run.Error.StartsWith("error: interrupted", StringComparison.Ordinal), run.Output + run.Error);
        }
        finally
        {
            // Nobody else ends one that is stopped.
            if (reader != 0 && ProcessFacts.Status(reader, "State")?.Contains('T') == true)
                ProcessFacts.Signal(reader, "KILL");
        }
    }

    private static string Hook => Repository.PathOf("tests", "StartupMethods", "bin", AppContext.BaseDirectory.Contains("/Release/", StringComparison.Ordinal) ? "Release" : "Debug", "net10.0", "StartupMethods.dll");

    private static bool HasCrossgen => Directory.Exists(Path.Join(
        Environment.GetEnvironmentVariable("NUGET_PACKAGES") ?? Path.Join(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages"),
        "microsoft.netcore.app.crossgen2.linux-x64"));
}
