using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets;

/// <summary>What happens in a process between the preparation of a copy and the stop: on a busy machine that takes long.</summary>
[Trait("Category", "Integration")]
public sealed class ProcessCaptureTests
{
    private const int NewThreads = 3;

    // rsp in struct user_regs_struct, sp in struct user_pt_regs.
    private static int StackPointerAt => RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? 31 * 8 : 19 * 8;

    /// <summary>
    /// The stack of a thread that was started meanwhile was a page of zeros: the list of its frames ended in nothing, at which the data access
    /// library crashed.
    /// </summary>
    [Fact]
    public void The_stack_of_a_thread_that_started_after_the_preparation_is_copied()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["poolRescued"]);
        using ProcessCapture capture = ProcessCapture.TryPrepare(process.Pid, ulong.MaxValue)!;
        int[] before = [.. ProcessThreads.Of(process.Pid)];
        ProcessFacts.WaitUntil(() => ProcessThreads.Of(process.Pid).Count >= before.Length + NewThreads, "the pool adds threads");

        ProcessCopy copy = capture.Take(RuntimeAwareStop.Of(process.Pid, TimeSpan.FromSeconds(10), out _)!)!;

        using ProcessView view = copy.View;
        Assert.InRange(copy.Threads.Keys.Count(thread => !before.Contains((int)thread)), NewThreads, int.MaxValue);
        Assert.All(copy.Threads, thread => Assert.True(HasContent(copy.Image, StackPointer(thread.Value)), $"the stack of thread {thread.Key} is empty"));
    }

    private static ulong StackPointer(byte[] registers) => BinaryPrimitives.ReadUInt64LittleEndian(registers.AsSpan(StackPointerAt));

    // What a thread has pushed lies from its stack pointer up to the end of the page, and beyond it.
    private static bool HasContent(MemoryImage image, ulong stackPointer)
    {
        byte[] pushed = new byte[2 * PageMap.PageSize - stackPointer % PageMap.PageSize];
        return image.Read(stackPointer, pushed) > 0 && pushed.AsSpan().ContainsAnyExcept((byte)0);
    }
}
