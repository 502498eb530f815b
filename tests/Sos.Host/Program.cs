using System.Globalization;
using Sos.Host;

// MAJOR TARGET WIDTH DML PIECES EXTENSION... -- COMMAND...
int end = Array.IndexOf(args, "--");
var host = new MiniHost(int.Parse(args[0], CultureInfo.InvariantCulture));
using var target = new HostedTarget(args[1]);
if (target.Runtime is { } runtime)
    host.Offer(runtime);
host.Offer("ITarget", "DoubleTarget", target.IsDump);
int width = int.Parse(args[2], CultureInfo.InvariantCulture), pieces = int.Parse(args[4], CultureInfo.InvariantCulture);
foreach (string extension in args[5..end])
    host.Load(extension);
foreach (string command in args[(end + 1)..])
{
    // Ctrl-C is for one command.
    host.Offer("IConsoleService", "DoubleConsole", args[3] == "dml", width, pieces);
    host.Run(command);
    Console.WriteLine("<END>");
}
