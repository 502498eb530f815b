using System.CommandLine;
using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Cli;
using Async2.Dump.Debuggers;

namespace Async2.Dump.Commands;

/// <summary><c>sos</c>: installs the command dumpasync2 into dotnet-dump, lldb and WinDbg.</summary>
internal sealed class SosCommand
{
    private readonly Option<string?> _host = new("--host") { Description = "dotnet-dump, or sos (lldb, WinDbg); default: all that are found", HelpName = "HOST" };

    private readonly Option<int?> _major = new("--major")
    {
        Description = "Major version of the host, if it cannot be detected",
        HelpName = "N",
        CustomParser = result => Numbers.Positive(result, "--major"),
    };

    private readonly Option<string?> _in = new("--in") { Description = "Folder of a host elsewhere: from dotnet tool install --tool-path, or unpacked", HelpName = "FOLDER" };

    private readonly Option<string> _shell = new("--shell")
    {
        Description = "Shell to print for: sh, powershell or cmd",
        HelpName = "SHELL",
        DefaultValueFactory = _ => ExtensionsVariable.UsualShell,
    };

    public static Command Create(ToolCommands tool)
    {
        var sos = new SosCommand();
        var command = new Command("sos", "Adds the command dumpasync2 to dotnet-dump, lldb and WinDbg.");
        sos.Add(tool, command, "install", "Installs the plugin where the hosts look for it.", Install);
        sos.Add(tool, command, "uninstall", "Removes the plugin.", Uninstall);
        sos.Add(tool, command, "path", "Prints a shell command that makes hosts find the plugin without a change to them.", Print);
        return command;
    }

    private void Add(ToolCommands tool, Command parent, string name, string description, Func<StyledText, SosRequest, int> run)
    {
        var command = new Command(name, description);
        _host.AcceptOnlyFromAmong(SosHost.DotnetDump, SosHost.Sos);
        _shell.AcceptOnlyFromAmong(ExtensionsVariable.Shells);
        foreach (Option option in (Option[])[_host, _in, _major])
            command.Options.Add(option);
        if (name == "path")
            command.Options.Add(_shell);
        parent.Subcommands.Add(command);
        tool.SetAction(command, (session, parsed) =>
        {
            string? host = parsed.GetValue(_host), folder = parsed.GetValue(_in);
            List<SosHost> hosts = folder is null ? SosHost.Find(Home, host) : SosHost.In(folder, host);
            var asked = new SosRequest(hosts, host, folder, parsed.GetValue(_major), name == "path" ? parsed.GetValue(_shell)! : "");
            int failed = 0;
            AnswerFile.Write(null, stream =>
            {
                using var writer = new StreamWriter(stream, leaveOpen: true);
                failed = run(session.Text(toFile: false)(writer), asked);
            });
            return failed == 0 ? ExitCodes.Fine : failed == hosts.Count ? ExitCodes.Unreadable : ExitCodes.Partial;
        });
    }

    // Where the .NET CLI keeps global tools.
    private static string Home => Environment.GetEnvironmentVariable("DOTNET_CLI_HOME") is { Length: > 0 } home ? home
        : Environment.GetEnvironmentVariable(OperatingSystem.IsWindows() ? "USERPROFILE" : "HOME") ?? "";

    private static int Install(StyledText text, SosRequest asked) => ForEach(text, asked, host =>
    {
        int version = asked.Major ?? host.Version.Major;
        bool isNew = PluginInstall.Install(host, PluginFiles.FolderFor(version));
        WriteHost(text, host, (isNew ? "installed" : "is installed already") + $", for hosts of version {version.ToString(CultureInfo.InvariantCulture)}");
        text.Write("  next: ");
        text.Write(TextRole.Heading, host.Name == SosHost.DotnetDump ? "dotnet-dump analyze FILE -c dumpasync2" : "sos dumpasync2 in lldb, !sos dumpasync2 in WinDbg");
        text.Line();
    });

