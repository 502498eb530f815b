namespace Async2.Dump.Debuggers;

/// <summary>The shell command that names plugins to the hosts started from the shell, without changing a host.</summary>
internal static class ExtensionsVariable
{
    /// <summary>Read by all hosts: paths of extensions, separated.</summary>
    public const string Name = "DOTNET_DIAGNOSTIC_EXTENSIONS";

    /// <summary>Supported shells.</summary>
    public static readonly string[] Shells = ["sh", "powershell", "cmd"];

    /// <summary>The usual shell of this system.</summary>
    public static string UsualShell => OperatingSystem.IsWindows() ? "powershell" : "sh";

    /// <summary>The shell command; existing values of the variable are kept, except for plugins of ours.</summary>
    /// <param name="shell">One of <see cref="Shells"/>.</param>
    /// <param name="value">The current value of the variable; null if it is not set.</param>
    /// <param name="plugins">Paths of plugins.</param>
    public static string Line(string shell, string? value, IEnumerable<string> plugins)
    {
        char separator = Path.PathSeparator;
        IEnumerable<string> others = (value ?? "").Split(separator, StringSplitOptions.RemoveEmptyEntries)
            .Where(path => !string.Equals(Path.GetFileName(path), PluginFiles.Plugin, StringComparison.OrdinalIgnoreCase));
        string joined = string.Join(separator, others.Concat(plugins));
        return shell switch
        {
            "powershell" => $"$env:{Name}='{joined.Replace("'", "''", StringComparison.Ordinal)}'",
            "cmd" => $"set \"{Name}={joined}\"",
            _ => $"export {Name}='{joined.Replace("'", "'\\''", StringComparison.Ordinal)}'",
        };
    }

    /// <summary>Words that the shell passes over.</summary>
    public static string Comment(string shell, string words) => (shell == "cmd" ? "rem " : "# ") + words;
}
