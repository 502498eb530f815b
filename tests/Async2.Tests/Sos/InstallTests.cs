using System.Reflection;
using System.Reflection.Emit;
using Async2.Dump.Debuggers;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using PluginHost = Async2.Tests.Support.Programs.SosHost;

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
        Assert.Equal(File.ReadAllBytes(PluginHost.PluginFor(9)), File.ReadAllBytes(Path.Join(DotnetDump, "extensions", "Async2.Sos.dll")));

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
        string text = new PluginHost { Major = 8, Extension = Path.Join(Sos, "extensions", "Async2.Sos.dll") }.Run($"{process.Pid}", "dumpasync2");
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
        Assert.Equal(File.ReadAllBytes(PluginHost.PluginFor(10)), File.ReadAllBytes(Path.Join(folder, "Async2.Sos.dll")));
        Assert.False(File.Exists(Path.Join(folder, "Async2.Sos", "Gone.dll")));
        Run("uninstall");
        Assert.Equal([Path.Join(folder, "Other.dll")], Directory.GetFileSystemEntries(folder));
    }

    [Fact]
    public void The_path_is_a_line_for_the_shell()
    {
        string Line(int major) => $"export DOTNET_DIAGNOSTIC_EXTENSIONS='{PluginHost.PluginFor(major)}'\n";
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
    public void A_host_of_an_unknown_version()
    {
        Place(Sos, 10);
        Outcome.IsRefusal(Run("install", "--major", "7"), 3, "There is no plugin for hosts of version 7: this version of dotnet-async2 has those for 8, 9, 10", "dotnet tool update");
        Assert.False(Directory.Exists(Path.Join(Sos, "extensions")));
    }

    [Fact]
    public void A_host_that_is_too_new_does_not_affect_the_others()
    {
        Place(Sos, 10);
        string newer = _home.PathOf(".dotnet/tools/.store/dotnet-dump/11.0.1/dotnet-dump/11.0.1/tools/net8.0/any");
        PlaceVersion(newer, new Version(11, 0, 14, 45401));
        ToolRun run = Run("install");
        Assert.Equal((4, ""), (run.ExitCode, run.Error));
        Assert.Contains(newer, run.Output);
        Assert.Contains("dotnet-dump 11.0.14.45401: NOT changed. There is no plugin for hosts of version 11: this version of dotnet-async2 has those for 8, 9, 10.", run.Output);
        Assert.Contains("  fix: update dotnet-async2: ", run.Output);
        Assert.Contains("sos 10.0.14.45401: installed, for hosts of version 10", run.Output);
        Assert.True(File.Exists(Path.Join(Sos, "extensions", "Async2.Sos.dll")));

        string[] line = Run("path").Output.Split('\n');
        Assert.Equal($"export DOTNET_DIAGNOSTIC_EXTENSIONS='{PluginHost.PluginFor(10)}'", line[0]);
        Assert.Equal($"# no plugin here for dotnet-dump 11.0.14.45401 in {newer}", line[1]);
        Outcome.IsRefusal(Run("install", "--host", "dotnet-dump"), 3, $"dotnet-dump 11.0.14.45401 in '{newer}': There is no plugin", "update dotnet-async2");
        Outcome.IsRefusal(Run("path", "--host", "dotnet-dump"), 3, "There is no plugin for hosts of version 11", "update dotnet-async2");
    }

    [Fact]
    public void Hosts_in_other_folders()
    {
        string tool = _home.PathOf("tools/.store/dotnet-dump/8.0.1/dotnet-dump/8.0.1/tools/net8.0/any");
        Place(tool, 8);
        string folder = _home.PathOf("tools");
        Assert.Contains("dotnet-dump 8.0.14.45401: installed, for hosts of version 8", Run("install", "--in", folder).Output);
        Assert.True(File.Exists(Path.Join(tool, "extensions", "Async2.Sos.dll")));
        Assert.Contains(PluginHost.PluginFor(8), Run("path", "--in", folder).Output);
        Assert.Contains("taken away", Run("uninstall", "--in", folder).Output);
        Outcome.IsRefusal(Run("install", "--in", _home.PathOf("nothing")), 3, "There is no host of SOS in", "--major N");
    }

    [Fact]
    public void The_local_tool_of_the_current_folder_is_found()
    {
        string tool = _home.PathOf("packages/dotnet-dump/9.0.7/tools/net8.0/any");
        Place(tool, 9);
        Place(_home.PathOf("packages/dotnet-dump/8.0.1/tools/net8.0/any"), 8);
        Directory.CreateDirectory(_home.PathOf("project/.config"));
        Directory.CreateDirectory(_home.PathOf("project/inner"));
        File.WriteAllText(_home.PathOf("project/.config/dotnet-tools.json"), "{\"version\":1,\"tools\":{\"dotnet-dump\":{\"version\":\"9.0.7\",\"commands\":[\"dotnet-dump\"]}}}");
        string home = $"export DOTNET_CLI_HOME='{_home.Path}' NUGET_PACKAGES='{_home.PathOf("packages")}'; cd '{_home.PathOf("project/inner")}'; ";
        ToolRun run = ToolRun.Shell(home + "$TOOL sos install");
        Assert.Contains($"dotnet-dump 9.0.14.45401: installed, for hosts of version 9\n  {tool}/extensions", run.Output);
        Assert.DoesNotContain("8.0.14", run.Output);
        File.WriteAllText(_home.PathOf("project/.config/dotnet-tools.json"), "{\"tools\":{\"dotnet-dump\":{\"version\":\"../8.0.1\"}}}");
        Assert.Equal(3, ToolRun.Shell(home + "$TOOL sos install").ExitCode);
    }

    [Fact]
    public void Existing_values_of_the_variable_are_kept()
    {
        string Line(string value) => ToolRun.Shell($"export DOTNET_CLI_HOME='{_home.Path}' DOTNET_DIAGNOSTIC_EXTENSIONS='{value}'; $TOOL sos path").Output;
        string own = PluginHost.PluginFor(10);
        Assert.Equal($"export DOTNET_DIAGNOSTIC_EXTENSIONS='/other/Plugin.dll:{own}'\n", Line("/other/Plugin.dll"));
        Assert.Equal($"export DOTNET_DIAGNOSTIC_EXTENSIONS='/other/Plugin.dll:{own}'\n", Line($"/old/Async2.Sos.dll:/other/Plugin.dll:{own}"));
        Assert.Equal($"/a b/it'\\''s.dll:{own}", Line("/a b/it'\\''s.dll")["export DOTNET_DIAGNOSTIC_EXTENSIONS='".Length..^2]);
    }

    [Fact]
    public void Each_shell_has_its_own_line()
    {
        Assert.Equal($"$env:DOTNET_DIAGNOSTIC_EXTENSIONS='{PluginHost.PluginFor(10)}'\n", Run("path", "--shell", "powershell").Output);
        Assert.Equal($"set \"DOTNET_DIAGNOSTIC_EXTENSIONS={PluginHost.PluginFor(10)}\"\n", Run("path", "--shell", "cmd").Output);
        Assert.Equal("$env:DOTNET_DIAGNOSTIC_EXTENSIONS='/it''s/a.dll'", ExtensionsVariable.Line("powershell", null, ["/it's/a.dll"]));
        Assert.Equal("rem words", ExtensionsVariable.Comment("cmd", "words"));
        Assert.Equal(2, Run("path", "--shell", "fish").ExitCode);
    }

    [Fact]
    public void A_copy_that_fails_leaves_nothing_behind()
    {
        Place(Sos, 10);
        string folder = Path.Join(Sos, "extensions"), plugin = Path.Join(folder, "Async2.Sos.dll");
        // A folder of that name cannot be replaced by a file.
        Directory.CreateDirectory(plugin);
        Outcome.IsRefusal(Run("install"), 3, $"'{folder}' cannot be changed", "dotnet-async2 sos path");
        Assert.DoesNotContain(Directory.GetFiles(folder, "*", SearchOption.AllDirectories), file => file.EndsWith(".new", StringComparison.Ordinal));
        Directory.Delete(plugin);
        File.WriteAllText(plugin + ".new", "of a tool that was killed");
        Assert.Contains("taken away", Run("uninstall").Output);
        Assert.False(Directory.Exists(folder));
    }

    [Fact]
    public void A_dll_in_use_has_its_own_fix()
    {
        string closing = "close the debuggers that have the plugin loaded";
        Assert.StartsWith(closing, PluginInstall.FixOf(new IOException("in use", unchecked((int)0x80070020)), isWindows: true));
        Assert.StartsWith(closing, PluginInstall.FixOf(new UnauthorizedAccessException(), isWindows: true));
        Assert.DoesNotContain(closing, PluginInstall.FixOf(new UnauthorizedAccessException(), isWindows: false));
        Assert.DoesNotContain(closing, PluginInstall.FixOf(new IOException("disk full", unchecked((int)0x80070070)), isWindows: true));
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

    // A library that says it is of a version that no host has yet.
    private static void PlaceVersion(string folder, Version version)
    {
        Directory.CreateDirectory(folder);
        var name = new AssemblyName("Microsoft.Diagnostics.DebugServices") { Version = version };
        var assembly = new PersistedAssemblyBuilder(name, typeof(object).Assembly);
        assembly.DefineDynamicModule(name.Name!);
        assembly.Save(Path.Join(folder, name.Name + ".dll"));
    }

    private static void Place(string folder, int major)
    {
        Directory.CreateDirectory(folder);
        File.Copy(PluginHost.LibraryOf(major), Path.Join(folder, "Microsoft.Diagnostics.DebugServices.dll"));
    }
}
