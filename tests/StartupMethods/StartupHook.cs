using System.Globalization;
using System.Runtime;
using System.Runtime.InteropServices;
using StartupMethods;

/// <summary>
/// Runs before the tool's own code, in its supervisor and in its worker. <c>STARTUP_METHODS=FILE</c> adds what is compiled to a list;
/// <c>STARTUP_COUNT=FOLDER</c> writes how many methods were compiled, into a file for each process; <c>STARTUP_STOP=NAME</c> stops each process
/// that has this environment variable, as <c>kill -STOP</c> does, before it has run any code of the tool.
/// </summary>
internal static partial class StartupHook
{
    private const int SIGSTOP = 19;

    /// <summary>Called by the runtime, which knows this type and this method by their names.</summary>
    public static void Initialize()
    {
        if (Environment.GetEnvironmentVariable("STARTUP_STOP") is { } variable && Environment.GetEnvironmentVariable(variable) is not null)
            _ = Raise(SIGSTOP);
        if (Environment.GetEnvironmentVariable("STARTUP_COUNT") is { } folder)
            AppDomain.CurrentDomain.ProcessExit += (_, _) => Count(folder);
        if (Environment.GetEnvironmentVariable("STARTUP_METHODS") is not { } file)
            return;
        var compiled = new CompiledMethods();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => MethodProfile.Add(file, compiled.End());
    }

    [LibraryImport("libc", EntryPoint = "raise")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Raise(int signal);

    private static void Count(string folder) => File.WriteAllText(
        Path.Join(folder, Environment.ProcessId.ToString(CultureInfo.InvariantCulture)),
        JitInfo.GetCompiledMethodCount().ToString(CultureInfo.InvariantCulture));
}
