using System.Buffers.Binary;
using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Threads.Unwinding;
using Async2.Tests.Integration.Situations;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Async2.Tests.Targets;

namespace Async2.Tests.Unwinding;

/// <summary>Wherever a thread stands in the code that finds an object's method for the call of an interface, the caller is found.</summary>
[Trait("Category", "Integration")]
public sealed class MethodSearchTests
{
    // Each of its instructions, and how many words it has on the stack before that (coreclr, vm/amd64/virtualcallstubcpu.hpp, ResolveStub).
    private static readonly (ulong At, int Kept)[] Stub =
    [
        (0, 0), (3, 0), (4, 1), (14, 1), (17, 1), (21, 1), (24, 1), (30, 1), (36, 1), (40, 1), (50, 1), (54, 1), (56, 1), (60, 1), (62, 1), (66, 1), (67, 0),
        (69, 0), (79, 0), (82, 0), (84, 0), (88, 0), (89, 1), (99, 1), (100, 2), (110, 2),
    ];

    // Those of the library's code to which it leads when its first look finds nothing (virtualcallstubamd64.S, ResolveWorkerChainLookupAsmStub, of 10.0.12).
    private static readonly (ulong At, int Kept)[] Chain =
    [
        (0, 2), (7, 2), (10, 2), (11, 1), (13, 1), (17, 1), (20, 1), (22, 1), (25, 1), (27, 1), (31, 1), (33, 1), (40, 1), (44, 1), (46, 1), (50, 1), (51, 0), (53, 1), (60, 1),
        (64, 1), (67, 1), (68, 0), (70, 1),
    ];

    // mov rax, [rdi]; push rdx; mov r10, n: so it begins. In it is the address of the chain.
    private static readonly byte[] Begin = [0x48, 0x8b, 0x07, 0x52, 0x49, 0xba];
    private const int ChainPlace = 102;
    private const int PageSize = 4096;

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_method_that_calls_an_interface_is_running(string build)
    {
        using ScenarioProcess process = Situation.Start(build, "polymorphic");
        // Half of the time it is in that code.
        for (int look = 0; look < 8; look++)
        {
            StackView view = BriefFreezeTests.Read(process.Pid.ToString(CultureInfo.InvariantCulture));
            Assert.DoesNotContain(view.Problems, problem => problem.Code == ProblemCodes.ReadAgain);
            HijackedReturnTests.AsksOnce(view, process.Truth.Marks!["begins"]);
        }
    }

    [Fact]
    public void Wherever_it_stands_its_caller_is_found()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the code is that of Linux");
        using ScenarioProcess process = Situation.Start("Situations", "polymorphic");
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("search.dmp");
        int callers = 0;
        // Where the thread is differs from one to the next.
        for (int i = 0; i < 20 && callers == 0; i++)
        {
            File.Delete(dump);
            ProgramDump.Write(process.Pid, dump);
            using Target target = Target.Open(dump, new TargetOptions());
            using var search = new NativeCallers(target);
            (ulong stub, ulong chain) = StubOf(target, process.Pid);
            foreach (NativeFrame caller in target.Runtime.Threads.Select(thread => ManagedCallers.Of(target, thread, search)).OfType<NativeFrame>().Where(caller => HasOtherWords(target, caller)))
            {
                callers++;
                Assert.All(Stub, place => FindsFrom(stub + place.At, place.Kept, caller, search));
                Assert.All(Chain, place => FindsFrom(chain + place.At, place.Kept, caller, search));
            }
        }
        Assert.True(callers > 0, "no thread was in that code");
    }

    // As if it had called the interface, and not the native code in which its thread is.
    private static void FindsFrom(ulong instruction, int kept, NativeFrame caller, NativeCallers callers)
        => ManagedCallers.IsFoundFrom(caller, instruction, caller.Stack - ((ulong)(kept + 1) * sizeof(ulong)), caller, callers);

    // What the native code has left below the return address stands for what is kept there. That is no place in code, as an argument is none.
    private static bool HasOtherWords(Target target, NativeFrame caller)
    {
        byte[] words = new byte[2 * sizeof(ulong)];
        Assert.True(target.Memory.TryRead(caller.Stack - sizeof(ulong) - (ulong)words.Length, words));
        return !new[] { 0, sizeof(ulong) }.Select(at => BinaryPrimitives.ReadUInt64LittleEndian(words.AsSpan(at)))
            .Any(word => target.Runtime.GetMethodByInstructionPointer(word - 1) is not null || NativeModules.Of(target).Any(library => library.Contains(word - 1)));
    }

    // It is in memory that the runtime writes itself.
    private static (ulong Stub, ulong Chain) StubOf(Target target, int pid)
    {
        byte[] page = new byte[PageSize];
        foreach (string[] words in File.ReadLines($"/proc/{pid}/maps").Where(line => line.Contains("r-x", StringComparison.Ordinal) && line.Contains("doublemapper", StringComparison.Ordinal)).Select(line => line.Split('-', ' ')))
        {
            (ulong start, ulong end) = (Convert.ToUInt64(words[0], 16), Convert.ToUInt64(words[1], 16));
            for (ulong at = start; at < end; at += PageSize)
            {
                if (target.Memory.TryRead(at, page) && page.AsSpan(0, PageSize - ChainPlace - sizeof(ulong)).IndexOf(Begin) is >= 0 and var stub)
                    return (at + (ulong)stub, BinaryPrimitives.ReadUInt64LittleEndian(page.AsSpan(stub + ChainPlace)));
            }
        }
        throw new InvalidOperationException("no such code");
    }
}