    private static int Uninstall(StyledText text, SosRequest asked)
        => ForEach(text, asked, host => WriteHost(text, host, PluginInstall.Uninstall(host) ? "taken away" : "was not installed"));

    // A host that fails does not affect the others. The exit code says whether there was one.
    private static int ForEach(StyledText text, SosRequest asked, Action<SosHost> run)
    {
        if (asked.Hosts.Count == 0)
            throw NoHost(asked);
        int failed = 0;
        foreach (SosHost host in asked.Hosts)
        {
            try
            {
                run(host);
            }
            catch (TargetException e) when (asked.Hosts.Count > 1)
            {
                failed++;
                WriteHost(text, host, $"NOT changed. {e.Message}");
                text.Line($"  fix: {e.Fix}");
            }
            catch (TargetException e)
            {
                throw new TargetException($"{host.Name} {host.Version} in '{host.Folder}': {e.Message}", e.Fix, e);
            }
        }
        return failed;
    }

    private static void WriteHost(StyledText text, SosHost host, string what)
    {
        text.Line($"{host.Name} {host.Version}: {what}");
        text.Write("  ");
        text.Write(TextRole.File, PluginInstall.FolderOf(host));
        text.Line();
    }

    private static int Print(StyledText text, SosRequest asked)
    {
        if (asked.Hosts.Count == 0 && (asked.Host ?? asked.Folder) is not null && asked.Major is null)
            throw NoHost(asked);
        int newest = PluginFiles.Majors is [.., var last] ? last : 0;
        int[] majors = asked.Major is { } given ? [given] : [.. asked.Hosts.Select(host => host.Version.Major).DefaultIfEmpty(newest).Distinct()];
        int[] known = [.. majors.Intersect(PluginFiles.Majors)];
        // More than one plugin is fine: each host takes the matching one, and prints a line about the others. No plugin at all is an error.
        IEnumerable<string> plugins = (known.Length == 0 ? majors : known).Select(version => Path.Join(PluginFiles.FolderFor(version), PluginFiles.Plugin));
        text.Line(ExtensionsVariable.Line(asked.Shell, Environment.GetEnvironmentVariable(ExtensionsVariable.Name), [.. plugins]));
        foreach (SosHost host in asked.Hosts.Where(host => asked.Major is null && !known.Contains(host.Version.Major)))
            text.Line(ExtensionsVariable.Comment(asked.Shell, $"no plugin here for {host.Name} {host.Version} in {host.Folder}"));
        return 0;
    }

    private static TargetException NoHost(SosRequest asked) => asked switch
    {
        { Folder: { } folder } => new($"There is no host of SOS in '{folder}': no Microsoft.Diagnostics.DebugServices.dll at any depth.", "name the folder that dotnet tool install --tool-path was given, or the folder of the host's dlls; for a single-file host, use dotnet-async2 sos path --major N"),
        { Host: SosHost.DotnetDump } => new($"dotnet-dump is not installed: there is nothing in '{SosHost.StoreOf(Home)}'.", DumpFix),
        { Host: SosHost.Sos } => new($"SOS is not installed: there is nothing in '{SosHost.SosFolderOf(Home)}'.", SosFix),
        _ => new($"Neither dotnet-dump nor SOS is installed below '{Path.Join(Home, ".dotnet")}'.", $"{DumpFix}; or {SosFix}"),
    };

    private const string DumpFix = "install it: dotnet tool install --global dotnet-dump (for one installed elsewhere: --in FOLDER; to leave it unchanged: dotnet-async2 sos path)";
    private const string SosFix = "install it: dotnet tool install --global dotnet-sos, then dotnet-sos install";

    /// <summary>The typed options, and the hosts that they refer to.</summary>
    private sealed record SosRequest(List<SosHost> Hosts, string? Host, string? Folder, int? Major, string Shell);
}
