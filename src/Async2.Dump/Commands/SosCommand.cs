using System.CommandLine;
using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Cli;
using Async2.Dump.Debuggers;

namespace Async2.Dump.Commands;

/// <summary><c>sos</c>: brings the command dumpasync2 into dotnet-dump, lldb and WinDbg.</summary>
internal sealed class SosCommand
{
    private readonly Option<string?> _host = new("--host") { Description = "dotnet-dump, or sos (lldb, WinDbg); all that are found otherwise", HelpName = "HOST" };

    private readonly Option<int?> _major = new("--major")
    {
        Description = "Major version of the host, where its own is not to be trusted",
        HelpName = "N",
        CustomParser = result => Numbers.Positive(result, "--major"),
    };

    private readonly Option<string?> _in = new("--in") { Description = "Folder of a host that lies elsewhere: of a dotnet tool install --tool-path, or unpacked", HelpName = "FOLDER" };

    private readonly Option<string> _shell = new("--shell")
    {
        Description = "For which shell: sh, powershell or cmd",
        HelpName = "SHELL",
        DefaultValueFactory = _ => ExtensionsVariable.UsualShell,
    };

    public static Command Create(ToolCommands tool)
    {
        var sos = new SosCommand();
        var command = new Command("sos", "Brings the command dumpasync2 into dotnet-dump, lldb and WinDbg.");
        sos.Add(tool, command, "install", "Puts the plugin where the hosts look for it.", Install);
        sos.Add(tool, command, "uninstall", "Takes it away.", Uninstall);
        sos.Add(tool, command, "path", "Prints a line for the shell with which a host finds it without being changed.", Print);
        return command;
    }

    private void Add(ToolCommands tool, Command parent, string name, string description, Func<StyledText, Asked, int> run)
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
            var asked = new Asked(hosts, host, folder, parsed.GetValue(_major), name == "path" ? parsed.GetValue(_shell)! : "");
            int failed = 0;
            AnswerFile.Write(null, stream =>
            {
                using var writer = new StreamWriter(stream, leaveOpen: true);
                failed = run(session.Text(toFile: false)(writer), asked);
            });
            return failed == 0 ? ExitCodes.Fine : failed == hosts.Count ? ExitCodes.Unreadable : ExitCodes.Partial;
        });
    }

    // Where the .NET command line keeps global tools.
    private static string Home => Environment.GetEnvironmentVariable("DOTNET_CLI_HOME") is { Length: > 0 } home ? home
        : Environment.GetEnvironmentVariable(OperatingSystem.IsWindows() ? "USERPROFILE" : "HOME") ?? "";

    private static int Install(StyledText text, Asked asked) => ForEach(text, asked, host =>
    {
        int version = asked.Major ?? host.Version.Major;
        bool isNew = PluginInstall.Install(host, PluginFiles.FolderFor(version));
        WriteHost(text, host, (isNew ? "installed" : "is installed already") + $", for hosts of version {version.ToString(CultureInfo.InvariantCulture)}");
        text.Write("  next: ");
        text.Write(TextRole.Heading, host.Name == SosHost.DotnetDump ? "dotnet-dump analyze FILE -c dumpasync2" : "sos dumpasync2 in lldb, !sos dumpasync2 in WinDbg");
        text.Line();
    });

    private static int Uninstall(StyledText text, Asked asked)
        => ForEach(text, asked, host => WriteHost(text, host, PluginInstall.Uninstall(host) ? "taken away" : "was not installed"));

    // One host that cannot have it keeps no other from it. The answer is how many there are of such.
    private static int ForEach(StyledText text, Asked asked, Action<SosHost> run)
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

    private static int Print(StyledText text, Asked asked)
    {
        if (asked.Hosts.Count == 0 && (asked.Host ?? asked.Folder) is not null && asked.Major is null)
            throw NoHost(asked);
        int newest = PluginFiles.Majors is [.., var last] ? last : 0;
        int[] majors = asked.Major is { } given ? [given] : [.. asked.Hosts.Select(host => host.Version.Major).DefaultIfEmpty(newest).Distinct()];
        int[] known = [.. majors.Intersect(PluginFiles.Majors)];
        // More than one is fine: each host takes the one that fits it, and says a line about the others. None at all is an error.
        IEnumerable<string> plugins = (known.Length == 0 ? majors : known).Select(version => Path.Join(PluginFiles.FolderFor(version), PluginFiles.Plugin));
        text.Line(ExtensionsVariable.Line(asked.Shell, Environment.GetEnvironmentVariable(ExtensionsVariable.Name), [.. plugins]));
        foreach (SosHost host in asked.Hosts.Where(host => asked.Major is null && !known.Contains(host.Version.Major)))
            text.Line(ExtensionsVariable.Comment(asked.Shell, $"no plugin here for {host.Name} {host.Version} in {host.Folder}"));
        return 0;
    }

    private static TargetException NoHost(Asked asked) => asked switch
    {
        { Folder: { } folder } => new($"There is no host of SOS in '{folder}': no Microsoft.Diagnostics.DebugServices.dll, at no depth.", "name the folder that dotnet tool install --tool-path was given, or where the host's dlls are; of a host that is a single file, use dotnet-async2 sos path --major N"),
        { Host: SosHost.DotnetDump } => new($"dotnet-dump is not installed: there is nothing in '{SosHost.StoreOf(Home)}'.", DumpCure),
        { Host: SosHost.Sos } => new($"SOS is not installed: there is nothing in '{SosHost.SosFolderOf(Home)}'.", SosCure),
        _ => new($"Neither dotnet-dump nor SOS is installed below '{Path.Join(Home, ".dotnet")}'.", $"{DumpCure}; or {SosCure}"),
    };

    private const string DumpCure = "install it: dotnet tool install --global dotnet-dump (for one that lies elsewhere: --in FOLDER; without changing it: dotnet-async2 sos path)";
    private const string SosCure = "install it: dotnet tool install --global dotnet-sos, then dotnet-sos install";

    /// <summary>What was typed, and the hosts that it means.</summary>
    private sealed record Asked(List<SosHost> Hosts, string? Host, string? Folder, int? Major, string Shell);
}
