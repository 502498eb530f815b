using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Cli;
using Async2.Dump.Workers;

namespace Async2.Dump.Samples;

/// <summary>
/// The demonstration: the same program live and in a dump, by the commands that a user types. They run as
/// child processes also because this process is the sample's parent: .NET collects the signals of its children, including those that
/// a debugger waits for when it stops a process.
/// </summary>
internal sealed class DemoRun(ToolSession session, StyledText text, Action flush) : IDisposable
{
    private static readonly (string Command, string Meaning)[] Next =
    [
        ("dotnet-async2 ps", "your own .NET processes"),
        ("dotnet-async2 PID", "what one of them waits for"),
        ("dotnet-async2 dump collect PID", "a dump to take away"),
        ("dotnet-async2 doctor PID", "when something does not work"),
    ];

    private readonly ScratchFolder _scratch = new();

    /// <summary>Runs it; true if both views are complete and agree.</summary>
    public bool Run()
    {
        Step("1. Starting a sample shop: 400 orders, and a payment gateway that never answers.");
        using SampleProcess sample = SampleProcess.Start();
        string pid = sample.Id.ToString(CultureInfo.InvariantCulture);
        string dump = _scratch.PathOf("shop.dmp");

        Step($"2. Live: dotnet-async2 {pid}");
        bool complete = Show(pid, "live.json");
        Step($"3. A dump: dotnet-async2 dump collect {pid} -o shop.dmp");
        complete &= Run("dump", "collect", pid, "-o", dump);
        Step("4. From the dump: dotnet-async2 shop.dmp");
        complete &= File.Exists(dump) && Show(dump, "dump.json");

        bool agree = complete && Compare();
        WriteNext();
        return agree;
    }

    /// <inheritdoc/>
    public void Dispose() => _scratch.Dispose();

    // Once to print, once to compare.
    private bool Show(string target, string json) => Run(target) && Run(target, "--format", "json", "-o", _scratch.PathOf(json));

    private bool Run(params string[] arguments)
    {
        flush();
        int exitCode = ToolProcess.Run([.. arguments, .. session.OutputArguments]);
        if (exitCode == ExitCodes.Interrupted)
            throw new OperationCanceledException();
        session.Cancellation.ThrowIfCancellationRequested();
        return exitCode == ExitCodes.Fine;
    }

    private bool Compare()
    {
        AnswerComparison agreement = AnswerComparison.Of(File.ReadAllText(_scratch.PathOf("live.json")), File.ReadAllText(_scratch.PathOf("dump.json")));
        text.Line();
        text.Write(agreement.IsComplete ? TextRole.Good : TextRole.Problem, agreement.IsComplete ? "both agree" : "they differ");
        text.Line($": live {DisplayText.Count(agreement.Stacks.First, "stack")}, dump {DisplayText.Count(agreement.Stacks.Second, "stack")}");
        foreach (string stack in agreement.OnlyFirst)
            text.Line("  only live: " + stack);
        foreach (string stack in agreement.OnlySecond)
            text.Line("  only in the dump: " + stack);
        return agreement.IsComplete;
    }

    private void Step(string words)
    {
        text.Line();
        text.Write(TextRole.Heading, words);
        text.Line();
        text.Line();
    }

    private void WriteNext()
    {
        text.Line();
        text.Line("The sample was stopped and its dump deleted. Try next:");
        foreach ((string command, string meaning) in Next)
        {
            text.Write(TextRole.Heading, "  " + command.PadRight(32));
            text.Write(TextRole.Dim, meaning);
            text.Line();
        }
    }
}
