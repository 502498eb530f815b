using System.Diagnostics;
using System.Globalization;

namespace Async2.Tests.Support.Programs;

/// <summary>The small host of <c>tests/Sos.Host</c>, which has the real hosts' rules: runs commands of the built plugin and ends.</summary>
internal sealed record SosHost
{
    private const string Terminal = "/usr/bin/script";

    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(2);

    /// <summary>The major versions that there are plugins for.</summary>
    public static TheoryData<int> Majors => [8, 9, 10];

    public int Major { get; init; } = 10;

    /// <summary>Columns of its console; 0 if it does not know.</summary>
    public int Width { get; init; }

    /// <summary>Its output goes to a terminal, not to a pipe.</summary>
    public bool InTerminal { get; init; }

    /// <summary>Its console has links, as WinDbg's.</summary>
    public bool HasDml { get; init; }

    /// <summary>Its console is that of SOS in lldb; dotnet-dump's otherwise.</summary>
    public bool IsLldb { get; init; }

    /// <summary>Ctrl-C after so many pieces of output: 0 at once, -1 never.</summary>
    public int Interrupt { get; init; } = -1;

    /// <summary>The runtime's DAC is not available.</summary>
    public bool LacksDac { get; init; }

    /// <summary>What it is told to load; the plugin as it travels with the tool otherwise.</summary>
    public string? Extension { get; init; }

    /// <summary>The plugin as it travels with the tool.</summary>
    public static string PluginFor(int major)
        => Path.Join(AppContext.BaseDirectory, "sos", major.ToString(CultureInfo.InvariantCulture), "Async2.Sos.dll");

    /// <summary>The host's own library, which says of which version a host is.</summary>
    public static string LibraryOf(int major)
        => Path.Join(Path.GetDirectoryName(Program), "hosts", major.ToString(CultureInfo.InvariantCulture), "Microsoft.Diagnostics.DebugServices.dll");

    /// <summary>What one command says.</summary>
    public string Run(string target, string command) => Run(target, [command])[1];

    /// <summary>What is said while loading, then by each command. The host has to survive all of them.</summary>
    public string[] Run(string target, params string[] commands)
    {
        if (int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int pid))
            ThreadRest.WaitForAll(pid);
        ProcessStartInfo start = StartInfo(target, commands);
        if (LacksDac)
            start.Environment["SOS_HOST_DAC"] = "none";
        using Process host = Process.Start(start)!;
        Task<string> error = host.StandardError.ReadToEndAsync(), output = host.StandardOutput.ReadToEndAsync();
        if (!host.WaitForExit(Timeout))
        {
            host.Kill();
            Assert.Fail("the host did not end");
        }
        Assert.True(host.ExitCode == 0, error.Result);
        // The line about loading comes before the first command.
        string[] parts = output.Result.Split("<END>\n");
        Assert.Equal(commands.Length + 1, parts.Length);
        int loaded = parts[0].IndexOf('\n', StringComparison.Ordinal) + 1;
        return [parts[0][..loaded], parts[0][loaded..], .. parts[1..^1]];
    }

    private ProcessStartInfo StartInfo(string target, string[] commands)
    {
        string console = HasDml ? "dml" : IsLldb ? "lldb" : "plain";
        string[] words = [Program, $"{Major}", target, $"{Width}", console, $"{Interrupt}", Extension ?? PluginFor(Major), "--", .. commands];
        if (!InTerminal)
            return new ProcessStartInfo("dotnet", words) { RedirectStandardOutput = true, RedirectStandardError = true };
        Assert.SkipUnless(File.Exists(Terminal), "script is not installed: sudo apt-get install bsdutils");
        string line = "stty -echo -onlcr; exec dotnet " + string.Join(' ', words.Select(word => $"'{word}'"));
        return new ProcessStartInfo("/bin/sh", ["-c", $"exec {Terminal} -qec \"{line}\" /dev/null < /dev/null"]) { RedirectStandardOutput = true, RedirectStandardError = true };
    }

    private static string Program => Repository.PathOf("tests", "Sos.Host", "bin", "Release", "net10.0", "Sos.Host.dll");
}
