using System.Globalization;

namespace Async2.Testing;

/// <summary>
/// Lets this process read the test host where Yama lets only ancestors (Ubuntu's setting): both are children of the console runner. The host has to say so itself, and a
/// startup hook of .NET is how it gets to know.
/// </summary>
internal static class HostHook
{
    /// <summary>Environment variables of the host.</summary>
    public const string Hooks = "DOTNET_STARTUP_HOOKS", Collector = "ASYNC2_TEST_COLLECTOR";

    // Names another file to test without Yama.
    private const string ScopeVariable = "ASYNC2_YAMA_SCOPE_FILE", ScopeFile = "/proc/sys/kernel/yama/ptrace_scope";

    /// <summary>What the host's environment needs; nothing where anybody may read it, or where it cannot be allowed (scopes 2 and 3).</summary>
    /// <param name="reader">Process id of the reader.</param>
    /// <param name="hooks">Hooks that the host would have anyway.</param>
    public static IEnumerable<KeyValuePair<string, string>> Variables(int reader, string? hooks)
    {
        string file = Path.Join(Path.GetDirectoryName(typeof(HostHook).Assembly.Location), "Async2.Testing.Hook.dll");
        if (Scope() != 1 || !File.Exists(file))
            yield break;
        yield return new(Hooks, string.IsNullOrEmpty(hooks) ? file : $"{file}{Path.PathSeparator}{hooks}");
        yield return new(Collector, reader.ToString(CultureInfo.InvariantCulture));
    }

    private static int Scope()
    {
        try
        {
            return OperatingSystem.IsLinux() ? int.Parse(File.ReadAllText(Environment.GetEnvironmentVariable(ScopeVariable) ?? ScopeFile), CultureInfo.InvariantCulture) : 0;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            return 0;
        }
    }
}
