using System.Diagnostics;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>Pids that lead to nothing one can read.</summary>
[Trait("Category", "Integration")]
public sealed class MissingProcessTests
{
    private const string List = "dotnet-async2 ps";

    [Theory]
    [InlineData("0", "There is no running process 0: process ids are above 0")]
    [InlineData("4194305", "There is no running process 4194305: no process has this id")]
    [InlineData("2147483647", "There is no running process 2147483647: no process has this id")]
    [InlineData("2147483648", "There is no process 2147483648: process ids are not that big")]
    [InlineData("99999999999999999999", "There is no process 99999999999999999999: process ids are not that big")]
    public void A_number_that_is_not_a_process(string pid, string message) => Outcome.IsRefusal(ToolRun.Of(pid), 3, message, List);

    [Fact]
    public void A_negative_number_is_wrong_usage() => Outcome.IsRefusal(ToolRun.Of("-5"), 2, "process ids are above 0", "type dotnet-async2 --help");

    [Fact]
    public void A_process_that_has_ended()
    {
        using var ended = Process.Start("true");
        ended.WaitForExit();
        Outcome.IsRefusal(ToolRun.Of(ended.Id.ToString()), 3, $"There is no running process {ended.Id}: no process has this id, or it has just ended", List);
    }

    [Fact]
    public void A_zombie()
    {
        // The shell starts a program and becomes another one, which knows nothing of it and never asks for its exit code.
        using Process parent = Process.Start(new ProcessStartInfo("sh", ["-c", "sleep 0.5 & echo $!; exec sleep 600"]) { RedirectStandardOutput = true })!;
        try
        {
            int zombie = int.Parse(parent.StandardOutput.ReadLine()!);
            ProcessFacts.WaitUntil(() => ProcessFacts.ThreadStates(zombie) == "Z", "a zombie");
            Outcome.IsRefusal(ToolRun.Of(zombie.ToString()), 3, $"There is no running process {zombie}: it has ended", List);
        }
        finally
        {
            parent.Kill();
        }
    }

    [Fact]
    public void The_tool_itself() => Outcome.IsRefusal(ToolRun.Shell("exec $TOOL $$"), 3, "is this tool itself", List);

    [Fact]
    public void A_native_program()
    {
        using var sleep = Process.Start("sleep", ["600"]);
        try
        {
            Outcome.IsRefusal(ToolRun.Of(sleep.Id.ToString()), 3, $"Process {sleep.Id} has no .NET runtime loaded: it is a native program, one compiled with Native AOT", List);
        }
        finally
        {
            sleep.Kill();
        }
    }
}
