using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Cli;
using Async2.Dump.Samples;
using Async2.Dump.Workers;

namespace Async2.Dump.Gates;

/// <summary>Proves that the gate can fail: the bundled sample has a deadlock, and the same command as in CI has to find it.</summary>
internal static class SelfTest
{
    /// <param name="session">The command that was given.</param>
    /// <param name="answer">Its options for the answer.</param>
    public static int Run(ToolSession session, string[] answer)
    {
        using SampleProcess sample = SampleProcess.Start("jam");
        int exitCode = ToolProcess.Run(["check", sample.Id.ToString(CultureInfo.InvariantCulture), "--fail-on", "deadlock:certain", .. answer, .. session.OutputArguments]);
        StyledText notes = session.Notes;
        if (exitCode == ExitCodes.Found)
        {
            notes.Line("self-test passed: the gate fails on a program that is deadlocked");
            return ExitCodes.Fine;
        }
        notes.Line($"self-test failed: the gate ended with exit code {exitCode.ToString(CultureInfo.InvariantCulture)} on a program that is deadlocked");
        return exitCode == ExitCodes.Fine ? ExitCodes.Found : exitCode;
    }
}
