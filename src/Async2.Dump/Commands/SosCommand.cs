using System.CommandLine;
using System.Globalization;
using Async2.Analysis.Rendering;
using Async2.Analysis.Targets;
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

    public static Command Create(ToolCommands tool)
    {
        var sos = new SosCommand();
        var command = new Command("sos", "Brings the command dumpasync2 into dotnet-dump, lldb and WinDbg.");
        sos.Add(tool, command, "install", "Puts the plugin where the hosts look for it.", Install);
        sos.Add(tool, command, "uninstall", "Takes it away.", Uninstall);
        sos.Add(tool, command, "path", "Prints a line for the shell with which a host finds it without being changed.", Print);
        return command;
    }

    private void Add(ToolCommands tool, Command parent, string name, string description, Action<StyledText, List<SosHost>, string?, int?> run)
    {
        var command = new Command(name, description);
        _host.AcceptOnlyFromAmong(SosHost.DotnetDump, SosHost.Sos);
        command.Options.Add(_host);
        command.Options.Add(_major);
        parent.Subcommands.Add(command);
        tool.SetAction(command, (session, parsed) =>
        {
            string? host = parsed.GetValue(_host);
            List<SosHost> hosts = SosHost.Find(Home, host);
            AnswerFile.Write(null, stream =>
            {
                using var writer = new StreamWriter(stream, leaveOpen: true);
                run(session.Text(toFile: false)(writer), hosts, host, parsed.GetValue(_major));
            });
            return ExitCodes.Fine;
        });
    }

    // Where the .NET command line keeps global tools.
    private static string Home => Environment.GetEnvironmentVariable("DOTNET_CLI_HOME") is { Length: > 0 } home ? home
        : Environment.GetEnvironmentVariable(OperatingSystem.IsWindows() ? "USERPROFILE" : "HOME") ?? "";

    private static void Install(StyledText text, List<SosHost> hosts, string? wanted, int? major)
    {
        if (hosts.Count == 0)
            throw NoHost(wanted);
        foreach (SosHost host in hosts)
        {
            int version = major ?? host.Version.Major;
            bool isNew = PluginInstall.Install(host, PluginFiles.FolderFor(version));
            WriteHost(text, host, (isNew ? "installed" : "is installed already") + $", for hosts of version {version.ToString(CultureInfo.InvariantCulture)}");
            text.Write("  next: ");
            text.Write(TextRole.Heading, host.Name == SosHost.DotnetDump ? "dotnet-dump analyze FILE -c dumpasync2" : "sos dumpasync2 in lldb, !sos dumpasync2 in WinDbg");
            text.Line();
        }
    }

    private static void Uninstall(StyledText text, List<SosHost> hosts, string? wanted, int? major)
    {
        if (hosts.Count == 0)
            throw NoHost(wanted);
        foreach (SosHost host in hosts)
            WriteHost(text, host, PluginInstall.Uninstall(host) ? "taken away" : "was not installed");
    }

    private static void WriteHost(StyledText text, SosHost host, string what)
    {
        text.Line($"{host.Name} {host.Version}: {what}");
        text.Write("  ");
        text.Write(TextRole.File, PluginInstall.FolderOf(host));
        text.Line();
    }

    private static void Print(StyledText text, List<SosHost> hosts, string? wanted, int? major)
    {
        if (hosts.Count == 0 && wanted is not null && major is null)
            throw NoHost(wanted);
        int newest = PluginFiles.Majors is [.., var last] ? last : 0;
        int[] majors = major is { } given ? [given] : [.. hosts.Select(host => host.Version.Major).DefaultIfEmpty(newest).Distinct()];
        // More than one is fine: each host takes the one that fits it, and says a line about the others.
        string[] paths = [.. majors.Select(version => Path.Join(PluginFiles.FolderFor(version), PluginFiles.Plugin))];
        string value = string.Join(Path.PathSeparator, paths).Replace("'", "'\\''", StringComparison.Ordinal);
        text.Line(OperatingSystem.IsWindows() ? $"$env:DOTNET_DIAGNOSTIC_EXTENSIONS='{value}'" : $"export DOTNET_DIAGNOSTIC_EXTENSIONS='{value}'");
    }

    private static TargetException NoHost(string? wanted) => wanted switch
    {
        SosHost.DotnetDump => new($"dotnet-dump is not installed: there is nothing in '{SosHost.StoreOf(Home)}'.", DumpCure),
        SosHost.Sos => new($"SOS is not installed: there is nothing in '{SosHost.SosFolderOf(Home)}'.", SosCure),
        _ => new($"Neither dotnet-dump nor SOS is installed below '{Path.Join(Home, ".dotnet")}'.", $"{DumpCure}; or {SosCure}"),
    };

    private const string DumpCure = "install it: dotnet tool install --global dotnet-dump (one that lies elsewhere finds the plugin by the line that dotnet-async2 sos path prints)";
    private const string SosCure = "install it: dotnet tool install --global dotnet-sos, then dotnet-sos install";
}
