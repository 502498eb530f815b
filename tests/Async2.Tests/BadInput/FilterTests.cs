using System.Text.Json;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>The DAC of 10.0.12 crashes its reader at a thread that is in an exception filter: the rest is shown, and that is said.</summary>
[Trait("Category", "Integration")]
public sealed class FilterTests
{
    private const string Source = """
        using System;
        using System.Threading;
        using System.Threading.Tasks;

        class P
        {
            static readonly TaskCompletionSource Never = new();

            static async Task WaitAsync() => await Never.Task;

            static bool Block() { Thread.Sleep(-1); Never.SetResult(); return true; }

            static void Filter()
            {
                try { throw new InvalidOperationException(); }
                catch (InvalidOperationException) when (Block()) { }
            }

            static void Main()
            {
                Task kept = WaitAsync();
                new Thread(Filter) { IsBackground = true }.Start();
                Thread.Sleep(500);
                Console.WriteLine("{\"stacks\":[]}");
                Console.WriteLine("ready " + Environment.ProcessId);
                Console.In.ReadLine();
                GC.KeepAlive(kept);
            }
        }
        """;

    [Fact]
    public void A_thread_in_an_exception_filter_hides_no_async_method()
    {
        using var program = new IdleProgram(Source);
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("filter.dmp");
        ProgramDump.Write(process.Pid, dump);
        foreach (string target in (string[])[$"{process.Pid}", dump])
        {
            JsonElement answer = Outcome.Json(ToolRun.Of(target, "--format", "json"), 4);
            Assert.Contains("A2D1016", Outcome.ProblemCodes(answer));
            // That thread may complete what the method waits for.
            Assert.Empty(answer.GetProperty("findings").EnumerateArray());
            Assert.Contains(answer.GetProperty("stacks").EnumerateArray(), s => s.GetProperty("frames")[0].GetProperty("name").GetString() == "WaitAsync");
        }
    }
}
