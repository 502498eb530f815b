using System.CommandLine.Parsing;

namespace Async2.Dump.Cli;

/// <summary>Names a command as the user types it.</summary>
internal static class CommandPath
{
    /// <summary><c>dotnet-async2</c>, <c>dump</c>, <c>collect</c>.</summary>
    public static IEnumerable<string> Path(this CommandResult command)
        => command.Parent is CommandResult parent ? [.. parent.Path(), command.Command.Name] : ["dotnet-async2"];
}
