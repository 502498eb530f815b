using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Threads.Unwinding;
using Async2.Tests.Integration.Situations;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Unwinding;

/// <summary>Between managed code and a method that is native code stand a few instructions which the runtime calls by the method's name, and of which no frame begins.</summary>
[Trait("Category", "Integration")]
public sealed class StubTests
{
    // mov r10, [rip + ...] (coreclr, vm/amd64/thunktemplates.S, StubPrecodeCode).
    private static readonly byte[] Instructions = [0x4C, 0x8B, 0x15];

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_thread_that_has_just_called_one_is_in_its_caller(string build)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the registers of a minidump are not changed here");
        using ScenarioProcess process = Situation.Start(build, "inNative");
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("stub.dmp");
        (uint Thread, ulong Stub, ulong Stack)? place = null;
        // A thread may stand in its own method at the moment.
        for (int i = 0; i < 20 && place is null; i++)
        {
            File.Delete(dump);
            ProgramDump.Write(process.Pid, dump);
            using Target target = Target.Open(dump, new TargetOptions());
            using var callers = new NativeCallers(target);
            place = target.Runtime.Threads.Select(thread => PlaceOf(target, thread, callers)).FirstOrDefault(found => found is not null);
        }
        Assert.NotNull(place);
        CoreNotes.Move(dump, place.Value.Thread, place.Value.Stub, place.Value.Stack);

        Situation found = Situation.LookAt(dump, process.Truth);
        Assert.DoesNotContain(found.Problems, problem => problem.Code == ProblemCodes.NativeCallerUnknown);
        Assert.Equal(5, found.Stacks.Length);
        Assert.All(found.Stacks, stack => Assert.NotNull(stack.Thread));
    }

    // The stub of the method, as if the thread had called the native code in which it is by way of it; null if the thread stands in managed code just now.
    private static (uint, ulong, ulong)? PlaceOf(Target target, ClrThread thread, NativeCallers callers)
        => ManagedCallers.Of(target, thread, callers) is { } managed ? (thread.OSThreadId, StubOf(target, "GetTimestamp"), managed.Stack - sizeof(ulong)) : null;

    private static ulong StubOf(Target target, string method)
    {
        byte[] code = new byte[Instructions.Length];
        foreach (ClrNativeHeapInfo heap in target.Runtime.EnumerateClrNativeHeaps().Where(heap => heap.Kind.ToString().Contains("Precode", StringComparison.Ordinal)))
        {
            for (ulong stub = heap.MemoryRange.Start; stub < heap.MemoryRange.End; stub += sizeof(ulong))
            {
                if (target.Memory.TryRead(stub, code) && code.AsSpan().SequenceEqual(Instructions) && target.Runtime.GetMethodByInstructionPointer(stub)?.Name == method)
                    return stub;
            }
        }
        throw new InvalidOperationException($"no stub of {method}");
    }
}
