using Async2.Tests.Support;

namespace Async2.Tests.Sos;

/// <summary>The tool's commands that bring the plugin to its hosts, in homes of their own.</summary>
[Trait("Category", "Integration")]
public sealed class InstallTests : IDisposable
{
    private readonly TemporaryFolder _home = new();

    private string Sos => _home.PathOf(".dotnet/sos");

    private string DotnetDump => _home.PathOf(".dotnet/tools/.store/dotnet-dump/9.0.1/dotnet-dump/9.0.1/tools/net8.0/any");

    public void Dispose() => _home.Dispose();

    [Fact]
    public void Each_host_gets_the_plugin_that_fits_it()
    {
        Place(Sos, 10);
        Place(DotnetDump, 9);
        ToolRun first = Run("install"), second = Run("install");
        Assert.Equal($"""
            dotnet-dump 9.0.14.45401: installed, for hosts of version 9
              {DotnetDump}/extensions
              next: dotnet-dump analyze FILE -c dumpasync2
            sos 10.0.14.45401: installed, for hosts of version 10
              {Sos}/extensions
              next: sos dumpasync2 in lldb, !sos dumpasync2 in WinDbg

            """, first.Output);
        Assert.Equal(first.Output.Replace(": installed", ": is installed already", StringComparison.Ordinal), second.Output);
        Assert.Equal(["Async2.Sos.dll"], Directory.GetFiles(Path.Join(Sos, "extensions")).Select(Path.GetFileName));
        Assert.Equal(File.ReadAllBytes(SosHost.PluginFor(9)), File.ReadAllBytes(Path.Join(DotnetDump, "extensions", "Async2.Sos.dll")));

        Assert.Contains("sos 10.0.14.45401: taken away", Run("uninstall").Output);
        Assert.Contains("sos 10.0.14.45401: was not installed", Run("uninstall").Output);
        Assert.Equal(["Microsoft.Diagnostics.DebugServices.dll"], Directory.GetFileSystemEntries(Sos).Select(Path.GetFileName));
    }

    [Fact]
    public void What_is_installed_runs()
    {
        Place(Sos, 8);
        Assert.Equal(0, Run("install", "--host", "sos").ExitCode);
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        string text = new SosHost { Major = 8, Extension = Path.Join(Sos, "extensions", "Async2.Sos.dll") }.Run($"{process.Pid}", "dumpasync2");
        Assert.StartsWith("4 stacks suspended", text);
    }

    [Fact]
    public void A_newer_plugin_replaces_the_old_one()
    {
        Place(Sos, 10);
        Run("install");
        string folder = Path.Join(Sos, "extensions");
        File.WriteAllText(Path.Join(folder, "Async2.Sos.dll"), "old");
        File.WriteAllText(Path.Join(folder, "Async2.Sos", "Gone.dll"), "old");
        File.WriteAllText(Path.Join(folder, "Other.dll"), "another's");
        Assert.Contains(": installed,", Run("install").Output);
        Assert.Equal(File.ReadAllBytes(SosHost.PluginFor(10)), File.ReadAllBytes(Path.Join(folder, "Async2.Sos.dll")));
        Assert.False(File.Exists(Path.Join(folder, "Async2.Sos", "Gone.dll")));
        Run("uninstall");
        Assert.Equal([Path.Join(folder, "Other.dll")], Directory.GetFileSystemEntries(folder));
    }

    [Fact]
    public void The_path_is_a_line_for_the_shell()
    {
        string Line(int major) => $"export DOTNET_DIAGNOSTIC_EXTENSIONS='{SosHost.PluginFor(major)}'\n";
        Assert.Equal(Line(10), Run("path").Output);
        Assert.Equal(Line(8), Run("path", "--major", "8").Output);
        Place(DotnetDump, 9);
        Assert.Equal(Line(9), Run("path").Output);
        Place(Sos, 10);
        Assert.Equal(Line(10), Run("path", "--host", "sos").Output);
    }

    [Fact]
    public void Without_a_host()
    {
        Outcome.IsRefusal(Run("install"), 3, $"Neither dotnet-dump nor SOS is installed below '{_home.Path}/.dotnet'", "dotnet tool install --global dotnet-dump");
        Outcome.IsRefusal(Run("uninstall", "--host", "sos"), 3, $"SOS is not installed: there is nothing in '{Sos}'", "dotnet-sos install");
        Outcome.IsRefusal(Run("path", "--host", "dotnet-dump"), 3, "dotnet-dump is not installed", "dotnet tool install --global dotnet-dump");
    }

    [Fact]
    public void A_host_of_a_version_that_is_not_known()
    {
        Place(Sos, 10);
        Outcome.IsRefusal(Run("install", "--major", "7"), 3, "There is no plugin for hosts of version 7: this version of dotnet-async2 has those for 8, 9, 10", "dotnet tool update");
        Assert.False(Directory.Exists(Path.Join(Sos, "extensions")));
    }

    [Fact]
    public void A_folder_that_cannot_be_written_to()
    {
        Place(Sos, 10);
        // A file in the place of the folder stops root, too.
        File.WriteAllText(Path.Join(Sos, "extensions"), "");
        Outcome.IsRefusal(Run("install"), 3, $"'{Sos}/extensions' cannot be changed", "dotnet-async2 sos path");
    }

    private ToolRun Run(params string[] arguments) => ToolRun.With("DOTNET_CLI_HOME", _home.Path, ["sos", .. arguments]);

    private static void Place(string folder, int major)
    {
        Directory.CreateDirectory(folder);
        File.Copy(SosHost.LibraryOf(major), Path.Join(folder, "Microsoft.Diagnostics.DebugServices.dll"));
    }
}
