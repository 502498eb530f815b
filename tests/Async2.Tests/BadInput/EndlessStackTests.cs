using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.BadInput;

/// <summary>
/// Stacks of threads that do not end where they should: one whose memory is damaged leads back to itself, on which the DAC of .NET 10 never comes back
/// when it is asked for objects; one of a deep recursion ends late.
/// </summary>
[Trait("Category", "Integration")]
public sealed class EndlessStackTests
{
    private const int Depth = 20_000;

    // Recursion through a method that is not inlined, then a wait without an end.
    private static readonly string Deep = $$"""
        using System.Runtime.CompilerServices;
        using System.Threading;

        class P
        {
            static readonly ManualResetEvent Never = new(false);

            [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
            static int Descend(int left)
            {
                if (left == 0) Never.WaitOne();
                return left == 0 ? 0 : Descend(left - 1) + 1;
            }

            static void Bottom() => Descend({{Depth}});

            static void Main()
            {
                new Thread(Bottom, 64 << 20) { IsBackground = true }.Start();
                Thread.Sleep(500);
                System.Console.WriteLine("{\"stacks\":[]}");
                System.Console.WriteLine("ready " + System.Environment.ProcessId);
                System.Console.In.ReadLine();
            }
        }
        """;

    [Fact]
    public void A_stack_that_leads_back_to_itself_is_damage()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["locked"]);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("cycle.dmp");
        new DiagnosticsClient(process.Pid).WriteDump(DumpType.Full, dump);
        int damaged = CloseCycle(dump);

        JsonElement answer = Outcome.Json(ToolRun.Of(dump, "--deep", "--format", "json"), 4);
        JsonElement problem = Assert.Single(answer.GetProperty("problems").EnumerateArray(), p => p.GetProperty("code").GetString() == ProblemCodes.StackInCycle);
        Assert.Contains($"1 managed thread ({damaged}) leads back to itself", problem.GetProperty("text").GetString(), StringComparison.Ordinal);
        // The other threads are read as ever.
        Assert.Contains(answer.GetProperty("stacks").EnumerateArray(), s => s.TryGetProperty("thread", out JsonElement thread) && thread.GetInt32() != damaged);
    }

    [Fact]
    public void A_deep_recursion_is_shown_to_its_beginning()
    {
        using var program = new IdleProgram(Deep);
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        JsonElement answer = Outcome.Json(ToolRun.Of($"{process.Pid}", "--method", "Descend", "--format", "json"), 0);
        JsonElement[] frames = [.. Assert.Single(answer.GetProperty("stacks").EnumerateArray()).GetProperty("frames").EnumerateArray()];
        Assert.Equal(Depth + 1, frames.Count(frame => frame.GetProperty("name").GetString() == "Descend"));
        Assert.Contains(frames, frame => frame.GetProperty("name").GetString() == "Bottom");
    }

    // The innermost of the runtime's own frames on a thread is linked to itself (coreclr, Frame::m_Next, behind its identifier).
    private static int CloseCycle(string dump)
    {
        ulong frame = 0;
        int owner = 0;
        using (var target = Target.Open(dump, new TargetOptions()))
        {
            IDataReader memory = target.Runtime.DataTarget.DataReader;
            foreach (ClrThread thread in target.Runtime.Threads.Where(thread => thread.ManagedThreadId > 1 && frame == 0))
                (frame, owner) = (thread.EnumerateStackTrace().Where(f => f.Kind == ClrStackFrameKind.Runtime).Select(f => f.StackPointer).FirstOrDefault(at => IsLinked(memory, at)), thread.ManagedThreadId);
        }
        Assert.NotEqual(0ul, frame);
        CoreMemory.WritePointer(dump, frame + sizeof(ulong), frame);
        return owner;
    }

    private static bool IsLinked(IDataReader memory, ulong frame)
    {
        ulong next = memory.ReadPointer(frame + sizeof(ulong));
        return memory.ReadPointer(frame) is > 0 and < 64 && (next == ulong.MaxValue || (next > frame && next - frame < 1 << 20));
    }
}
