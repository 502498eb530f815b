using System.Globalization;
using Sos.Host;

// MAJOR TARGET WIDTH plain|lldb|dml PIECES EXTENSION... -- COMMAND...
int end = Array.IndexOf(args, "--");
var host = new MiniHost(int.Parse(args[0], CultureInfo.InvariantCulture));
using var target = new HostedTarget(args[1]);
if (target.HasRuntime)
    host.Offer("IRuntime", "DoubleRuntime");
if (target.Runtime is { } runtime)
    host.Offer(runtime);
// dotnet-dump knows the path of a dump, SOS in lldb does not.
host.Offer("ITarget", "DoubleTarget", target.IsDump, "Target OS: LINUX Architecture: X64 ProcessId: 1 (0x1)" + (target.IsDump && args[3] == "plain" ? " " + args[1] : ""));
int width = int.Parse(args[2], CultureInfo.InvariantCulture), pieces = int.Parse(args[4], CultureInfo.InvariantCulture);
foreach (string extension in args[5..end])
    host.Load(extension);
foreach (string command in args[(end + 1)..])
{
    if (command == "interrupt")
    {
        pieces = 0;
        Console.WriteLine("<END>");
        continue;
    }
    if (command == "detach")
    {
        target.Detach();
        Console.WriteLine("<END>");
        continue;
    }
    // Ctrl-C is for one command.
    host.Offer("IConsoleService", "DoubleConsole", args[3], width, pieces);
    host.Run(command);
    Console.WriteLine("<END>");
}
