using System.Globalization;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>
/// Crashes of the runtime's data access library, which end the process that reads a target: what is said about one, and what the process that
/// reads next knows of those before it.
/// </summary>
public static class DacCrash
{
    /// <summary>Environment variable by which a supervisor tells the next reader that one has crashed: how many, and of what.</summary>
    public const string Variable = "DOTNET_ASYNC2_READ_AGAIN";

    // With so many crashes behind it, a reader is the last one that a supervisor starts.
    private const int Last = 3;

    /// <summary>
    /// The library crashed each time: what crashes it most is left out, the stacks of threads and the methods of delegates. (10.0.12 does so at any thread that is in
    /// an exception filter, whose native frames it cannot unwind, and at stubs of methods that were made at run time.)
    /// </summary>
    public static bool LeavesThreadsOut => Before().Count >= Last;

    /// <summary>A reader before this one has crashed: this one reads nothing of a process that runs.</summary>
    internal static bool HasHappened => Before().Count > 0;

    /// <summary>For a reader that goes on after its first answer: the crashes are over. Not when threads are left out, which they would crash again.</summary>
    public static void Forget()
    {
        if (!LeavesThreadsOut)
            Environment.SetEnvironmentVariable(Variable, null);
    }

    /// <summary>What <see cref="Variable"/> is set to.</summary>
    /// <param name="crashes">How many readers have crashed.</param>
    /// <param name="signal">Of what the last one did.</param>
    public static string Value(int crashes, int signal) => string.Create(CultureInfo.InvariantCulture, $"{crashes} signal {signal}");

    /// <summary>The beginning of a sentence: <c>the runtime's data access library crashed on it (signal 11)</c>.</summary>
    /// <param name="on">What was read; null does not say.</param>
    /// <param name="signal">Null if it is not known; on Windows the exception.</param>
    public static string Text(string? on, int? signal)
    {
        if (signal == DacLoop.Signal)
            return "the runtime's data access library was caught in a loop" + (on is null ? "" : " on " + on);
        string why = signal is not { } number ? "" : number < 0 ? string.Create(CultureInfo.InvariantCulture, $" (exception 0x{number:x8})") : string.Create(CultureInfo.InvariantCulture, $" (signal {number})");
        return "the runtime's data access library crashed" + (on is null ? "" : " on " + on) + why;
    }

    /// <summary>How many readers have crashed before this one, and what is said about the last; null when none has.</summary>
    internal static (int Count, string? Why) Before()
    {
        string[] words = Environment.GetEnvironmentVariable(Variable)?.Split(' ') ?? [];
        return words is [var crashes, "signal", var signal] && int.TryParse(crashes, NumberStyles.None, CultureInfo.InvariantCulture, out int count)
            && int.TryParse(signal, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number) ? (count, Text(null, number)) : (0, null);
    }
}
