using System.Reflection;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Sos.Hosting;

/// <summary>
/// The parts of the host's console that the plugin uses. Hosts have different methods for output, so text goes through the command's base
/// class, and links through the method that this host has.
/// </summary>
internal sealed class HostConsole
{
    private readonly IConsoleService _console;
    private readonly ClrRuntime _runtime;
    private Dictionary<int, uint>? _threads;

    /// <param name="console">The host's.</param>
    /// <param name="write">Writes text as it is.</param>
    /// <param name="runtime">Has the threads.</param>
    public HostConsole(IConsoleService console, Action<string> write, ClrRuntime runtime)
    {
        _console = console;
        _runtime = runtime;
        Write = write;
        WriteLink = console.SupportsDml ? FindLink(console) : null;
    }

    /// <summary>Writes text unchanged.</summary>
    public Action<string> Write { get; }

    /// <summary>Writes text that runs a command when clicked; null if the host cannot.</summary>
    public Action<string, string>? WriteLink { get; }

    /// <summary>
    /// Columns; null if the host does not know, and for a file or a pipe, for which hosts report 80: output is not shortened there.
    /// Hosts that do not know report 0, or the largest number.
    /// </summary>
    public int? Width => !System.Console.IsOutputRedirected && _console.WindowWidth is > 0 and < 10_000 and var width ? width : null;

    public CancellationToken Cancellation => _console.CancellationToken;

    /// <summary>The system's id of a thread; null if there is no such thread.</summary>
    public uint? SystemThread(int managedId)
    {
        if (_threads is null)
        {
            _threads = [];
            foreach (ClrThread thread in _runtime.Threads)
                _threads.TryAdd(thread.ManagedThreadId, thread.OSThreadId);
        }
        return _threads.TryGetValue(managedId, out uint id) && id != 0 ? id : null;
    }

    // Until August 2026 a method of the interface; since then an extension method.
    private static Action<string, string>? FindLink(IConsoleService console)
    {
        Type contract = typeof(IConsoleService);
        if (contract.GetMethod("WriteDmlExec", [typeof(string), typeof(string)]) is { } own)
            return own.CreateDelegate<Action<string, string>>(console);
        MethodInfo? beside = contract.Assembly.GetType(contract.Namespace + ".ConsoleServiceExtensions")
            ?.GetMethod("WriteDmlExec", [contract, typeof(string), typeof(string)]);
        return beside is null ? null : (text, command) => beside.Invoke(null, [console, text, command]);
    }
}
